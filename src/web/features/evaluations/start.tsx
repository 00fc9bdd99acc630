import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { Checkbox, Choice, optionsOf } from '../../ui/field.tsx'
import { FormDialog, useFields } from '../../ui/form.tsx'
import { Banner } from '../../ui/states.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'
import { STRATEGIES } from '../chat/question-options.ts'
import { useAbout } from '../chat/use-agents.ts'
import { groupBySet } from './case.ts'
import type { Evaluation } from './evaluations-page.tsx'

/** Starts an evaluation: of which sets, and with which strategy and model. */
export function Start({ close }: { close: () => void }) {
  const { words } = useWords()
  const query = useEndpoint('/evaluations/cases')
  const models = useAbout()?.models ?? []
  const navigate = useNavigate()
  const [excluded, setExcluded] = useState<readonly string[]>([])
  const { values, field } = useFields({ strategy: '', model: '' })
  const sets = groupBySet(query.data?.items ?? [])
  const chosen = sets.filter(({ set }) => !excluded.includes(set)).map(({ set }) => set)
  const start = useChange(async () => {
    const options = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    const { evaluationId } = await api.post<Evaluation>('/evaluations', { sets: chosen, ...options })
    close()
    await navigate({ to: '/evaluations', search: { shown: evaluationId } })
  }, '/evaluations')
  return (
    <FormDialog
      title={words.evaluations.run}
      lead={words.evaluations.runLead}
      action={words.evaluations.start}
      disabled={chosen.length === 0 || start.isPending}
      error={start.error}
      submit={() => start.mutate()}
      close={close}
    >
      <Fetched query={query} lines={3}>
        {() => (
          <>
            {sets.length === 0 ? <Banner tone="warn" text={words.evaluations.noCases} /> : null}
            <fieldset className="flex flex-col gap-1">
              <legend className="mb-1 text-12 font-medium">{words.evaluations.sets}</legend>
              {sets.map(({ set, cases }) => (
                <Checkbox
                  key={set}
                  label={
                    <>
                      <span className="min-w-0 wrap-anywhere">{set}</span>
                      <span className="num ml-auto text-12 whitespace-nowrap text-text-3">
                        {words.evaluations.count({ n: cases.length })}
                      </span>
                    </>
                  }
                  checked={!excluded.includes(set)}
                  onChange={(isOn) => setExcluded(isOn ? excluded.filter((one) => one !== set) : [...excluded, set])}
                  className="min-h-8"
                />
              ))}
            </fieldset>
            <div className="grid gap-3 sm:grid-cols-2">
              <Choice
                label={words.evaluations.strategy}
                options={{ '': words.evaluations.byCase, ...optionsOf(STRATEGIES) }}
                {...field('strategy')}
              />
              <Choice
                label={words.evaluations.model}
                options={{ '': words.evaluations.usual, ...optionsOf(models) }}
                {...field('model')}
              />
            </div>
          </>
        )}
      </Fetched>
    </FormDialog>
  )
}
