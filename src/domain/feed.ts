import type { RunEvent, RunId } from './events.ts'

/** The first `length` characters of the answer's `part`. */
export interface TextPosition {
  readonly part: number
  readonly length: number
}

/** A piece of the answer from the log. */
export type AnswerPiece = Extract<RunEvent, { type: 'answer.delta' }>

/** Appends to a run, as far as the sender knows them. */
export interface RunNews {
  readonly runId: RunId
  /** The last event of the run's log. */
  readonly seq: number
  /** The appended events, the last one at `seq`, if they were small enough to be sent along. */
  readonly events?: readonly RunEvent[]
}

/** Some of a run's events, in order and without a gap, and how much room they take. */
export interface EventPage {
  readonly events: readonly RunEvent[]
  /** Size as JSON in characters; 0 if the events are in memory anyway. */
  readonly chars: number
}

/**
 * Tells the readers of a process about appends to runs by any process. It has its own connection to the store, so that
 * many readers do not slow down workers.
 */
export interface RunFeed {
  /** At most `limit` events with `seq > afterSeq`. Empty only if there are none. */
  page(runId: RunId, afterSeq: number, limit: number): Promise<EventPage>
  /** The position of the last event in each of these logs, by one query; runs that do not exist are left out. */
  heads(runIds: readonly RunId[]): Promise<ReadonlyMap<RunId, number>>
  /** The latest piece of the answer up to `seq`; undefined when there was none. */
  lastText(runId: RunId, seq: number): Promise<AnswerPiece | undefined>
  /**
   * Calls `onNews` for appends as soon as possible; the returned function stops it. Some notifications may get lost
   * (other processes, broken connections), so readers also poll `mayHaveNews`.
   */
  listen(onNews: (news: RunNews) => void): () => void
  /** Whether it is time to poll for new events. Called several times a second, so it must be cheap. */
  mayHaveNews(now: number): boolean
}
