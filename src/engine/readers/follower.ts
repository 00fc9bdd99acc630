import type { TuttiError } from '../../domain/errors.ts'
import type { RunId } from '../../domain/events.ts'
import type { RunNews } from '../../domain/store.ts'
import type { LiveItem } from './live.ts'

/** Maximum number of items kept for slow readers; a reader that is further behind reads the log. */
const MAX_ITEMS = 128

type Waker = (broken?: TuttiError) => void

export interface Waiting {
  /** Whether the reader is closed. Checked for each item of each reader; cheaper than a signal. */
  isGone(): boolean
  /** Resolves at the next news, or on abort. @throws TuttiError `StorageError` if news cannot be received */
  news(): Promise<void>
  end(): void
}

/**
 * Shared by all readers of one run in this process: the known end of the log, and the latest items. Readers fetch items
 * at their own speed, so that a slow one uses no memory and does not delay others.
 */
export class Follower {
  readonly runId: RunId
  /** Readers must read up to this event. */
  head = 0
  /** The end of the log as reported by other processes. Readers read up to it if the local items do not arrive. */
  private heard = 0
  private items: LiveItem[] = []
  /** How many items have been dropped. */
  private dropped = 0
  private wakers: Waker[] = []

  constructor(runId: RunId) {
    this.runId = runId
  }

  /** The cursor of a reader that wants no earlier items. */
  get cursor(): number {
    return this.dropped + this.items.length
  }

  /** The items after a cursor; undefined when some of them are gone. */
  since(cursor: number): readonly LiveItem[] | undefined {
    return cursor < this.dropped ? undefined : this.items.slice(cursor - this.dropped)
  }

  /** Something happened in this process. */
  take(item: LiveItem): void {
    this.items.push(item)
    if (this.items.length > MAX_ITEMS) {
      const old = this.items.length - MAX_ITEMS / 2
      this.items = this.items.slice(old)
      this.dropped += old
    }
    if (item.type !== 'live.text') this.head = Math.max(this.head, item.seq)
    this.wake()
  }

  /**
   * Handles news about an append. `isLocal`: this process works on the run, so its events arrive directly, and sooner.
   */
  hear({ seq, events = [] }: RunNews, isLocal: boolean): void {
    this.heard = Math.max(this.heard, seq)
    if (isLocal || seq <= this.head) return
    if (events[0]?.seq === this.head + 1) for (const event of events) this.take(event)
    else {
      this.head = seq
      this.wake()
    }
  }

  /**
   * Wakes the readers, so that they read the log up to its known end and check everything else that can end their wait.
   * @param broken why the end of the log could not be found
   */
  catchUp(broken?: TuttiError): void {
    this.head = Math.max(this.head, this.heard)
    this.wake(broken)
  }

  /** For one reader, who waits often: the signal is listened to once. */
  waiting(signal: AbortSignal | undefined): Waiting {
    let done: Waker = () => undefined
    let isGone = signal?.aborted === true
    const onAbort = (): void => {
      isGone = true
      done()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    return {
      isGone: () => isGone,
      news: () =>
        new Promise((resolve, reject) => {
          if (isGone) return resolve()
          done = (broken) => (broken === undefined ? resolve() : reject(broken))
          this.wakers.push(done)
        }),
      end: () => signal?.removeEventListener('abort', onAbort),
    }
  }

  private wake(broken?: TuttiError): void {
    const { wakers } = this
    this.wakers = []
    for (const done of wakers) done(broken)
  }
}
