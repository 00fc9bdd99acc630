import { categoryOf, isOfApproval, type ErrorInfo } from './errors.ts'
import { isOver, type JobState, type RunState } from './state.ts'

/**
 * The first job that is worth another try once a run is over: what it was stopped at, what it failed at, and in one that was
 * answered what failed for a reason that need not be there the next time. Undefined where there is none.
 */
export function retryableJob(state: RunState): JobState | undefined {
  if (!isOver(state)) return undefined
  const all = [...state.jobs.values()]
  const open = all.filter(
    ({ status, supersededBy, isOutdated }) =>
      (status === 'failed' || status === 'running') && supersededBy === undefined && isOutdated !== true,
  )
  if (state.status === 'finished') return open.find(({ result }) => mayGoWell(result?.error))
  // Stopped between two steps: the last one is done once more.
  return open[0] ?? all.at(state.status === 'cancelled' ? -1 : 0)
}

/** What an agent declined or a person denied would come to the same; where nobody decided in time, somebody may now. */
function mayGoWell(error: ErrorInfo | undefined): boolean {
  if (error === undefined) return false
  return isOfApproval(error) ? error.type !== 'ApprovalDenied' : categoryOf(error.type) !== 'user'
}
