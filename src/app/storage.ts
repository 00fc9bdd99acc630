import { omitUndefined } from '../shared/json.ts'
import { join } from 'node:path'
import { TuttiError } from '../domain/errors.ts'
import { DATABASE_FILE, openStorage, type Storage } from '../storage/index.ts'
import type { LeasePlace } from '../storage/lease-renewal.ts'
import { KEY_FILE, lastingKey } from '../storage/secret-key.ts'
import type { Settings } from './check-options.ts'
import type { AppOptions } from './config/options.ts'

/**
 * Opens the storage of runs. In memory there is no key to store; otherwise the key file is created with the first
 * secret.
 * @throws TuttiError `ConfigurationError`, `StorageError`
 */
export async function openAppStorage(options: Settings, secrets: readonly string[]): Promise<Storage> {
  const { storage: place, clock, onError } = options
  if (place !== undefined && (place.folder ?? place.databaseUrl) === undefined) {
    throw new TuttiError(
      'ConfigurationError',
      'storage needs folder, for SQLite, or databaseUrl, for PostgreSQL; without storage, runs are kept in memory.',
    )
  }
  if (place !== undefined && (place.folder ?? place.secretKey) === undefined) {
    throw new TuttiError(
      'ConfigurationError',
      'storage needs secretKey, which workers on other machines share, or folder, where it is kept.',
    )
  }
  const folder = folderOf(options)
  const key = place === undefined ? {} : { key: lastingKey(place.secretKey, join(place.folder ?? '', KEY_FILE)) }
  const where = place?.databaseUrl === undefined ? { dataDir: folder } : { databaseUrl: place.databaseUrl }
  return openStorage({ clock, onError, secrets, ...key, ...omitUndefined(where) })
}

/** The data folder; undefined without storage, or with PostgreSQL. */
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

/** The storage of runs, as text for users. */
export function storageInWords({ storage }: Pick<AppOptions, 'storage'>): string {
  if (storage?.databaseUrl !== undefined) return `PostgreSQL at ${new URL(storage.databaseUrl).host}`
  return storage?.folder === undefined ? 'memory, gone with the process' : `SQLite in ${storage.folder}`
}
