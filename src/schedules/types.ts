import type { RunId } from '../domain/events.ts'
import type { Owner } from '../domain/owner.ts'
import type { RequestInput } from '../domain/request.ts'
import type { Timing } from './timing.ts'

/** What is asked, and where the answer goes besides the inbox. */
export interface NewSchedule {
  readonly timing: Timing
  readonly request: RequestInput
  /** Whom the answer is mailed to, after an approval as always. */
  readonly mail?: string
  /** Where the answer is sent, signed. */
  readonly webhook?: string
}

/** A question that is asked on its own. Times are milliseconds since the epoch. */
export interface Schedule extends NewSchedule {
  readonly scheduleId: string
  readonly owner: Owner
  readonly isPaused: boolean
  /** Absent when there is no next time, and while it is paused. */
  readonly nextAt?: number
  readonly createdAt: number
}

/** What of a schedule is to be otherwise; `mail: null` ends the mails. */
export interface ScheduleChange extends Partial<Pick<NewSchedule, 'timing' | 'request'>> {
  readonly mail?: string | null
}

/** What a person is shown once. */
export interface Secrets {
  /** With which a program calls it. */
  readonly hook?: string
  /** By which a receiver knows that an answer is ours. */
  readonly webhook?: string
}

/**
 * `due`: to be started; `running`: it has a run; `sending`: its answer is on the way; the others are the end of it, of which
 * `unanswered` is one whose run left the question, or a part of it, open.
 */
export type FiringStatus = 'due' | 'running' | 'sending' | 'done' | 'unanswered' | 'refused' | 'undelivered'

/** One time that a schedule came due. Its run has its id, so that it is started once, whoever starts it. */
export interface Firing {
  readonly runId: RunId
  readonly scheduleId: string
  readonly owner: Owner
  readonly dueAt: number
  readonly status: FiringStatus
  /** How often the present step was tried without success. */
  readonly tries: number
  /** When it is to be tried (again). */
  readonly tryAt: number
  /** Why the last try to send its answer was without success, until one was not. */
  readonly failure?: string
  /** Why it came to nothing, or what it left open. */
  readonly note?: string
}
