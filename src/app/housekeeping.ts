import { assertWritable } from '../storage/owned-rows.ts'
import type { Owner } from '../domain/events.ts'
import type { Engine } from '../engine/engine.ts'
import { erasePerson, type ErasureParts } from './erase-person.ts'
import { exportPerson, type ExportParts } from './export-person.ts'
import { openRetention, type RetentionParts } from './retention.ts'

/** Deletes and exports users' data. */
export type Housekeeping = ReturnType<typeof openHousekeeping>

type Parts = Pick<ErasureParts, 'limits'> & RetentionParts & ExportParts & { readonly engine: Engine }

export function openHousekeeping(parts: Parts) {
  return {
    /** Deletes data that is older than the configured age. */
    retention: openRetention(parts),
    /**
     * Erases a user with all their data, and records `by` in the audit log. An interrupted erasure is completed by a
     * repeated request.
     * @throws TuttiError `NotFound`; `InvalidRequest` for the last admin; `RunConflict` where a run does not end
     */
    erasePerson: (by: string, userId: Owner): Promise<void> => erasePerson(parts, by, userId),
    /** All stored data of a user, as a gzipped tar archive of JSON and files. @throws TuttiError `NotFound` */
    exportPerson: (userId: Owner): Promise<AsyncIterable<Uint8Array>> => exportPerson(parts, userId),
    /** @throws TuttiError `StorageError` when nothing can be written, such as on a full or read-only disk */
    assertWritable: (): Promise<void> => assertWritable(parts.storage.sql),
  }
}
