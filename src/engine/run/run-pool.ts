import { setMaxListeners } from 'node:events'
import { TuttiError, toTuttiError } from '../../domain/errors.ts'
import { sleep, type Clock } from '../../shared/clock.ts'
import type { RunId } from '../../domain/events.ts'
import { fold, isOver, type RunState } from '../../domain/state.ts'
import { isFinal, type ClaimedRun, type LeaseKeeper, type RunRecord, type RunStore } from '../../domain/store.ts'
import type { Strategy } from '../../domain/strategy.ts'
import type { EngineOptions } from '../options.ts'
import type { ActiveRunActors } from './actor-registry.ts'
import type { EngineParts, DriverEnd } from './live-run.ts'
import { FairSemaphore } from '../../domain/fair-semaphore.ts'
import { HEARTBEAT_MS, WATCH_MS } from './lease.ts'
import { RunDriver } from './run-driver.ts'
import { assertOpen, runLostError } from './run-errors.ts'
import { isProcessAlive, workerName } from './worker.ts'

/** `busy`: another live worker has the run. */
export type DriveEnd = DriverEnd | 'busy'

interface Driven {
  readonly end: DriveEnd
  readonly state?: RunState
}

export interface PoolOptions {
  readonly store: RunStore
  readonly clock: Clock
  readonly leaseMs: number
  readonly leaseKeeper: LeaseKeeper | undefined
  readonly driverDeps: EngineParts
  readonly maxRuns: number
  readonly actorsOf: (state: RunState) => Promise<ActiveRunActors>
  readonly strategyOf: (state: RunState) => Strategy
  readonly onOver: EngineOptions['onOver'] | undefined
}

const BUSY: Driven = { end: 'busy' }

/** The runs in the hands of this process: takes them up, keeps their leases, lets them go. */
export class RunPool {
  private readonly options: PoolOptions
  private readonly drivers = new Map<RunId, RunDriver>()
  /** Epochs of the runs that this process has claimed; includes runs that wait for a slot of `maxRuns`. */
  private readonly claims = new Map<RunId, number>()
  private readonly driving = new Map<RunId, Promise<Driven>>()
  private readonly expiries = new Map<RunId, () => void>()
  private readonly failures = new Map<RunId, TuttiError>()
  /** Runs that this process unloaded while they waited, with the epoch at that time. */
  private readonly left = new Map<RunId, number>()
  private readonly worker = workerName()
  private stopPulse: (() => void) | undefined
  private readonly semaphore: FairSemaphore
  private closed = false

  constructor(options: PoolOptions) {
    this.options = options
    this.semaphore = new FairSemaphore(options.maxRuns)
  }

  driver(runId: RunId): RunDriver | undefined {
    return this.drivers.get(runId)
  }

  /** Why this process had to give a run up, such as a log that could not be written. */
  failure(runId: RunId): TuttiError | undefined {
    return this.failures.get(runId)
  }

