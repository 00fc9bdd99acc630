import type { ErrorInfo } from './errors.ts'

/** A role or a specialist agent, by name. */
export type ActorName = string

/** What was said of an attempt at a task, for the next one. */
export interface Feedback {
  /** Who says it: a critic by its name, `person`, or `check`. */
  readonly by: string
  readonly text: string
  /** Key of the job whose words these are. Absent: they may be made of anything that the run has come to. */
  readonly from?: string
}

/**
 * One actor asked to do one thing. The key is stable across restarts: the strategy computes it from state alone.
 * `dependsOn` holds the keys of jobs whose results are its input; the engine refuses to start it before they settled.
 */
export interface Job {
  readonly key: string
  readonly actor: ActorName
  readonly input: unknown
  readonly dependsOn?: readonly string[]
  /** `all`: besides its dependencies it is given the results of all tasks settled before it starts. */
  readonly sees?: 'all'
  /**
   * Key of an earlier attempt at the same task, which has settled: from the start of this job on it is in the trace, and
   * among nobody's inputs or results.
   */
  readonly replaces?: string
  /** Why the task is done again. */
  readonly feedback?: Feedback
  /** Why there is no use in doing it: it is settled as `skipped` with this error at once, and its actor is not asked. */
  readonly skip?: ErrorInfo
}
