import type { Clock } from '../shared/clock.ts'
import type { TuttiError } from '../domain/errors.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import type { ProfileStore } from '../domain/profile.ts'
import type { RunStore, Wakeups } from '../domain/store.ts'
import type { FeedbackStore } from '../domain/feedback.ts'
import type { ExecutionStore } from '../domain/execution.ts'
import type { SkillStore } from '../domain/skill.ts'
import type { TeamStore } from '../domain/team.ts'
import type { KeyHolder } from './secret-key.ts'
import type { SqlRunner } from './sql/query.ts'

/**
 * The stores of runs and their wakeups. Both are in one database because a wakeup is written in the appending
 * transaction. Also holds users' data across runs.
 */
export interface Storage {
  readonly store: RunStore
  readonly wakeups: Wakeups
  readonly profiles: ProfileStore
  readonly conversations: ConversationStore
  readonly skills: SkillStore
  readonly executions: ExecutionStore
  /** All tables other than those of runs; in memory if nothing is stored. */
  readonly sql: SqlRunner
  /** The key that seals secrets. */
  readonly key: KeyHolder
  readonly teams: TeamStore
  readonly feedback: FeedbackStore
  /** Stops the wake-ups, waits for the runs being worked on, then closes the store. */
  close(): Promise<void>
}

export interface StorageOptions {
  readonly clock: Clock
  /** Runs worked on at the same time by this process; 20 when absent. */
  readonly concurrency?: number
  /**
   * The key that seals secrets in runs; by default the file `secret.key` next to a SQLite file, else a key for this
   * process only.
   */
  readonly key?: KeyHolder
  /** Secrets of this process that are sealed wherever they occur in runs, in addition to those that runs declare. */
  readonly secrets?: readonly string[]
  /**
   * Called with trouble that no caller is waiting for: a dropped connection, a failed activation. It has been dealt
   * with (reconnected, tried again with growing delay).
   */
  readonly onError: (error: TuttiError) => void
}

export const DEFAULT_CONCURRENCY = 20