  /**
   * Resolves when this process has finished with a run, for any reason, or on abort. Returns the state of a run that
   * ended here, as it is in the log.
   */
  async settled(runId: RunId, signal: AbortSignal | undefined): Promise<RunState | undefined> {
    const driving = this.driving.get(runId)?.then(
      ({ end, state }) => (end === 'over' ? state : undefined),
      () => undefined, // kept in `failures`
    )
    if (driving === undefined || signal === undefined) return driving
    // A signal may be that of many who wait, and outlive them, as a server's does.
    setMaxListeners(0, signal)
    const over = new AbortController()
    const aborted = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over.signal })
    })
    return Promise.race([driving, aborted]).finally(() => over.abort())
  }

  /** Drives a run until it is over or waits. Two calls for one run share one driver. */
  async drive(runId: RunId): Promise<DriveEnd> {
    return (await (this.driving.get(runId) ?? this.begin(runId, this.claim(runId)))).end
  }

  /** Claims a run and drives it in the background; false when it is in someone's hands already. */
  async takeUp(runId: RunId): Promise<boolean> {
    if (this.driving.has(runId)) return false
    const claimed = this.claim(runId)
    this.begin(runId, claimed).catch(() => undefined) // kept in `failures`
    return (await claimed) !== undefined
  }

  /** Takes a run up as soon as no other worker holds it. A dead worker holds it until its lease ends. */
  async takeUpWhenFree(runId: RunId): Promise<void> {
    const { store, clock } = this.options
    while (!this.closed && !this.driving.has(runId)) {
      try {
        if (await this.takeUp(runId)) return
        const record = await store.run(runId)
        if (record === undefined || isFinal(record.status)) return
      } catch {
        // The store is out of reach for the moment; the next look will tell. Readers of the run must not fail meanwhile.
        this.failures.delete(runId)
      }
      await sleep(clock, WATCH_MS)
    }
  }

  /**
   * To be called after another process appended. Resolves when the local driver knows the events; without one, wakes
   * the run.
   */
  async notifyDriver(runId: RunId): Promise<void> {
    const driver = this.drivers.get(runId)
    if (driver !== undefined) await driver.flush().catch(() => undefined) // its log has notified it
    else if (!this.options.driverDeps.queued) void this.wake(runId)
  }

  /** Continues a waiting run after its news are in the log. */
  async wake(runId: RunId): Promise<void> {
    if (this.closed) return
    try {
      // A driver that is just leaving has to be gone first.
      if ((await this.driving.get(runId))?.end !== 'over') await this.drive(runId)
    } catch {
      // kept in `failures`
    }
  }

  /** Wakes a run that waits on disk when the time of its approval is up. */
  wakeAt(runId: RunId, at: number): void {
    const { clock } = this.options
    this.expiries.get(runId)?.()
    const expire = (): void => {
      this.expiries.delete(runId)
      void this.wake(runId)
    }
    this.expiries.set(runId, clock.timer(Math.max(0, at - clock.now()), expire))
  }

  /** Runs in the hands of this process. */
  get size(): number {
    return this.driving.size
  }

  /** Whether a live worker holds the run, as far as this process knows. */
  isHeld({ runId, worker, leaseUntil }: RunRecord): boolean {
    if (this.driving.has(runId)) return true
    const isLeased = worker !== undefined && leaseUntil !== undefined && leaseUntil > this.options.clock.now()
    return isLeased && this.isAlive(worker)
  }

  /** Releases all runs; waits for irreversible calls in progress. */
  async close(): Promise<void> {
    this.closed = true
    this.stopPulse?.()
    for (const cancel of this.expiries.values()) cancel()
    this.expiries.clear()
    this.semaphore.open()
    await Promise.allSettled(Array.from(this.drivers.values(), (driver) => driver.shutDown()))
    await Promise.allSettled(this.driving.values())
  }

  private begin(runId: RunId, claimed: Promise<ClaimedRun | undefined>): Promise<Driven> {
    this.failures.delete(runId)
    const driving = claimed
      .then((record) => (record === undefined ? BUSY : this.hold(record)))
      .catch((thrown: unknown) => {
        this.failures.set(runId, toTuttiError(thrown))
        throw thrown
      })
      .finally(() => this.driving.delete(runId))
    this.driving.set(runId, driving)
    return driving
  }

  private async claim(runId: RunId): Promise<ClaimedRun | undefined> {
    const { store, clock, leaseMs } = this.options
    if (this.closed) return undefined
    const now = clock.now()
    return store.claim(runId, this.worker, now + leaseMs, now, (worker) => this.isAlive(worker))
  }

  /** Only called for runs that are not driven here, so a lease of this worker is one that it could not release. */
  private isAlive(worker: string): boolean {
    return worker !== this.worker && isProcessAlive(worker, this.worker)
  }

  private async hold(record: ClaimedRun): Promise<Driven> {
    const { runId, epoch } = record
    this.claims.set(runId, epoch)
    this.keepLeases()
    this.startPulse()
    return this.driveClaimed(record).finally(() => this.claims.delete(runId))
  }

  private keepLeases(): void {
    this.options.leaseKeeper?.keep(Array.from(this.claims, ([runId, epoch]) => ({ runId, epoch })))
  }

  /** A nested run has the place of its parent, which may wait for it. */
  private async driveClaimed(record: ClaimedRun): Promise<Driven> {
    if (record.parentId !== undefined) return this.driveNow(record)
    const leave = await this.semaphore.enter(record.owner)
    return this.driveNow(record).finally(leave)
  }

  private async driveNow({ runId, epoch, status, takenFrom }: ClaimedRun): Promise<Driven> {
    this.expiries.get(runId)?.()
    this.expiries.delete(runId)
    let end: DriverEnd = 'lost'
    let driver: RunDriver | undefined
    try {
      const state = fold(await this.options.store.read(runId))
      if (isOver(state)) return { end: (end = 'over'), state }
      assertOpen(state)
      const cast = await this.options.actorsOf(state)
      if (this.closed) return { end }
      driver = new RunDriver(this.options.driverDeps, cast, this.options.strategyOf(state), state, epoch)
      this.drivers.set(runId, driver)
      // No other worker had it in between.
      const waited = this.left.get(runId) === epoch - 1
      this.left.delete(runId)
      const isTakeover = status === 'running' && takenFrom !== undefined && takenFrom !== this.worker
      const from = { ...(waited ? { after: 'wait' as const } : {}), ...(isTakeover ? { takenFrom } : {}) }
      await driver.start(state.seq === 1 && !isTakeover ? undefined : { worker: this.worker, ...from })
      end = await driver.ended
    } finally {
      this.drivers.delete(runId)
      // The lease of a finished run is irrelevant; one that cannot be released expires.
      if (end !== 'over') await this.options.store.release(runId, epoch).catch(() => undefined)
    }
    if (driver.failure !== undefined) this.failures.set(runId, driver.failure)
    if (end === 'waiting') await this.afterLeaving(driver)
    if (end === 'over') this.notifyEnd(driver.state)
    return { end, state: driver.state }
  }

  /** The run waits on disk. Without a queue, this process sees to it that approvals run out in time. */
  private async afterLeaving(driver: RunDriver): Promise<void> {
    const { store, driverDeps } = this.options
    const { runId } = driver.state
    if (driverDeps.queued || this.closed) return
    this.left.set(runId, driver.position.epoch)
    const record = await store.run(runId)
    // Another process appended after this one had last read the log, and could not resume the run itself.
    if (record !== undefined && record.lastSeq > driver.position.seq) return void this.wake(runId)
    const next = driver.nextExpiry
    if (next !== undefined) this.wakeAt(runId, next)
  }

  /** The parent may wait on disk for this child, or be on its way there. With a queue, the child's log has woken it. */
  private notifyEnd({ runId, parent }: RunState): void {
    this.options.onOver?.(runId)
    if (parent !== undefined && !this.options.driverDeps.queued) void this.wake(parent.runId)
  }

  /** Once a second: looks whether others have appended to the runs in hand, and keeps the leases. */
  private startPulse(): void {
    if (this.stopPulse !== undefined || this.closed) return
    this.stopPulse = this.options.clock.timer(HEARTBEAT_MS, () => {
      this.stopPulse = undefined
      this.keepLeases()
      for (const [runId, epoch] of this.claims) void this.pulse(runId, epoch)
      if (this.claims.size > 0) this.startPulse()
    })
  }

  private async pulse(runId: RunId, epoch: number): Promise<void> {
    const { store, clock, leaseMs } = this.options
    try {
      const record = await store.run(runId)
      const driver = this.drivers.get(runId)
      if (record?.epoch !== epoch) return driver?.onLost(runLostError(runId))
      if (driver !== undefined && record.lastSeq > driver.position.seq) await driver.flush()
      const until = clock.now() + leaseMs
      if ((record.leaseUntil ?? 0) > until - leaseMs / 3) return
      if (!(await store.renew(runId, epoch, until))) driver?.onLost(runLostError(runId))
    } catch {
      // The store is out of reach for the moment; the next pulse, or the next append, will tell.
    }
  }
}
