import { setMaxListeners } from 'node:events'
import type { TuttiError } from '../../domain/errors.ts'
import { isTerminal } from '../../domain/events.ts'
import type { TextPosition } from '../../domain/store.ts'
import type { Follower } from './readers.ts'
import type { LiveItem } from './live.ts'
import type { LogPages } from '../log/log-pages.ts'

export interface StreamOptions {
  readonly afterSeq?: number
  /**
   * The reader's position in the text of the answer. Live text is not in the log, so a reader that was shown some after
   * the event `afterSeq` gives its position here; otherwise it gets the text again.
   */
  readonly afterText?: TextPosition
  /**
   * Passes log entries unchanged, for readers that fold them; includes text that was shown live before it was stored.
   */
  readonly isWhole?: boolean
  readonly signal?: AbortSignal
}

export interface Reading {
  /** Knows the end of the log. */
  readonly follower: Follower
  readonly pages: LogPages
  /** Text that a driver in this process has shown but not written yet. */
  readonly unkept: () => LiveItem | undefined
  /** Why this process had to give the run up, if it had to. */
  readonly failure: () => TuttiError | undefined
  /** Finds the current end of the log. @throws TuttiError `RunNotFound` */
  readonly look: () => Promise<void>
  /** To be called when the reader closes. */
  readonly leave: () => void
}

/** Converts each item into the items that a reader may see, at once or together with a later one. */
export interface Lens {
  pass(item: LiveItem): readonly LiveItem[]
  /** Items that are still waiting at the end. */
  end(): readonly LiveItem[]
}

/** Of the engine itself, which works for everyone. */
export const clear = async (): Promise<Lens> => ({ pass: (item) => [item], end: () => [] })

/**
 * One reader: reads the log to its end, then what its follower receives, and the log again if it falls behind. It
 * yields items itself because each wrapping generator costs time for every item of every reader.
 */
export async function* readRun(
  join: () => Promise<Reading>,
  options: StreamOptions,
  lensOf: () => Promise<Lens>,
): AsyncGenerator<LiveItem, void, undefined> {
  const lens = await lensOf()
  const reading = await join()
  const { follower, pages } = reading
  const { signal } = options
  const waiting = follower.waiting(signal)
  try {
    // A client may read many runs with one signal; Node would warn of a leak at the eleventh listener.
    if (signal !== undefined) setMaxListeners(0, signal)
    let { cursor } = follower
    const position = await startAt(reading, options)
    for (let isBehind = true; !position.isOver;) {
      const items = follower.since(cursor)
      cursor = follower.cursor
      isBehind ||= items === undefined
      for (const item of items ?? []) {
        // A piece that came too early for this reader is made up for by the next stored one.
        isBehind ||= position.misses(item) || item.type === 'answer.delta'
        const fresh = position.admit(item)
        if (fresh !== undefined) for (const shown of lens.pass(fresh)) yield shown
      }
      let isAtEnd = false
      while (position.seq < follower.head && !position.isOver && !isAtEnd) {
        const events = await pages.after(follower.runId, position.seq)
        for (const event of events) {
          const fresh = position.admit(event)
          if (fresh !== undefined) for (const shown of lens.pass(fresh)) yield shown
        }
        isBehind = true
        isAtEnd = events.length === 0
      }
      if (position.isOver) break
      const failure = reading.failure()
      if (failure !== undefined) {
        await reading.look()
        // Events in the log come before the error.
        if (position.seq >= follower.head || isAtEnd) throw failure
      }
      const unkept = isBehind ? reading.unkept() : undefined
      const fresh = unkept === undefined ? undefined : position.admit(unkept)
      isBehind = false
      if (fresh !== undefined) for (const shown of lens.pass(fresh)) yield shown
      if (follower.cursor === cursor && (position.seq >= follower.head || isAtEnd)) await waiting.news()
      if (waiting.isGone()) break
    }
    for (const shown of lens.end()) yield shown
  } finally {
    waiting.end()
    reading.leave()
  }
}

async function startAt({ follower, pages, look }: Reading, options: StreamOptions): Promise<Position> {
  const { afterSeq = 0 } = options
  // A reader that comes from another process may know of events that this process has not received yet.
  if (afterSeq > follower.head) await look()
  const { runId, head } = follower
  const seq = Math.min(Math.max(0, afterSeq), head)
  const answer = seq === 0 ? undefined : await pages.answerAt(runId, seq)
  const position = new Position(seq, answer, options)
  // Who has seen the last event of a run that is over waits for nothing. More events may have come by now.
  if (seq > 0 && seq === head) {
    const [last] = await pages.after(runId, seq - 1)
    position.isOver = last !== undefined && isTerminal(last.type)
  }
  return position
}

/** How far a reader has come: in the log, and in the text of the answer. */
class Position {
  seq: number
  isOver = false
  private part = 0
  private length = 0
  private readonly isWhole: boolean

  /** @param answer position in the answer's text at `seq` */
  constructor(seq: number, answer: TextPosition | undefined, { afterText, isWhole = false }: StreamOptions) {
    this.seq = seq
    this.isWhole = isWhole
    if (answer !== undefined) ({ part: this.part, length: this.length } = answer)
    if (afterText === undefined || afterText.part < this.part) return
    this.length = afterText.part > this.part ? afterText.length : Math.max(this.length, afterText.length)
    this.part = afterText.part
  }

  /** Whether there is something before this item that the reader does not have. */
  misses(item: LiveItem): boolean {
    if (item.type !== 'live.text') return item.seq > this.seq + 1
    return item.offset > (item.part === this.part ? this.length : item.part > this.part ? 0 : item.offset)
  }

  /** The part of an item that is new to this reader; marks it as read. */
  admit(item: LiveItem): LiveItem | undefined {
    if (item.type !== 'live.text') {
      if (item.seq !== this.seq + 1) return undefined // seen already, or to be read from the log in order
      this.seq = item.seq
      if (isTerminal(item.type)) this.isOver = true
      if (item.type !== 'answer.delta') return item
    }
    const fresh = this.freshText(item.part, item.offset, item.text)
    if (this.isWhole && item.type !== 'live.text') return item
    return fresh === undefined ? undefined : { ...item, ...fresh }
  }

  /** The part of a piece of text that this reader does not have; undefined also when it misses something before it. */
  private freshText(part: number, offset: number, text: string): { offset: number; text: string } | undefined {
    if (part < this.part || (part > this.part && offset > 0)) return undefined
    if (part > this.part) {
      this.part = part
      this.length = 0
    }
    const known = this.length - offset
    if (known < 0 || known >= text.length) return undefined
    this.length = offset + text.length
    return { offset: offset + known, text: text.slice(known) }
  }
}
