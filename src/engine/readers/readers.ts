import type { Clock } from '../../shared/clock.ts'
import { toTuttiError, type TuttiError } from '../../domain/errors.ts'
import type { RunId } from '../../domain/events.ts'
import type { RunFeed, RunNews } from '../../domain/store.ts'
import type { LiveHub, LiveItem } from './live.ts'
import { LogPages } from '../log/log-pages.ts'
import { runNotFoundError } from '../run/run-errors.ts'
import { clear, readRun, type Reading, type StreamOptions } from './stream.ts'

/** Maximum number of items kept for slow readers; a reader that is further behind reads the log. */
const MAX_ITEMS = 128

type Waker = (broken?: TuttiError) => void

interface Waiting {
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
  private reportedHead = 0
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
  receive({ seq, events = [] }: RunNews, isLocal: boolean): void {
    this.reportedHead = Math.max(this.reportedHead, seq)
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
    this.head = Math.max(this.head, this.reportedHead)
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

/** How often the net below the news is looked at, and whatever else can end a wait. */
const POLL_INTERVAL_MS = 300

interface ReadersDeps {
  readonly feed: RunFeed
  readonly live: LiveHub
  readonly clock: Clock
  /** Whether this process works on the run. */
  readonly isLocal: (runId: RunId) => boolean
  /** Text that a driver in this process has shown but not written yet. */
  readonly unkept: (runId: RunId) => LiveItem | undefined
  /** Why this process had to give the run up, if it had to. */
  readonly failure: (runId: RunId) => TuttiError | undefined
}

interface Followed {
  readonly follower: Follower
  /** Resolves when the end of the log is known. */
  readonly ready: Promise<void>
  readonly stop: () => void
  readers: number
}

/**
 * All readers of runs in this process. The readers of one run share a follower, and all readers share one poll of the
 * store and one cache of logs.
 */
export class RunReaders {
  private readonly deps: ReadersDeps
  private readonly pages: LogPages
  private readonly followed = new Map<RunId, Followed>()
  private stopListening: (() => void) | undefined
  private cancelLook: (() => void) | undefined
  private readonly toFind = new Set<RunId>()
  private finding: Promise<ReadonlyMap<RunId, number>> | undefined

  constructor(deps: ReadersDeps) {
    this.deps = deps
    this.pages = new LogPages(deps.feed)
  }

  /**
   * Reads the log, then listens, until the run is over. Text arrives live in small pieces if the run is in this
   * process, otherwise from the log in larger pieces. Each character is delivered once; a new `part` means that the
   * answer starts over.
   * @throws TuttiError `RunNotFound`, `StorageError`, or the reason why this process gave up the run
   */
  stream(runId: RunId, options: StreamOptions = {}, lensOf = clear): AsyncGenerator<LiveItem> {
    return readRun(() => this.join(runId), options, lensOf)
  }

  private async join(runId: RunId): Promise<Reading> {
    const { deps, pages } = this
    const followed = this.follow(runId)
    const { follower } = followed
    const leave = (): void => this.leave(followed)
    try {
      await followed.ready
    } catch (thrown) {
      leave()
      throw thrown
    }
    return {
      follower,
      pages,
      leave,
      unkept: () => deps.unkept(runId),
      failure: () => deps.failure(runId),
      look: () => this.find(follower),
    }
  }

  private follow(runId: RunId): Followed {
    let followed = this.followed.get(runId)
    if (followed === undefined) {
      const follower = new Follower(runId)
      const stop = this.deps.live.listen(runId, (item) => follower.take(item))
      followed = { follower, stop, readers: 0, ready: this.find(follower) }
      this.followed.set(runId, followed)
    }
    followed.readers++
    this.stopListening ??= this.deps.feed.listen((news) => {
      this.followed.get(news.runId)?.follower.receive(news, this.deps.isLocal(news.runId))
    })
    this.lookLater()
    return followed
  }

  private leave(followed: Followed): void {
    followed.readers--
    if (followed.readers > 0) return
    followed.stop()
    this.followed.delete(followed.follower.runId)
    if (this.followed.size > 0) return
    this.stopListening?.()
    this.stopListening = undefined
    this.cancelLook?.()
    this.cancelLook = undefined
  }

  /** Finds the current end of a run's log; look-ups of one turn share one query. */
  private async find(follower: Follower): Promise<void> {
    const { runId } = follower
    this.toFind.add(runId)
    this.finding ??= Promise.resolve().then(() => {
      const runIds = [...this.toFind]
      this.toFind.clear()
      this.finding = undefined
      return this.deps.feed.heads(runIds)
    })
    const seq = (await this.finding).get(runId)
    if (seq === undefined) throw runNotFoundError(runId)
    follower.head = Math.max(follower.head, seq)
  }

  private lookLater(): void {
    this.cancelLook ??= this.deps.clock.timer(POLL_INTERVAL_MS, () => {
      this.cancelLook = undefined
      void this.look()
    })
  }

  /** Polls in case news were lost. Wakes all readers, which then also notice if this process had to give up the run. */
  private async look(): Promise<void> {
    const { feed, clock } = this.deps
    let broken: TuttiError | undefined
    try {
      if (feed.mayHaveNews(clock.now())) {
        for (const [runId, seq] of await feed.heads([...this.followed.keys()])) {
          this.followed.get(runId)?.follower.receive({ runId, seq }, true)
        }
      }
    } catch (thrown) {
      broken = toTuttiError(thrown)
    }
    for (const { follower } of this.followed.values()) follower.catchUp(broken)
    if (this.followed.size > 0) this.lookLater()
  }
}
