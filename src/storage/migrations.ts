import { TuttiError } from '../domain/errors.ts'
import { accountTables } from './account-tables.ts'
import { PLACES, type Place } from './owned-rows.ts'
import { ownRows, shareRows } from './row-security.ts'
import { runTables } from './run-tables.ts'
import { REFUSE_ERASED, refuseErased } from './sql/erased.ts'
import type { Dialect } from './sql/query.ts'
import { userTables } from './user-tables.ts'

/** The version of `createSchema`. Databases of earlier development versions have another schema and are refused. */
const FIRST_VERSION = 35

/** In order, from `FIRST_VERSION` on. Do not change a released migration; add a new one. */
const MIGRATIONS: readonly ((dialect: Dialect) => readonly string[])[] = [createSchema]

const LATEST_VERSION = FIRST_VERSION + MIGRATIONS.length - 1

/** A connection that is inside a transaction, alone with the schema. */
export interface MigrationConnection {
  readonly dialect: Dialect
  query(sql: string): Promise<readonly Record<string, unknown>[]>
}

/**
 * Migrates the schema. The caller holds the lock and the transaction: if several processes start at once, one migrates
 * and the others find the schema up to date. After an error the old schema is unchanged.
 * @throws TuttiError `StorageError` if another version of Tutti wrote the database that this one cannot migrate
 */
export async function migrate({ dialect, query }: MigrationConnection): Promise<void> {
  await query('CREATE TABLE IF NOT EXISTS tutti_schema (version integer PRIMARY KEY)')
  const [row] = await query('SELECT max(version) AS version FROM tutti_schema')
  const version = Number(row?.['version'] ?? 0)
  if (version > LATEST_VERSION || (version > 0 && version < FIRST_VERSION)) {
    throw new TuttiError(
      'StorageError',
      `The database has schema version ${version}, and this Tutti knows versions ${FIRST_VERSION} to ${LATEST_VERSION}. ` +
        'Run the Tutti that wrote it, or restore a backup.',
    )
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (FIRST_VERSION + index <= version) continue
    for (const statement of migration(dialect)) await query(statement)
    await query(`INSERT INTO tutti_schema (version) VALUES (${FIRST_VERSION + index})`)
  }
  if (version < LATEST_VERSION) await guardErased({ dialect, query })
}

/** Makes all existing tables reject rows of erased users. */
async function guardErased({ dialect, query }: MigrationConnection): Promise<void> {
  if (dialect === 'postgres') await query(REFUSE_ERASED)
  for (const place of (await query(PLACES[dialect].sql)) as unknown as readonly Place[]) {
    for (const statement of refuseErased(dialect, place.name, place.column)) await query(statement)
  }
}

function createSchema(dialect: Dialect): readonly string[] {
  const security = dialect === 'sqlite' ? [] : [...ownRows(), ...shareRows()]
  return [...runTables(dialect), ...userTables(dialect), ...accountTables(dialect), ...security]
}
