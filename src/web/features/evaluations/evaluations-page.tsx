import type { Schemas } from '../../../client/api-types.ts'
import { useParams, useSearch } from '@tanstack/react-router'
import { ChartColumnStacked, FlaskConical, ListChecks, Play } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useEndpoint } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../locales/words.tsx'
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
  const start = (className: string) => (
    <Button
      label={words.evaluations.run}
      icon={Play}
      className={`btn-primary ${className}`}
      onClick={() => setStarting(true)}
    />
  )
  const tabs = [
    { to: '/evaluations', icon: ChartColumnStacked, label: words.evaluations.results },
    { to: '/evaluations/cases', icon: ListChecks, label: words.evaluations.cases },
  ]
  return (
    <Page
      title={words.evaluations.title}
      lead={words.evaluations.lead}
      actions={mayChange ? start('ml-auto') : null}
      tabs={<Tabs label={words.evaluations.title} tabs={tabs} />}
    >
      {isStarting ? <Start close={() => setStarting(false)} /> : null}
      {part === 'cases' ? <Cases mayChange={mayChange} /> : <Latest start={start('mx-auto mt-3')} />}
    </Page>
  )
}

/** The evaluation in the URL, or the latest one. Polls while it runs. */
function Latest({ start }: { start: ReactNode }) {
  const { shown: evaluationId, against } = useSearch({ strict: false }) as { shown?: string; against?: string }
  const [isPolling, setPolling] = useState(false)
  const evaluations = useEndpoint('/evaluations?limit=100', true, isPolling ? 1_000 : undefined)
  const items = evaluations.data?.items ?? []
  const isRunning = items.some(({ status }) => status === 'running')
  if (isRunning !== isPolling) setPolling(isRunning)
  const evaluation = items.find((one) => one.evaluationId === evaluationId) ?? items[0]
  const before = items.find((one) => one.evaluationId === against && one !== evaluation)
  return (
    <Fetched query={evaluations} lines={8}>
      {() =>
        evaluation === undefined ? (
          <NoneYet start={start} />
        ) : (
          <Results items={items} evaluation={evaluation} before={before} />
        )
      }
    </Fetched>
  )
}

/** Prompts the user to run the existing cases, or to add some. */
function NoneYet({ start }: { start: ReactNode }) {
  const { words } = useWords()
  const mayChange = useMayChange()
  return (
    <Fetched query={useEndpoint('/evaluations/cases')} lines={8}>
      {({ items }) => {
        if (!mayChange)
          return <Empty icon={FlaskConical} title={words.evaluations.none} hint={words.session.readOnly} />
        return items.length === 0 ? (
          <Empty icon={FlaskConical} title={words.evaluations.none} hint={words.evaluations.noneHint}>
            <LinkButton
              to="/evaluations/$part"
              params={{ part: 'cases' }}
              label={words.evaluations.addCases}
              className="btn-primary mt-3"
            />
          </Empty>
        ) : (
          <Empty
            icon={FlaskConical}
            title={words.evaluations.none}
            hint={words.evaluations.runHint({ n: items.length })}
          >
            {start}
          </Empty>
        )
      }}
    </Fetched>
  )
}
