import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { STRATEGIES } from '../chat/question-options.ts'
import { useAbout } from '../chat/use-agents.ts'
import { groupBySet, type EvalCase } from './case.ts'
import type { Evaluation } from './evaluations-page.tsx'

/** Which cases are put, and how. */
export function Start({ close }: { close: () => void }) {
  const { words } = useWords()
  const cases = useGet<Items<EvalCase>>('/evaluations/cases')
  const models = useAbout()?.models ?? []
  const navigate = useNavigate()
  const [without, setWithout] = useState<readonly string[]>([])
  const [strategy, setStrategy] = useState('')
  const [model, setModel] = useState('')
  const begin = useChange(async (sets: readonly string[]) => {
    const how = { ...(strategy === '' ? {} : { strategy }), ...(model === '' ? {} : { model }) }
    const { evaluationId } = await api.post<Evaluation>('/evaluations', { sets, ...how })
    close()
    await navigate({ to: '/evaluations', search: { shown: evaluationId } })
  }, '/evaluations')
  return (
    <Dialog label={words.evaluations.run} close={close} className="dialog">
      <Fetched query={cases} lines={3}>
        {({ items }) => {
          const sets = groupBySet(items)
          const chosen = sets.filter(({ set }) => !without.includes(set))
          return (
            <form
              className="flex min-h-0 flex-col"
              onSubmit={(event) => {
                event.preventDefault()
                begin.mutate(chosen.map(({ set }) => set))
              }}
            >
              <div className="flex flex-col gap-4 overflow-y-auto p-5">
                <div>
                  <h2 className="text-16 font-semibold">{words.evaluations.run}</h2>
                  <p className="text-13 text-text-2">{words.evaluations.runLead}</p>
                </div>
                {sets.length === 0 ? <p className="banner tone-warn">{words.evaluations.noCases}</p> : null}
                <fieldset className="flex flex-col gap-1">
                  <legend className="mb-1 text-12 font-medium">{words.evaluations.sets}</legend>
                  {sets.map(({ set, cases: those }) => (
                    <label key={set} className="flex min-h-8 items-center gap-2 text-13">
                      <input
                        type="checkbox"
                        checked={!without.includes(set)}
                        onChange={({ target }) =>
                          setWithout(target.checked ? without.filter((one) => one !== set) : [...without, set])
                        }
                      />
                      <span className="min-w-0 wrap-anywhere">{set}</span>
                      <span className="num ml-auto text-12 whitespace-nowrap text-text-3">
                        {words.evaluations.count({ n: those.length })}
                      </span>
                    </label>
                  ))}
                </fieldset>
                <div className="grid gap-3 sm:grid-cols-2">
                  <Choice
                    label={words.evaluations.strategy}
                    value={strategy}
                    options={{
                      '': words.evaluations.byCase,
                      ...Object.fromEntries(STRATEGIES.map((one) => [one, one])),
                    }}
                    say={setStrategy}
                  />
                  <Choice
                    label={words.evaluations.model}
                    value={model}
                    options={{ '': words.evaluations.usual, ...Object.fromEntries(models.map((one) => [one, one])) }}
                    say={setModel}
                  />
                </div>
                {begin.error === null ? null : <Trouble error={begin.error} isInText />}
              </div>
              <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
                <button type="button" className="btn" onClick={close}>
                  {words.app.cancel}
                </button>
                <button type="submit" className="btn btn-primary" disabled={chosen.length === 0 || begin.isPending}>
                  {words.evaluations.start}
                </button>
              </footer>
            </form>
          )
        }}
      </Fetched>
    </Dialog>
  )
}
