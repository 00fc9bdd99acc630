import type { ErrorInfo } from './errors.ts'
import type { EventBody } from './events.ts'
import type { Task } from './plan.ts'

/** A role or a specialist agent, by name. */
export type ActorName = string

/** Feedback on an attempt at a task, for the next attempt. */
export interface Feedback {
  /** Its author: a critic's name, `person`, or `check`. */
  readonly by: string
  readonly text: string
  /** Key of the job that wrote it. Absent: it may be derived from any data of the run. */
  readonly from?: string
}

/** Why an attempt was sent back within its job; given to the next attempt. */
export interface Rejection extends Pick<Feedback, 'by' | 'text'> {
  /** The attempt's answer. */
  readonly answer?: string
  /** Ids of the skills that it was given. */
  readonly skills?: readonly string[]
}

/**
 * One task for one actor. The key is stable across restarts, because the strategy computes it from state alone.
 * `dependsOn` holds the keys of jobs whose results are its input; the engine does not start it before they have
 * settled.
 */
export interface Job<I = unknown> {
  readonly key: string
  readonly actor: ActorName
  readonly input: I
  readonly dependsOn?: readonly string[]
  /** `all`: in addition to its dependencies, it receives the results of all tasks settled before it starts. */
  readonly sees?: 'all'
  /**
   * Key of an earlier, settled attempt at the same task. From the start of this job on, the earlier attempt is only in
   * the trace and no longer an input or a result.
   */
  readonly replaces?: string
  /** Feedback that caused the repetition. */
  readonly feedback?: Feedback
  /** The reason to skip it: it is settled as `skipped` with this error at once, without its actor. */
  readonly skip?: ErrorInfo
}

/** The key of a step that a role does: its name and how often it has come, from 1. */
export function stepKey(name: string, round: number): string {
  return `${name}:${round}`
}

/** The step that a key means; undefined for that of a task, which has no colon. */
export function parseStepKey(key: string): { readonly name: string; readonly round: number } | undefined {
  const [, name, round] = /^(.+):(\d+)$/s.exec(key) ?? []
  return name === undefined ? undefined : { name, round: Number(round) }
}

/** The first entry of a job in the log. */
export function jobStarted({ key, actor, dependsOn = [], input, replaces, feedback }: Job): EventBody {
  const start = { type: 'job.started', key, actor, attempt: 1 } as const
  const about = isTask(input) ? { ...start, task: input } : start
  const whole = dependsOn.length === 0 ? about : { ...about, dependsOn }
  if (replaces === undefined && feedback === undefined) return whole
  return { ...whole, ...(replaces === undefined ? {} : { replaces }), ...(feedback === undefined ? {} : { feedback }) }
}

/** Whether the input of a job makes it a specialist's. */
function isTask(input: unknown): input is Task {
  return typeof input === 'object' && input !== null && 'agent' in input && 'id' in input
}
