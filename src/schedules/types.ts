import type { RunId, Owner } from '../domain/events.ts'
import type { RequestInput } from '../domain/request.ts'
import type { Timing } from './timing.ts'

/** A question, and where to deliver the answer in addition to the inbox. */
export interface NewSchedule {
  readonly timing: Timing
  readonly request: RequestInput
  /** URL to which the answer is sent, signed. */
  readonly webhook?: string
}

/** A schedule or hook. Times are milliseconds since the epoch. */
export interface Schedule extends NewSchedule {
  readonly scheduleId: string
  readonly owner: Owner
  readonly isPaused: boolean
  /** Absent if there is no next time, and while it is paused. */
  readonly nextAt?: number
  readonly createdAt: number
}

/** Fields to change. */
export type ScheduleChange = Partial<Pick<NewSchedule, 'timing' | 'request'>>

/** Secrets that are returned only once. */
export interface Secrets {
  /** Secret with which a program calls the hook. */
  readonly hook?: string
  /** Secret with which a receiver verifies the answers. */
  readonly webhook?: string
}

/**
 * `due`: to be started; `running`: its run is in progress; `sending`: its answer is being delivered. The others are
 * final; `unanswered` means that the run did not answer the question or a part of it.
 */
export type FiringStatus = 'due' | 'running' | 'sending' | 'done' | 'unanswered' | 'refused' | 'undelivered'

/**
 * A firing: one time that a schedule came due. The ID of its run is the ID of the firing, so several processes cannot
 * start it twice.
 */
export interface Firing {
  readonly runId: RunId
  readonly scheduleId: string
  readonly owner: Owner
  readonly dueAt: number
  readonly status: FiringStatus
  /** Failed attempts of the present step. */
  readonly tries: number
  /** When it may be tried (again). */
  readonly tryAt: number
  /** Why the last delivery attempt failed; absent after a success. */
  readonly failure?: string
  /** Why it failed, or which part was not answered. */
  readonly note?: string
}
