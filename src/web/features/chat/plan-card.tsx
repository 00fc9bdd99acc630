import { useMutation } from '@tanstack/react-query'
import { Pencil, Play, Workflow } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useMayChange } from '../../app/session.ts'
import type { RunView } from '../../run/run-log.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { PlanEstimate } from '../run/plan-estimate.tsx'
import { useDraftOf, useStart } from '../run/start-plan.ts'
import { Countdown } from '../approvals/countdown.tsx'
import { Button } from '../../ui/button.tsx'

interface PlanCardProps {
  readonly view: RunView
  readonly approvalId: string
  readonly showPlan?: () => void
}

/** A plan that waits for approval. */
export function PlanCard({ view, approvalId, showPlan }: PlanCardProps) {
  const { words } = useWords()
  const nameOf = useAgentName()
  const mayChange = useMayChange()
  const { state, asked } = view
  const { tasks, isChanged } = useDraftOf(view)
  const start = useStart(view)
  const discard = useMutation({ mutationFn: () => api.post(`/runs/${encodeURIComponent(state.runId)}/cancel`) })
  const until = asked.get(approvalId)?.expiresAt
  return (
    <section className="card overflow-hidden border-accent/40!" aria-label={words.planEdit.title}>
      <header className="flex items-start gap-x-3 gap-y-1 px-4 py-3 max-sm:flex-wrap">
        <Workflow size={18} aria-hidden className="mt-0.5 flex-none text-accent-text" />
        <div className="min-w-0 flex-1">
          <h2 className="text-14 font-semibold">{words.planEdit.title}</h2>
          <p className="text-12 text-text-2">{isChanged ? words.planEdit.asChanged : words.planEdit.lead}</p>
        </div>
        {until === undefined ? null : (
          <span className="flex-none text-12 text-text-2 max-sm:basis-full">
            {words.planEdit.left} <Countdown until={until} />
          </span>
        )}
      </header>
      <ol className="border-t border-line">
        {tasks.map(({ id, agent, text, dependsOn }, at) => (
          <li key={id} className="flex items-start gap-2 border-b border-line px-4 py-2 text-13 last:border-0">
            <span className="mono w-4 text-text-3">{at + 1}</span>
            <AgentMark actor={agent} />
            <span className="min-w-0 flex-1 wrap-anywhere">{text ?? state.request.question}</span>
            <span className="flex-none text-12 text-text-3">
              {nameOf(agent)}
              {dependsOn.length === 0
                ? ''
                : ` · ${words.planEdit.after} ${dependsOn.map((one) => tasks.findIndex((task) => task.id === one) + 1).join(', ')}`}
            </span>
          </li>
        ))}
      </ol>
      <div className="border-t border-line px-4 py-2 empty:hidden">
        <PlanEstimate tasks={tasks} view={view} />
      </div>
      <ErrorBanner error={start.error ?? discard.error} />
      {mayChange ? (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line bg-surface-2 px-4 py-3">
          <Button label={words.planEdit.discard} className="btn-ghost" action={discard} />
          {showPlan === undefined ? null : (
            <Button icon={Pencil} label={words.planEdit.change} className="ml-auto" onClick={showPlan} />
          )}
          <Button
            icon={Play}
            label={words.planEdit.start}
            className={`btn-primary ${showPlan === undefined ? 'ml-auto' : ''}`}
            disabled={start.isPending || tasks.length === 0 || tasks.some(({ text }) => text?.trim() === '')}
            onClick={() => start.mutate(isChanged ? tasks : undefined)}
          />
        </footer>
      ) : null}
    </section>
  )
}
