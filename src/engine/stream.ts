import type { Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import { isTerminal, type RunEvent, type RunId } from '../core/events.ts'
import type { RunStore } from '../core/store.ts'
import type { LiveHub, LiveItem } from './live.ts'
import { notFound } from './run-errors.ts'

export interface StreamOptions {
  readonly afterSeq?: number
  /**
   * How far the reader has come in the text of the answer. Live text has no place in the log, so a reader who was shown
   * some after the event `afterSeq` says so here, or gets it again.
   */
  readonly afterText?: TextPosition
  readonly signal?: AbortSignal
}

/** The first `length` characters of the answer's `part`. */
export interface TextPosition {
  readonly part: number
  readonly length: number
}

export interface StreamDeps {
  readonly store: RunStore
  readonly live: LiveHub
  readonly clock: Clock
  /** Text that a driver in this process has shown but not written yet. */
  readonly unkept: () => LiveItem | undefined
  /** Why this process had to give the run up, if it had to. */
  readonly failure: () => TuttiError | undefined
}

/** How often the log is looked at for a run that another process works on. */
const POLL_MS = 300

/**
 * Reads the log, then listens. Text comes live, piece by piece, where the run is in this process; from the log in larger
 * pieces where it is not. Each character is given once; a new `part` means that the answer starts over.
 * @throws TuttiError `RunNotFound`, or what made this process give the run up
 */
export async function* streamRun(deps: StreamDeps, runId: RunId, options: StreamOptions): AsyncGenerator<LiveItem> {
  const { signal } = options
  const inbox = new Inbox(deps, runId)
  try {
    let log = await deps.store.read(runId)
    if (log.length === 0) throw notFound(runId)
    const position = new Position(log, options)
    for (;;) {
      for (const event of log) yield* position.admit(event)
      if (position.isOver) return
      const failure = deps.failure()
      if (failure !== undefined) throw failure
      const unkept = deps.unkept()
      if (unkept !== undefined) yield* position.admit(unkept)
      for (let mustRead = false; !mustRead;) {
        const items = await inbox.next(signal)
        if (signal?.aborted === true) return
        mustRead = items.length === 0
        for (const item of items) {
          mustRead ||= position.misses(item)
          yield* position.admit(item)
        }
        if (position.isOver) return
      }
      log = await deps.store.read(runId, position.seq)
    }
  } finally {
    inbox.close()
  }
}

/** What the hub told since the last look. */
class Inbox {
  private readonly clock: Clock
  private readonly items: LiveItem[] = []
  private ring: () => void = () => undefined
  readonly close: () => void

  constructor({ live, clock }: StreamDeps, runId: RunId) {
    this.clock = clock
    this.close = live.listen(runId, (item) => {
      this.items.push(item)
      this.ring()
    })
  }

  /** Waits for items; gives none when it is time to look at the log again, or on abort. */
  async next(signal: AbortSignal | undefined): Promise<readonly LiveItem[]> {
    if (this.items.length === 0 && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          cancel()
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const cancel = this.clock.timer(POLL_MS, done)
        signal?.addEventListener('abort', done, { once: true })
        this.ring = done
      })
    }
    return this.items.splice(0)
  }
}

/** How far a reader has come: in the log, and in the text of the answer. */
class Position {
  seq: number
  isOver = false
  private part = 0
  private length = 0

  /** `log` holds at least everything that the reader has seen. */
  constructor(log: readonly RunEvent[], { afterSeq = 0, afterText }: StreamOptions) {
    this.seq = Math.min(Math.max(0, afterSeq), log.length)
    for (const event of log.slice(0, this.seq)) {
      if (event.type === 'answer.delta') this.freshText(event.part, event.offset, event.text)
      if (isTerminal(event.type)) this.isOver = true
    }
    if (afterText === undefined || afterText.part < this.part) return
    this.length = afterText.part > this.part ? afterText.length : Math.max(this.length, afterText.length)
    this.part = afterText.part
  }

  /** Whether there is something before this item that the reader does not have. */
  misses(item: LiveItem): boolean {
    if (item.type !== 'live.text') return item.seq > this.seq + 1
    return item.offset > (item.part === this.part ? this.length : item.part > this.part ? 0 : item.offset)
  }

  *admit(item: LiveItem): Generator<LiveItem> {
    if (item.type === 'live.text') {
      const fresh = this.freshText(item.part, item.offset, item.text)
      if (fresh !== undefined) yield { ...item, ...fresh }
      return
    }
    if (item.seq !== this.seq + 1) return // seen already, or to be read from the log in order
    this.seq = item.seq
    if (isTerminal(item.type)) this.isOver = true
    if (item.type !== 'answer.delta') {
      yield item
      return
    }
    const fresh = this.freshText(item.part, item.offset, item.text)
    if (fresh !== undefined) yield { ...item, ...fresh }
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
