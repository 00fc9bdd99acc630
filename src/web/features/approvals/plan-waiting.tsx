import { Link, useNavigate } from '@tanstack/react-router'
import type { Approval } from '../../app/types.ts'
import { useRun } from '../../run/use-run.ts'
import { Loading, LoadError } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { PlanCard } from '../chat/plan-card.tsx'
import { AskedByRun } from './summary.tsx'

/** A run that continues since its plan was started. */
export interface StartedRun {
  readonly runId: string
  readonly conversationId?: string | undefined
}

/** A plan that waits for the person's word: itself, to be started, given up, or changed where it was asked for. */
export function PlanWaiting({
  approval: { approvalId, runId },
  begun,
}: {
  approval: Approval
  begun: (run: StartedRun) => void
}) {
  const { view, trouble } = useRun(runId)
  const navigate = useNavigate()
  if (view === undefined) {
    return (
      <LoadError error={trouble} isInText>
        <Loading />
      </LoadError>
    )
  }
  const { conversationId } = view.state.request
  const change =
    conversationId === undefined
      ? undefined
      : () =>
          void navigate({
            to: '/c/$conversationId',
            params: { conversationId },
            search: { run: runId, beside: runId, tab: 'plan' },
          })
  return (
    <PlanCard
      view={view}
      approvalId={approvalId}
      begun={() => begun({ runId, conversationId })}
      {...(change === undefined ? {} : { showPlan: change })}
    >
      <span className="text-12">
        <AskedByRun runId={runId} />
      </span>
    </PlanCard>
  )
}

/** Where the work on a plan can be seen that was started here. */
export function PlanStarted({ run: { runId, conversationId } }: { run: StartedRun }) {
  const { words } = useWords()
  return (
    <p className="banner tone-ok mb-3" role="status">
      <span className="flex flex-wrap gap-x-4">
        {words.decided.begun}
        {conversationId === undefined ? (
          <Link to="/runs/$runId" params={{ runId }} className="underline">
            {words.answer.openRun}
          </Link>
        ) : (
          <Link to="/c/$conversationId" params={{ conversationId }} search={{ run: runId }} className="underline">
            {words.fork.open}
          </Link>
        )}
      </span>
    </p>
  )
}
