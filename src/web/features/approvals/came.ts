import type { Approval } from '../../app/types.ts'

/** What of a job says what became of a call that it asked approval for. */
export interface JobOfIt {
  readonly key: string
  readonly status: string
  /** Approvals whose call was made and went well, whatever became of the job. */
  readonly done?: readonly string[]
}

/** Which words say what became of a call that was approved. */
export function cameOf(
  { approvalId, instructions }: Pick<Approval, 'approvalId' | 'instructions'>,
  { status, done = [] }: JobOfIt,
): 'cameDone' | 'cameAnew' | 'cameSoon' | 'cameSoonAnew' | 'cameNothing' {
  const isAnew = instructions !== undefined
  if (status === 'succeeded') return isAnew ? 'cameAnew' : 'cameDone'
  if (done.includes(approvalId)) return 'cameDone'
  if (status === 'running') return isAnew ? 'cameSoonAnew' : 'cameSoon'
  // What it does instead has an approval of its own, which says what became of that.
  return isAnew && done.length > 0 ? 'cameSoonAnew' : 'cameNothing'
}
