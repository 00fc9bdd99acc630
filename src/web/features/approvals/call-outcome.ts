import type { Approval } from '../../app/types.ts'

/** The part of a job that tells the result of an approved call. */
export interface ApprovedJob {
  readonly key: string
  readonly status: string
  /** Approvals whose call succeeded, whatever the state of the job. */
  readonly done?: readonly string[]
}

/** Key of the text for the result of an approved call. */
export function outcomeKey(
  { approvalId, instructions }: Pick<Approval, 'approvalId' | 'instructions'>,
  { status, done = [] }: ApprovedJob,
): 'cameDone' | 'cameAnew' | 'cameSoon' | 'cameSoonAnew' | 'cameNothing' {
  const isInstructed = instructions !== undefined
  if (status === 'succeeded') return isInstructed ? 'cameAnew' : 'cameDone'
  if (done.includes(approvalId)) return 'cameDone'
  if (status === 'running') return isInstructed ? 'cameSoonAnew' : 'cameSoon'
  // A changed call has its own approval with its own result.
  return isInstructed && done.length > 0 ? 'cameSoonAnew' : 'cameNothing'
}
