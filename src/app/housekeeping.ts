import type { Owner } from '../domain/events.ts'
import type { Engine } from '../engine/engine.ts'
import type { Storage } from '../storage/storage.ts'
import { assertWritable } from '../storage/owned-rows.ts'
import type { Checked } from './check-options.ts'
import type { OpenEvaluations } from './evaluations.ts'
import { erasePerson, type ErasureParts } from './erase-person.ts'
import { exportPerson } from './export-person.ts'
import type { OpenKnowledge } from './knowledge.ts'
import type { OwnMailboxes } from './mailboxes.ts'
import type { OpenSchedules } from './schedules.ts'
import { openRetention, type Retention, type RetentionParts } from './retention.ts'

/** Deletes and exports users' data. */
export interface Housekeeping {
  /** Deletes data that is older than the configured age. */
  readonly retention: Retention
  /**
   * Erases a user with all their data, and records `by` in the audit log. An interrupted erasure is completed by a
   * repeated request.
   * @throws TuttiError `NotFound`; `InvalidRequest` for the last admin; `RunConflict` where a run does not end
   */
  erasePerson(by: string, userId: Owner): Promise<void>
  /** All stored data of a user, as a gzipped tar archive of JSON and files. @throws TuttiError `NotFound` */
  exportPerson(userId: Owner): Promise<AsyncIterable<Uint8Array>>
  /** @throws TuttiError `StorageError` when nothing can be written, such as on a full or read-only disk */
  assertWritable(): Promise<void>
}

type Parts = Pick<ErasureParts, 'people' | 'limits' | 'artifacts' | 'uploads'> &
  Pick<RetentionParts, 'conversations'> & {
    readonly engine: Engine
    readonly knowledge: OpenKnowledge
    readonly schedules: OpenSchedules
    readonly evaluations: OpenEvaluations
    readonly mailboxes: OwnMailboxes
  } & Pick<Checked, 'clock' | 'owner' | 'onTrouble' | 'config'>

export function openHousekeeping({ store, sql }: Storage, given: Parts): Housekeeping {
  const parts = { ...given, store, sql, settings: given.config.retention, runsOf: (one: Owner) => given.engine.as(one) }
  return {
    retention: openRetention(parts),
    erasePerson: (...asked) => erasePerson(parts, ...asked),
    exportPerson: (userId) => exportPerson(parts, userId),
    assertWritable: () => assertWritable(sql),
  }
}
