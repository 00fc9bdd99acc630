import type { Clock } from '../core/clock.ts'
import type { RunId } from '../core/events.ts'
import type { RunRecord, RunStore } from '../core/store.ts'
import { WATCH_MS } from './lease.ts'
import type { RunPool } from './run-pool.ts'

/** Whether a run may be worked on by this process. */
export type MayTake = (run: RunRecord) => Promise<boolean>

/** Runs of dead workers that one process takes up before others are asked to. */
const MOST_AT_ONCE = 20

interface RecoveryDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly pool: RunPool
  /** Puts a run in the queue; absent when there is none. */
  readonly enqueue: ((run: RunRecord) => Promise<boolean>) | undefined
}

/** Takes up runs that nobody works on any more: all of them after a start, those of dead workers later on. */
export class Recovery {
  private readonly deps: RecoveryDeps
  private readonly refused = new Set<RunId>()
  private cancelLook: (() => void) | undefined

  constructor(deps: RecoveryDeps) {
    this.deps = deps
  }

  /** Gives the ids of those it took up, and of those that it wakes when nobody decides in time. */
  async recover(mayTake: MayTake): Promise<readonly RunId[]> {
    const { store, clock, pool, enqueue } = this.deps
    const unfinished = await store.runs({ status: ['running', 'waiting'] })
    const expiries = enqueue === undefined ? await this.expiries() : new Map<RunId, number>()
    const taken: RunId[] = []
    for (const record of unfinished.toReversed()) {
      const { runId, status, worker } = record
      if (pool.isHeld(record)) continue
      // News come with the status "running", so this one has none. In a queue, its wakes are kept there.
      const isAtRest = status === 'waiting' && worker === undefined
      if (isAtRest && enqueue !== undefined) continue
      const expiry = expiries.get(runId) ?? 0
      if (isAtRest && expiry > clock.now() && !(await this.hasChildren(runId))) {
        pool.wakeAt(runId, expiry, () => mayTake(record))
        taken.push(runId)
      } else if (await mayTake(record)) {
        if (await (enqueue === undefined ? pool.takeUp(runId) : enqueue(record))) taken.push(runId)
      }
    }
    return taken
  }

  /** Looks for runs of dead workers from now on, until `stop`. */
  watch(mayTake: MayTake): void {
    this.stop()
    this.cancelLook = this.deps.clock.timer(WATCH_MS, () => {
      void this.look(mayTake).then(() => {
        if (this.cancelLook !== undefined) this.watch(mayTake)
      })
    })
  }

  stop(): void {
    this.cancelLook?.()
    this.cancelLook = undefined
  }

  private async look(mayTake: MayTake): Promise<void> {
    const { store, pool } = this.deps
    try {
      for (const record of await store.runs({ status: ['running', 'waiting'], isHeld: true })) {
        const { runId } = record
        if (pool.isHeld(record) || this.refused.has(runId)) continue
        if (pool.size >= MOST_AT_ONCE || this.cancelLook === undefined) return
        if (await mayTake(record)) await pool.takeUp(runId)
        else this.refused.add(runId)
      }
    } catch {
      // The store is out of reach for the moment; the next look will tell.
    }
  }

  /** When the next open approval of each run runs out, in milliseconds since the epoch. */
  private async expiries(): Promise<Map<RunId, number>> {
    const next = new Map<RunId, number>()
    for (const { runId, expiresAt } of await this.deps.store.approvals({ status: 'pending' })) {
      next.set(runId, Math.min(expiresAt, next.get(runId) ?? expiresAt))
    }
    return next
  }

  /** The end of a run's own runs is told from process to process alone, so it may have been missed. */
  private async hasChildren(parentId: RunId): Promise<boolean> {
    return (await this.deps.store.runs({ parentId, limit: 1 })).length > 0
  }
}
