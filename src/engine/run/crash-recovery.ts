import type { Clock } from '../../shared/clock.ts'
import type { RunId } from '../../domain/events.ts'
import type { RunRecord, RunStore } from '../../domain/store.ts'
import { WATCH_MS } from './lease.ts'
import type { RunPool } from './run-pool.ts'

/** Whether a run may be worked on by this process. */
export type MayTake = (run: RunRecord) => Promise<boolean>

const TAKE_ALL: MayTake = async () => true

/** Maximum number of dead workers' runs that one process resumes before others get a chance. */
const MAX_CONCURRENT = 20
const MAX_PER_QUERY = 500

interface RecoveryDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly pool: RunPool
  /** Enqueues a run; absent without a queue. */
  readonly enqueue: ((run: RunRecord) => Promise<boolean>) | undefined
}

/** Resumes runs that no worker holds: all of them after a start, later those of dead workers. */
export class Recovery {
  private readonly deps: RecoveryDeps
  private readonly refused = new Set<RunId>()
  private cancelLook: (() => void) | undefined

  constructor(deps: RecoveryDeps) {
    this.deps = deps
  }

  /** Returns the ids of runs that it resumed, and of runs that it will wake when their approvals expire. */
  async recover(mayTake = TAKE_ALL): Promise<readonly RunId[]> {
    const { store, clock, pool, enqueue } = this.deps
    const unfinished = await store.runs({ status: ['running', 'waiting'] })
    // A run with unread events has the status "running", so these have none. With a queue, it keeps their wake-ups.
    const idle = unfinished.filter(({ status, worker }) => status === 'waiting' && worker === undefined)
    const expiries = enqueue === undefined ? await this.expiries() : new Map<RunId, number>()
    const parents = enqueue === undefined ? await this.parentsAmong(idle) : new Set<RunId>()
    const isAtRest = new Set(idle)
    const resumed: RunId[] = []
    for (const record of unfinished.toReversed()) {
      const { runId } = record
      if (pool.isHeld(record) || (isAtRest.has(record) && enqueue !== undefined)) continue
      if (!(await mayTake(record))) continue
      const expiry = expiries.get(runId) ?? 0
      if (isAtRest.has(record) && expiry > clock.now() && !parents.has(runId)) {
        pool.wakeAt(runId, expiry)
        resumed.push(runId)
      } else if (await (enqueue === undefined ? pool.takeUp(runId) : enqueue(record))) resumed.push(runId)
    }
    return resumed
  }

  /** Looks for runs of dead workers from now on, until `stop`. */
  watch(mayTake = TAKE_ALL): void {
    this.stop()
    this.cancelLook = this.deps.clock.timer(WATCH_MS, () => void this.lookAgain(mayTake))
  }

  private async lookAgain(mayTake: MayTake): Promise<void> {
    const { cancelLook } = this
    await this.look(mayTake)
    // Unless it was stopped meanwhile, or others are watched for.
    if (cancelLook !== undefined && this.cancelLook === cancelLook) this.watch(mayTake)
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
        if (pool.size >= MAX_CONCURRENT || this.cancelLook === undefined) return
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

  /** The end of nested runs is only signalled between processes, so the signal may have been lost. */
  private async parentsAmong(runs: readonly RunRecord[]): Promise<ReadonlySet<RunId>> {
    const parents = new Set<RunId>()
    for (let from = 0; from < runs.length; from += MAX_PER_QUERY) {
      const parentIds = runs.slice(from, from + MAX_PER_QUERY).map(({ runId }) => runId)
      for (const { parentId } of await this.deps.store.runs({ parentIds })) parents.add(parentId!)
    }
    return parents
  }
}
