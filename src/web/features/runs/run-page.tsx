import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api } from '../../../client/api.ts'
import { isNotFound, Forbidden } from '../../app/forbidden.tsx'
import { runSteps } from '../../run/steps.ts'
import { useRun } from '../../run/use-run.ts'
import { Subtitle } from '../../ui/page.tsx'
import { Loading, LoadError } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useWords } from '../../locales/words.tsx'
import { Turn } from '../chat/turn.tsx'
import { PlanAndTimes } from '../run/plan-and-times.tsx'
import { Sources } from '../run/sources.tsx'
import { Trace } from '../run/trace.tsx'
import { Button } from '../../ui/button.tsx'

const TABS = ['answer', 'plan', 'trace'] as const
type Tab = (typeof TABS)[number]

/** A run: answer, plan, trace, sources and events. */
export default function RunPage() {
  const { words } = useWords()
  const { runId } = useParams({ from: '/runs/$runId' })
  const { view, error } = useRun(runId)
  const isNone = view === undefined && isNotFound(error)
  const steps = useMemo(() => (view === undefined ? [] : runSteps(view)), [view])
  const { tab: named } = useSearch({ from: '/runs/$runId' })
  const tab: Tab = TABS.find((one) => one === named) ?? 'answer'
  const [step, setStep] = useState<string | undefined>()
  const [source, setSource] = useState<number | undefined>()
  const navigate = useNavigate()
  const cancel = useMutation({ mutationFn: () => api.post(`/runs/${encodeURIComponent(runId)}/cancel`) })
  const selected = step === undefined ? {} : { selected: step }
  return (
    <>
      <TopBar title={<Subtitle to="/runs" parent={words.runs.title} text={view?.state.request.question ?? ''} />}>
        {view === undefined ? null : (
          <span className="ml-auto flex flex-none items-center gap-2">
            <StatusBadge status={view.status} answered={view.answered} />
            {view.isOver ? null : <Button label={words.runs.cancel} className="btn-sm" action={cancel} />}
          </span>
        )}
      </TopBar>
      {isNone ? null : (
        <nav className="tabs" aria-label={words.runs.title}>
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
      {isNone ? (
        <Forbidden title={words.problem.noRun} />
      ) : (
        <LoadError error={error}>{view === undefined ? <Loading /> : null}</LoadError>
      )}
      {view === undefined ? null : (
        <div className="flex min-h-0 flex-1 flex-col">
          {tab === 'answer' ? (
            <div className="min-h-0 flex-1 overflow-y-auto">
              <div className="mx-auto flex max-w-170 flex-col gap-4 px-4 py-6">
                <Turn
                  question={view.state.request.question}
                  view={view}
                  error={undefined}
                  openSource={source}
                  showSource={setSource}
                  again={() => void navigate({ to: '/', search: { q: view.state.request.question } })}
                />
                {source === undefined ? null : (
                  <div className="card overflow-hidden">
                    <Sources view={view} open={source} select={setSource} />
                  </div>
                )}
              </div>
            </div>
          ) : null}
          {tab === 'plan' ? (
            <div className="flex min-h-0 flex-1 flex-col overflow-y-auto" tabIndex={0}>
              <PlanAndTimes steps={steps} view={view} select={setStep} isInPage {...selected} />
            </div>
          ) : null}
          {tab === 'trace' ? <Trace steps={steps} view={view} {...selected} /> : null}
        </div>
      )}
    </>
  )
}
