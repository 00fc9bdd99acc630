/** What a planner found out about a task, in a form that an agent can use as it is. */
export interface Facts {
  /** Half-open, ISO days: `before` is the first day that no longer counts. A missing end is open. */
  readonly period?: { readonly from?: string; readonly before?: string }
  /** Proper names and quoted words. */
  readonly names: readonly string[]
  readonly emails: readonly string[]
  readonly numbers: readonly number[]
}
