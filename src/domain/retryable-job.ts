import { categoryOf, isOfApproval, type ErrorInfo } from './errors.ts'
import { isOver, type JobState, type RunState } from './state.ts'

/**
 * The first job of a finished run that is worth a retry: the one at which the run was stopped or failed, or, in an
 * answered run, one that failed for a temporary reason. Undefined without any.
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

/** A declined or denied task would end the same way again. An approval that timed out may be decided this time. */
function mayGoWell(error: ErrorInfo | undefined): boolean {
  if (error === undefined) return false
  return isOfApproval(error) ? error.type !== 'ApprovalDenied' : categoryOf(error.type) !== 'user'
}
