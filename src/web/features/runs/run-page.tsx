import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { GitFork, Workflow } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { api } from '../../../client/api.ts'
import { isNotFound, Forbidden } from '../../app/forbidden.tsx'
import type { RunView } from '../../run/run-log.ts'
import { runSteps } from '../../run/steps.ts'
import { useRun } from '../../run/use-run.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { Subtitle } from '../../ui/page.tsx'
import { Loading, LoadError } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useWords } from '../../locales/words.tsx'
import { AskedByRun } from '../approvals/summary.tsx'
import { Turn } from '../chat/turn.tsx'
import { PlanSummary } from '../run/plan-summary.tsx'
import { PlanAndTimes } from '../run/plan-and-times.tsx'
import { Sources } from '../run/sources.tsx'
import { Trace } from '../run/trace.tsx'
import { EventList } from './event-list.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'

const TABS = ['answer', 'plan', 'trace', 'events'] as const
type Tab = (typeof TABS)[number]

/** A run: answer, plan, trace, sources and events. */
export default function RunPage() {
  const { words } = useWords()
  const { runId } = useParams({ from: '/runs/$runId' })
  const { view, trouble } = useRun(runId)
  const isNone = view === undefined && isNotFound(trouble)
  const steps = useMemo(() => (view === undefined ? [] : runSteps(view)), [view])
  const { tab: named } = useSearch({ from: '/runs/$runId' })
  const tab: Tab = TABS.find((one) => one === named) ?? 'answer'
  const [step, setStep] = useState<string | undefined>()
  const [source, setSource] = useState<number | undefined>()
  const navigate = useNavigate()
  const cancel = useMutation({ mutationFn: () => api.post(`/runs/${encodeURIComponent(runId)}/cancel`) })
  const showSource = useCallback((n: number) => setSource(n), [])
  const selected = step === undefined ? {} : { selected: step }
  return (
    <>
      <TopBar title={<Subtitle to="/runs" of={words.runs.title} text={view?.state.request.question ?? ''} />}>
        {view === undefined ? null : (
          <span className="ml-auto flex flex-none items-center gap-2">
            <StatusBadge status={view.status} answered={view.answered} />
            {view.isOver ? null : (
              <Button className="btn-sm" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
                {words.runs.cancel}
              </Button>
            )}
          </span>
        )}
      </TopBar>
      {isNone ? null : (
        <nav
          className="flex flex-none gap-1 overflow-x-auto border-b border-line bg-surface px-3 py-1.5"
          aria-label={words.runs.title}
        >
          {TABS.map((one) => (
            <button
              key={one}
              type="button"
              className="tab"
              aria-pressed={tab === one}
              onClick={() => void navigate({ to: '.', search: one === 'answer' ? {} : { tab: one }, replace: true })}
            >
              {words.runs[one]}
            </button>
          ))}
        </nav>
      )}
      {view?.state.forkOf === undefined ? null : <ForkedFrom view={view} forkOf={view.state.forkOf} />}
      {isNone ? (
        <Forbidden title={words.problem.noRun} />
      ) : (
        <LoadError error={trouble}>{view === undefined ? <Loading /> : null}</LoadError>
      )}
      {view === undefined ? null : (
        <div className="flex min-h-0 flex-1 flex-col">
          {tab === 'answer' ? (
            <div className="min-h-0 flex-1 overflow-y-auto">
              <div className="mx-auto flex max-w-170 flex-col gap-4 px-4 py-6">
                <Turn
                  question={view.state.request.question}
                  view={view}
                  trouble={undefined}
                  openSource={source}
                  showSource={showSource}
                  again={() => void navigate({ to: '/', search: { q: view.state.request.question } })}
                />
                <BackToTeams view={view} />
                {source === undefined ? null : (
                  <div className="card overflow-hidden">
                    <Sources view={view} open={source} select={showSource} />
                  </div>
                )}
              </div>
            </div>
          ) : null}
          {tab === 'plan' ? (
            <div className="flex min-h-0 flex-1 flex-col overflow-y-auto" tabIndex={0}>
              <p className="flex-none border-b border-line px-4 py-2 text-13 text-text-2">
                <PlanSummary steps={steps} />
              </p>
              <PlanAndTimes steps={steps} view={view} select={setStep} isInPage {...selected} />
            </div>
          ) : null}
          {tab === 'trace' ? <Trace steps={steps} view={view} {...selected} /> : null}
          {tab === 'events' ? <EventList events={view.events} /> : null}
        </div>
      )}
    </>
  )
}

/** For a run that designs a team: links to the new team, or back to the request to rephrase it. */
function BackToTeams({ view }: { view: RunView }) {
  const { words } = useWords()
  const { preferAgents, question } = view.state.request
  if (!view.isOver || !preferAgents.includes('architect')) return null
  const isDone = view.answered === 'all' && view.status === 'finished'
  return (
    <LinkButton
      icon={Workflow}
      label={isDone ? words.teams.toTeams : words.teams.again}
      className="self-start"
      to="/teams"
      {...(isDone ? {} : { search: { goal: question.replace(/^Build me a team that /, '') } })}
    />
  )
}

/** Shows the run and step from which this run was forked. */
function ForkedFrom({ view, forkOf }: { view: RunView; forkOf: { readonly runId: string; readonly key: string } }) {
  const { words } = useWords()
  const nameOf = useAgentName()
  const actor = view.state.jobs.get(forkOf.key)?.actor
  return (
    <p className="flex flex-none items-center gap-1.5 border-b border-line px-4 py-1.5 text-12 text-text-2">
      <GitFork size={14} aria-hidden className="flex-none text-text-3" />
      <span className="flex-none">{words.fork.of}</span>
      <AskedByRun runId={forkOf.runId} />
      {actor === undefined ? null : <span className="flex-none">{words.fork.since({ step: nameOf(actor) })}</span>}
    </p>
  )
}
