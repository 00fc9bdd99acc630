import { isDeepStrictEqual } from 'node:util'
import { type TuttiError, toTuttiError } from '../../domain/errors.ts'
import { sleep, type Clock } from '../../shared/clock.ts'
import type { NewEvent, RunEvent, RunId, EventBody } from '../../domain/events.ts'
import type { Append, AppendOutcome, RunStatus, RunStore, Wake } from '../../domain/store.ts'
import { runLostError } from '../run/run-errors.ts'

/** Receives the outcome of appends to a run's log. */
export interface RunLogOwner {
  /** Events are in the log now, right after `afterSeq`. */
  onCommitted(events: readonly NewEvent[], afterSeq: number): void
  /** Another process (an approver, a canceller) appended first; its events precede the ones not yet written. */
  onForeign(events: readonly RunEvent[]): void
  /** The run belongs to another worker, or its log cannot be written. Nothing more will be appended. */
  onLost(error: TuttiError): void
}

interface Waiter {
  resolve(): void
  reject(error: TuttiError): void
}

/** The tail of one run's log that is not written yet. Created by the run's worker, written by the `LogWriter`. */
export class RunLog {
  readonly runId: RunId
  readonly epoch: number
  readonly owner: RunLogOwner
  persistedSeq: number
  events: NewEvent[] = []
  wakes: Wake[] = []
  status: RunStatus | undefined
  durable = false
  waiters: Waiter[] = []
  closed: TuttiError | undefined

  constructor(runId: RunId, epoch: number, persistedSeq: number, owner: RunLogOwner) {
    this.runId = runId
    this.epoch = epoch
    this.persistedSeq = persistedSeq
    this.owner = owner
  }

  close(error: TuttiError): void {
    if (this.closed !== undefined) return
    this.closed = error
    for (const waiter of this.waiters.splice(0)) waiter.reject(error)
    this.owner.onLost(error)
  }
}

interface Batch {
  readonly log: RunLog
  readonly append: Append
  readonly durable: boolean
  readonly waiters: Waiter[]
  /** A try of this append ended in an error, and may nevertheless have been written. */
  isInDoubt: boolean
}

const RETRY_DELAYS_MS = [100, 300, 1_000, 3_000, 5_000]

/**
 * Writes the logs of all live runs of this process. Events of one turn, of any run, are written in one transaction
 * (group commit). During a write, further events are collected for the next one.
 */
export class LogWriter {
  private readonly store: RunStore
  private readonly clock: Clock
  private readonly dirty = new Set<RunLog>()
  private busy = false

  constructor(store: RunStore, clock: Clock) {
    this.store = store
    this.clock = clock
  }

  push(log: RunLog, event: NewEvent): void {
    log.events.push(event)
    this.touch(log)
  }

  /** Resolves once everything pushed so far is in the log; with `durable`, on disk. */
  flush(log: RunLog, durable: boolean): Promise<void> {
    if (log.closed !== undefined) return Promise.reject(log.closed)
    if (durable) log.durable = true
    return new Promise((resolve, reject) => {
      log.waiters.push({ resolve, reject })
      this.touch(log)
    })
  }

  private touch(log: RunLog): void {
    if (log.closed !== undefined) return
    this.dirty.add(log)
    if (this.busy) return
    this.busy = true
    setImmediate(() => void this.drain())
  }

  private async drain(): Promise<void> {
    while (this.dirty.size > 0) {
      // After a failed write nothing more may be appended: new events build on the lost ones.
      const batches = Array.from(this.dirty, (log) => (log.closed === undefined ? takeBatch(log) : undefined))
      this.dirty.clear()
      await this.write(batches.filter((batch) => batch !== undefined))
    }
    this.busy = false
  }

  private async write(batches: readonly Batch[]): Promise<void> {
    if (batches.length === 0) return
    const durable = batches.some((batch) => batch.durable)
    let outcomes: readonly AppendOutcome[]
    try {
      outcomes = await this.appendWithRetry(batches, durable)
    } catch (thrown) {
      // The store may reject one run's events; other runs must not be affected.
      if (batches.length > 1) for (const batch of batches) await this.write([batch])
      else fail(batches[0]!, toTuttiError(thrown))
      return
    }
    for (const [i, batch] of batches.entries()) await this.conclude(batch, outcomes[i]!)
  }

  private async appendWithRetry(batches: readonly Batch[], durable: boolean): Promise<readonly AppendOutcome[]> {
    const appends = batches.map((batch) => batch.append)
    for (let failures = 0; ; failures++) {
      try {
        return await this.store.append(appends, { durable })
      } catch (thrown) {
        const delay = RETRY_DELAYS_MS[failures]
        for (const batch of batches) batch.isInDoubt = true
        if (!toTuttiError(thrown).retryable || delay === undefined) throw thrown
        await sleep(this.clock, delay)
      }
    }
  }

  private async conclude(batch: Batch, outcome: AppendOutcome): Promise<void> {
    const { log } = batch
    if (outcome === 'lost') {
      return fail(batch, runLostError(log.runId))
    }
    if (outcome === 'conflict') return this.rebase(batch)
    this.commit(batch)
  }

  private commit({ log, append, waiters }: Batch): void {
    log.persistedSeq += append.events.length
    for (const waiter of waiters) waiter.resolve()
    log.owner.onCommitted(append.events, append.afterSeq)
  }

  /** Reads the events appended meanwhile and queues this batch after them. */
  private async rebase(batch: Batch): Promise<void> {
    const { log, append } = batch
    try {
      const foreign = await this.store.read(log.runId, log.persistedSeq)
      if (batch.isInDoubt && beginsWith(foreign, append.events)) return this.commit(batch)
      log.persistedSeq += foreign.length
      log.events.unshift(...append.events)
      log.wakes.unshift(...(append.wakes ?? []))
      log.status ??= append.status
      log.durable ||= batch.durable
      log.waiters.unshift(...batch.waiters)
      this.dirty.add(log)
      log.owner.onForeign(foreign)
    } catch (thrown) {
      fail(batch, toTuttiError(thrown))
    }
  }
}

function takeBatch(log: RunLog): Batch {
  const append: Append = {
    runId: log.runId,
    afterSeq: log.persistedSeq,
    epoch: log.epoch,
    events: log.events,
    ...(log.status === undefined ? {} : { status: log.status }),
    ...(log.wakes.length === 0 ? {} : { wakes: log.wakes }),
  }
  const batch = { log, append, durable: log.durable, waiters: log.waiters, isInDoubt: false }
  log.events = []
  log.wakes = []
  log.status = undefined
  log.durable = false
  log.waiters = []
  return batch
}

/** Whether an append that failed with an error is in the log after all. */
function beginsWith(found: readonly RunEvent[], events: readonly NewEvent[]): boolean {
  if (events.length === 0 || found.length < events.length) return false
  return events.every((event, i) => {
    const { runId: _runId, seq: _seq, v: _v, ...body } = found[i]!
    return isDeepStrictEqual(body, JSON.parse(JSON.stringify(event)))
  })
}

function fail(batch: Batch, error: TuttiError): void {
  for (const waiter of batch.waiters) waiter.reject(error)
  batch.log.close(error)
}

/** The current time as events carry it: ISO 8601 in UTC. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}

/** Adds the current time to events. */
export function withTimestamp(clock: Clock, events: readonly EventBody[]): NewEvent[] {
  const at = timestamp(clock)
  return events.map((event) => ({ at, ...event }))
}
