import type { Schemas } from '../../../client/api-types.ts'
import { useParams, useSearch } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { ChartColumnStacked, FlaskConical, ListChecks, Play } from 'lucide-react'
import { useState } from 'react'
import type { Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../locales/words.tsx'
import type { EvalCase } from './case.ts'
import { Cases } from './cases.tsx'
import { Results } from './results.tsx'
import { Start } from './start.tsx'

export type Evaluation = Schemas['Evaluation']

/** Evaluation cases and the results of each evaluation. */
export default function EvaluationsPage() {
  const { words } = useWords()
  const { part } = useParams({ strict: false }) as { part?: string }
  const mayChange = useMayChange()
  const [isStarting, setStarting] = useState(false)
  const start = mayChange ? (
    <button type="button" className="btn btn-primary ml-auto" onClick={() => setStarting(true)}>
      <Play size={16} aria-hidden />
      {words.evaluations.run}
    </button>
  ) : null
  return (
    <Page
      title={words.evaluations.title}
      lead={words.evaluations.lead}
      actions={start}
      tabs={
        <Tabs
          label={words.evaluations.title}
          tabs={[
            { to: '/evaluations', icon: ChartColumnStacked, label: words.evaluations.results },
            { to: '/evaluations/cases', icon: ListChecks, label: words.evaluations.cases },
          ]}
        />
      }
    >
      {isStarting ? <Start close={() => setStarting(false)} /> : null}
      {part === 'cases' ? (
        <Cases mayChange={mayChange} />
      ) : (
        <Latest mayChange={mayChange} start={() => setStarting(true)} />
      )}
    </Page>
  )
}

interface ToRun {
  readonly mayChange: boolean
  readonly start: () => void
}

/** The evaluation given by the URL, or the latest one. Polls while it runs. */
function Latest({ mayChange, start }: ToRun) {
  const { shown: wanted, against } = useSearch({ strict: false }) as { shown?: string; against?: string }
  const [isRunning, setRunning] = useState(false)
  const evaluations = useGet<Items<Evaluation>>('/evaluations?limit=100', true, isRunning ? 1_000 : undefined)
  const items = evaluations.data?.items ?? []
  const isUnderWay = items.some(({ status }) => status === 'running')
  if (isUnderWay !== isRunning) setRunning(isUnderWay)
  return (
    <Fetched query={evaluations} lines={8}>
      {() => {
        const shown = items.find(({ evaluationId }) => evaluationId === wanted) ?? items[0]
        if (shown === undefined) {
          return <NoneYet mayChange={mayChange} start={start} />
        }
        const before = items.find((one) => one.evaluationId === against && one !== shown)
        return <Results items={items} shown={shown} before={before} mayChange={mayChange} />
      }}
    </Fetched>
  )
}

/** Prompts the user to run the existing cases, or to add some. */
function NoneYet({ mayChange, start }: ToRun) {
  const { words } = useWords()
  return (
    <Fetched query={useGet<Items<EvalCase>>('/evaluations/cases')} lines={8}>
      {({ items }) => {
        const toDo = items.length === 0 ? words.evaluations.noneHint : words.evaluations.runHint({ n: items.length })
        return (
          <Empty icon={FlaskConical} title={words.evaluations.none}>
            {mayChange ? toDo : words.session.readOnly}
            {!mayChange ? null : items.length === 0 ? (
              <Link
                to="/evaluations/$part"
                params={{ part: 'cases' }}
                className="btn btn-primary mx-auto mt-3 flex w-fit"
              >
                {words.evaluations.addCases}
              </Link>
            ) : (
              <button type="button" className="btn btn-primary mx-auto mt-3 flex w-fit" onClick={start}>
                <Play size={16} aria-hidden />
                {words.evaluations.run}
              </button>
            )}
          </Empty>
        )
      }}
    </Fetched>
  )
}
