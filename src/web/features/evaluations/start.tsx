import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Choice } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'
import { STRATEGIES } from '../chat/question-options.ts'
import { useAbout } from '../chat/use-about.ts'
import { groupBySet, type EvalCase } from './case.ts'
import type { Evaluation } from './evaluations-page.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

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
  const sets = groupBySet(cases.data?.items ?? [])
  const chosen = sets.filter(({ set }) => !without.includes(set))
  return (
    <FormDialog
      title={words.evaluations.run}
      lead={words.evaluations.runLead}
      action={words.evaluations.start}
      disabled={chosen.length === 0 || begin.isPending}
      error={begin.error}
      submit={() => begin.mutate(chosen.map(({ set }) => set))}
      close={close}
    >
      <Fetched query={cases} lines={3}>
        {() => (
          <>
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
          </>
        )}
      </Fetched>
    </FormDialog>
  )
}
