import type { RunEvent, RunId } from './events.ts'

/** The first `length` characters of the answer's `part`. */
export interface TextPosition {
  readonly part: number
  readonly length: number
}

/** A piece of the answer as the log holds it. */
export type AnswerPiece = Extract<RunEvent, { type: 'answer.delta' }>

/** What was appended to a run, as far as the teller knows it. */
export interface RunNews {
  readonly runId: RunId
  /** The last event of the run's log. */
  readonly seq: number
  /** The events that were appended, the last one at `seq`, where they were small enough to be sent along. */
  readonly events?: readonly RunEvent[]
}

/** Some of a run's events, in order and without a gap, and how much room they take. */
export interface EventPage {
  readonly events: readonly RunEvent[]
  /** Characters of JSON; 0 where they lie in memory anyway. */
  readonly chars: number
}

/**
 * How the readers of a process learn what is appended to runs, by whichever process. It has its own way into the store, so
 * that many readers do not hold up those who work.
 */
export interface RunFeed {
  /** At most `limit` events with `seq > afterSeq`; none only when there are none. */
  page(runId: RunId, afterSeq: number, limit: number): Promise<EventPage>
  /** The position of the last event in each of these logs, by one query; runs that do not exist are left out. */
  heads(runIds: readonly RunId[]): Promise<ReadonlyMap<RunId, number>>
  /** The latest piece of the answer up to `seq`; undefined when there was none. */
  lastText(runId: RunId, seq: number): Promise<AnswerPiece | undefined>
  /**
   * Tells what is appended, as soon as it can; the returned function ends it. Some news may never come (another process, a
   * lost connection): `mayHaveNews` is the net below.
   */
  listen(onNews: (news: RunNews) => void): () => void
  /** Asked several times a second: whether it is time to look at the heads. Cheap. */
  mayHaveNews(now: number): boolean
}
