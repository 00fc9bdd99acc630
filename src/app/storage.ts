import { join } from 'node:path'
import type { ArtifactStore } from '../core/artifacts.ts'
import { toTuttiError } from '../core/errors.ts'
import type { Owner } from '../core/owner.ts'
import { MemoryArtifacts } from '../engine/memory-artifacts.ts'
import { finishDeletions } from '../engine/run/delete-run.ts'
import { FileArtifacts } from '../storage/file-artifacts.ts'
import { DatabaseArtifacts } from '../storage/database-artifacts.ts'
import { isErased } from '../storage/owned-rows.ts'
import { DATABASE_FILE, openStorage, type Storage } from '../storage/index.ts'
import type { LeasePlace } from '../storage/lease-renewal.ts'
import { KEY_FILE, lastingKey } from '../storage/secret-key.ts'
import type { Checked } from './check-options.ts'
import { filesOfThoseThere } from './of-those-there.ts'
import { keepPrivate } from './keep-private.ts'
import { defined, type AppOptions } from './options.ts'
import type { OpenKnowledge } from './knowledge.ts'
import { withRunDocuments } from './run-documents.ts'

/**
 * Opens what runs are kept in, and where files go that are too large for their logs. In memory there is no key to keep;
 * else its file is made when the first secret is to be kept.
 * @throws TuttiError `ConfigurationError`, `StorageError`
 */
export async function openKept(
  options: Checked,
  secrets: readonly string[],
  { ofRuns, originals }: Pick<OpenKnowledge, 'ofRuns' | 'originals'>,
): Promise<{ storage: Storage; artifacts: ArtifactStore }> {
  const { storage: place, clock, onTrouble: onError } = options
  const folder = folderOf(options)
  if (folder !== undefined) await keepPrivate(folder)
  const key = place === undefined ? {} : { key: lastingKey(place.secretKey, join(place.folder ?? '', KEY_FILE)) }
  const where = place?.databaseUrl === undefined ? { dataDir: folder } : { databaseUrl: place.databaseUrl }
  const storage = await openStorage({ clock, onError, secrets, ...key, ...defined(where) })
  const files = filesOf(options, storage)
  originals.keepIn(files)
  const isThere = async (owner: Owner): Promise<boolean> => !(await isErased(storage.sql, owner))
  const artifacts = withRunDocuments(filesOfThoseThere(files, isThere), ofRuns.collections, clock)
  await finishDeletions({ store: storage.store, artifacts }, onError).catch((thrown) => onError(toTuttiError(thrown)))
  return { storage, artifacts }
}

function filesOf(options: Checked, { sql }: Storage): ArtifactStore {
  const folder = folderOf(options)
  if (folder !== undefined) return new FileArtifacts(join(folder, 'artifacts'))
  return options.storage?.databaseUrl === undefined ? new MemoryArtifacts() : new DatabaseArtifacts(sql)
}

/** Where the files of an installation lie; undefined when nothing is kept, or it is kept in PostgreSQL. */
export function folderOf({ storage }: Pick<AppOptions, 'storage'>): string | undefined {
  return storage?.databaseUrl === undefined ? storage?.folder : undefined
}

/** Where the leases of runs are stored; undefined in memory. */
export function leasePlaceOf(options: Pick<AppOptions, 'storage'>): LeasePlace | undefined {
  const { storage: { databaseUrl } = {} } = options
  if (databaseUrl !== undefined) return { databaseUrl }
  const folder = folderOf(options)
  return folder === undefined ? undefined : { file: join(folder, DATABASE_FILE) }
}

/** Where runs are kept, for people. */
export function storageInWords({ storage }: Pick<AppOptions, 'storage'>): string {
  if (storage?.databaseUrl !== undefined) return `PostgreSQL at ${new URL(storage.databaseUrl).host}`
  return storage?.folder === undefined ? 'memory, gone with the process' : `SQLite in ${storage.folder}`
}
