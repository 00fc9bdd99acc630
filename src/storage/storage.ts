import type { Clock } from '../core/clock.ts'
import type { TuttiError } from '../core/errors.ts'
import type { RunStore, Wakeups } from '../core/store.ts'

/** Where runs live and what wakes them. The two belong together: a wake is written in the transaction that appends. */
export interface Storage {
  readonly store: RunStore
  readonly wakeups: Wakeups
  /** Stops the wake-ups, waits for the runs in hand, then closes the store. */
  close(): Promise<void>
}

export interface StorageOptions {
  readonly clock: Clock
  /** Runs worked on at the same time by this process; 20 when absent. */
  readonly concurrency?: number
  /**
   * Told of trouble that no caller is waiting for: a dropped connection, a failed activation. It is dealt with already
   * (reconnected, tried again with growing delay).
   */
  readonly onError: (error: TuttiError) => void
}

export const DEFAULT_CONCURRENCY = 20
