import type { Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import { isTerminal, type RunEvent, type RunId } from '../core/events.ts'
import type { RunStore } from '../core/store.ts'
import type { LiveHub, LiveItem } from './live.ts'

export interface StreamOptions {
  readonly afterSeq?: number
  readonly signal?: AbortSignal
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
  const queue: LiveItem[] = []
  let ring: () => void = () => undefined
  const stopListening = deps.live.listen(runId, (item) => {
    queue.push(item)
    ring()
  })
  const position = new Position(options.afterSeq ?? 0)
  try {
    for (;;) {
      const events = await deps.store.read(runId, position.seq)
      if (events.length === 0 && position.seq === 0) throw new TuttiError('RunNotFound', `There is no run ${runId}.`)
      for (const event of events) yield* position.admit(event)
      if (position.over) return
      const failure = deps.failure()
      if (failure !== undefined) throw failure
      const unkept = deps.unkept()
      if (unkept !== undefined) yield* position.admit(unkept)
      await drained(queue, options.signal, deps.clock, (onRing) => (ring = onRing))
      if (options.signal?.aborted === true) return
      for (const item of queue.splice(0)) yield* position.admit(item)
      if (position.over) return
    }
  } finally {
    stopListening()
  }
}

/** Resolves when something is in the queue, when it is time to look at the log again, or on abort. */
function drained(
  queue: readonly LiveItem[],
  signal: AbortSignal | undefined,
  clock: Clock,
  onRing: (ring: () => void) => void,
): Promise<void> {
  if (queue.length > 0) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.timer(POLL_MS, done)
    signal?.addEventListener('abort', done, { once: true })
    onRing(done)
  })
}

/** How far a reader has come: in the log, and in the text of the answer. */
class Position {
  seq: number
  over = false
  private part = 0
  private length = 0

  constructor(afterSeq: number) {
    this.seq = afterSeq
  }

  *admit(item: LiveItem): Generator<LiveItem> {
    if (item.type === 'live.text') {
      const fresh = this.freshText(item.part, item.offset, item.text)
      if (fresh !== undefined) yield { ...item, ...fresh }
      return
    }
    if (item.seq !== this.seq + 1) return // seen already, or to be read from the log in order
    this.seq = item.seq
    if (isTerminal(item.type)) this.over = true
    yield* this.admitEvent(item)
  }

  private *admitEvent(event: RunEvent): Generator<LiveItem> {
    if (event.type !== 'answer.delta') {
      yield event
      return
    }
    const fresh = this.freshText(event.part, event.offset, event.text)
    if (fresh !== undefined) yield { ...event, ...fresh }
  }

  /** The part of a piece of text that this reader does not have. */
  private freshText(part: number, offset: number, text: string): { offset: number; text: string } | undefined {
    if (part < this.part) return undefined
    if (part > this.part) {
      this.part = part
      this.length = 0
    }
    const known = this.length - offset
    if (known < 0 || known >= text.length) return undefined
    this.length = offset + text.length
    return { offset: this.length - (text.length - known), text: text.slice(known) }
  }
}
