/**
 * What an approval covers beyond the call that it was asked for: calls of the same tool to the same destination, of this run,
 * of this conversation (reads that leave the machine only), or always.
 */
export const APPROVAL_SCOPES = ['once', 'run', 'conversation', 'always'] as const
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number]

/** What a person adds to an approval. */
export interface ApprovalDetails {
  /** `once` when absent. */
  readonly scope?: ApprovalScope
  /** The input to make the call with, in place of the one that was shown. */
  readonly payload?: unknown
}
