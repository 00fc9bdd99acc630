import type { ErrorInfo } from './errors.ts'

/** A role or a specialist agent, by name. */
export type ActorName = string

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
  /** Why there is no use in doing it: it is settled as `skipped` with this error at once, and its actor is not asked. */
  readonly skip?: ErrorInfo
}
