/**
 * Which calls an approval covers: only the requested one, or all calls of the tool to the same destination in this run,
 * in this conversation (only reads that leave the machine), or always.
 */
export const APPROVAL_SCOPES = ['once', 'run', 'conversation', 'always'] as const
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number]

/** Options of an approval. */
export interface ApprovalDetails {
  /** `once` when absent. */
  readonly scope?: ApprovalScope
  /** The input for the call, if the user edited it. */
  readonly payload?: unknown
}
