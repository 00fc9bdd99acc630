import { useNavigate } from '@tanstack/react-router'
import type { Approval } from '../../app/types.ts'
import { useRun } from '../../run/use-run.ts'
import { Loading, Trouble } from '../../ui/states.tsx'
import { PlanCard } from '../chat/plan-card.tsx'
import { AskedIn } from './gist.tsx'

/** A plan that waits for the person's word: itself, to be started, given up, or changed where it was asked for. */
export function PlanWaiting({ approval: { approvalId, runId } }: { approval: Approval }) {
  const { view, trouble } = useRun(runId)
  const navigate = useNavigate()
  if (view === undefined) return trouble === undefined ? <Loading /> : <Trouble error={trouble} isInText />
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
    <PlanCard view={view} approvalId={approvalId} {...(change === undefined ? {} : { showPlan: change })}>
      <span className="text-12">
        <AskedIn runId={runId} />
      </span>
    </PlanCard>
  )
}
