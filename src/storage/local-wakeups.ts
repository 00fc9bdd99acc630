import type { Clock } from '../shared/clock.ts'
import { toTuttiError } from '../domain/errors.ts'
import type { RunId } from '../domain/events.ts'
import type { Wakeups } from '../domain/store.ts'
import { DEFAULT_CONCURRENCY, type StorageOptions } from './storage.ts'
import type { SqliteWakeLog } from './sqlite-connection.ts'

/** How often a shared log is looked at for wakes from other processes. */
const POLL_INTERVAL_MS = 500
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 60_000

type Handler = (runId: RunId) => Promise<void>

/**
 * Wake-ups inside one process. The log keeps every wake until an activation that began after it has ended well, so
 * neither a wake during work nor a crash loses one. A failed activation is tried again with doubling delay.
 */
export class LocalWakeups implements Wakeups {
  private readonly log: SqliteWakeLog
  private readonly isShared: boolean
  private readonly clock: Clock
  private readonly concurrency: number
  private readonly onError: StorageOptions['onError']
  private handler: Handler | undefined
  private lastId = 0
  /** Runs to activate, in order, each once. */
  private readonly queue = new Set<RunId>()
  private readonly active = new Map<RunId, Promise<void>>()
  private readonly failures = new Map<RunId, number>()
  /** Failed runs, which rest until their delay is over, even when woken again. */
  private readonly resting = new Set<RunId>()
  private readonly timers = new Set<() => void>()

  /** @param isShared whether other processes can add wakes */
  constructor(log: SqliteWakeLog, isShared: boolean, options: StorageOptions) {
    this.log = log
    this.isShared = isShared
    this.clock = options.clock
    this.concurrency = options.concurrency ?? DEFAULT_CONCURRENCY
    this.onError = options.onError
  }

  async work(handle: Handler): Promise<void> {
    this.handler = handle
    this.lastId = 0
    this.look()
    if (this.isShared) this.lookLater()
  }

  async stop(): Promise<void> {
    this.handler = undefined
    for (const cancel of this.timers) cancel()
    this.timers.clear()
    this.queue.clear()
    this.resting.clear()
    this.failures.clear()
    await Promise.all(this.active.values())
  }

  /**
   * Reads wakes recorded since the last look. Called by the store after each commit with wakes. The commit is valid in
   * any case, so errors are reported, and the next look handles the wakes.
   */
  look(): void {
    if (this.handler === undefined) return
    try {
      this.takeUp()
    } catch (error) {
      this.onError(toTuttiError(error))
    }
  }

  private takeUp(): void {
    for (const wake of this.log.since(this.lastId)) {
      this.lastId = wake.id
      const wait = wake.at - this.clock.now()
      if (wait <= 0) this.queue.add(wake.runId)
      else this.after(wait, () => this.enqueue(wake.runId))
    }
    this.startDue()
  }

  private lookLater(): void {
    this.after(POLL_INTERVAL_MS, () => {
      this.look()
      this.lookLater()
    })
  }

  private after(ms: number, callback: () => void): void {
    const cancel = this.clock.timer(ms, () => {
      this.timers.delete(cancel)
      callback()
    })
    this.timers.add(cancel)
  }

  private enqueue(runId: RunId): void {
    this.queue.add(runId)
    this.startDue()
  }

  private startDue(): void {
    for (const runId of this.queue) {
      if (this.active.size >= this.concurrency) return
      // A run that is being worked on stays in the queue until that ends.
      if (this.active.has(runId) || this.resting.has(runId)) continue
      this.queue.delete(runId)
      this.active.set(runId, this.activate(runId))
    }
  }

  private async activate(runId: RunId): Promise<void> {
    // The caller is inside an append, which must not wait for the handler or see its errors.
    await Promise.resolve()
    try {
      await this.deliver(runId)
      this.failures.delete(runId)
    } catch (error) {
      this.onError(toTuttiError(error))
      this.retryLater(runId)
    }
    this.active.delete(runId)
    if (this.handler !== undefined) this.startDue()
  }

  private async deliver(runId: RunId): Promise<void> {
    const now = this.clock.now()
    const id = this.log.due(runId, now)
    if (id === undefined || this.handler === undefined) return
    await this.handler(runId)
    this.log.acknowledge(runId, id, now)
  }

  private retryLater(runId: RunId): void {
    if (this.handler === undefined) return
    const failures = this.failures.get(runId) ?? 0
    this.failures.set(runId, failures + 1)
    this.resting.add(runId)
    this.after(Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS), () => {
      this.resting.delete(runId)
      this.enqueue(runId)
    })
  }
}
