import type { Clock } from '../../shared/clock.ts'
import type { RunStore } from '../../domain/store.ts'
import { runLostError } from './run-errors.ts'
import type { RunLog } from '../log/run-log.ts'

/** How often a worker looks at the runs in its hands: the heartbeat that its leases live by. */
export const HEARTBEAT_MS = 1_000

/** How long a silent worker keeps its runs, in milliseconds. A third of it may pass before a pulse renews it. */
export const LEASE_MS = 9 * HEARTBEAT_MS

/**
 * How often a worker looks for runs of dead workers. Lease plus this interval is the longest time that a run has no
 * worker.
 */
export const WATCH_MS = 2 * HEARTBEAT_MS

/** Dependencies for keeping a lease. */
export interface Leases {
  readonly store: RunStore
  readonly clock: Clock
  readonly leaseMs: number
}

/**
 * Makes sure that this worker still holds a run: by the store, and by the clock, since the process may be suspended
 * after the store's reply. If it does not, the run's log is closed.
 * @throws TuttiError `RunLost` when another worker has it
 */
export async function assertHeld({ store, clock, leaseMs }: Leases, log: RunLog): Promise<void> {
  for (;;) {
    const until = clock.now() + leaseMs
    if (!(await store.renew(log.runId, log.epoch, until))) log.close(runLostError(log.runId))
    if (log.closed !== undefined) throw log.closed
    if (clock.now() < until) return
  }
}
