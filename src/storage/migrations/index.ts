import type { Kysely } from 'kysely'
import { TuttiError } from '../../core/errors.ts'
import { compiler, type Compilable, type Dialect, type Tables } from '../schema.ts'
import { createRuns } from './001-runs.ts'
import { addOwnersAndMemory } from './002-owners-and-memory.ts'
import { addApprovalDetails } from './003-approval-details.ts'
import { addAnswerIndex } from './004-answer-index.ts'
import { addValues } from './005-values.ts'

type Migration = (db: Kysely<Tables>, dialect: Dialect) => readonly Compilable[]

/** In order; the place in the list is the version. Never change one that was released: add another. */
const MIGRATIONS: readonly Migration[] = [createRuns, addOwnersAndMemory, addApprovalDetails, addAnswerIndex, addValues]

/** A connection that is inside a transaction, alone with the schema. */
export interface MigrationConnection {
  readonly dialect: Dialect
  query(sql: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
}

/**
 * Brings the schema up to date. The caller holds the lock and the transaction: when several processes start at once,
 * one does the work and the others find it done, and a failure leaves the old schema.
 * @throws TuttiError `StorageError` when the database was written by a newer Tutti
 */
export async function migrate(connection: MigrationConnection): Promise<void> {
  const { dialect } = connection
  const db = compiler(dialect)
  await connection.query('CREATE TABLE IF NOT EXISTS tutti_schema (version integer PRIMARY KEY)', [])
  const [row] = await connection.query('SELECT max(version) AS version FROM tutti_schema', [])
  const version = Number(row?.['version'] ?? 0)
  if (version > MIGRATIONS.length) {
    throw new TuttiError(
      'StorageError',
      `The database has schema version ${version}, and this Tutti knows versions up to ${MIGRATIONS.length}. ` +
        'Run the newer Tutti that wrote it, or restore a backup.',
    )
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue
    for (const statement of migration(db, dialect)) await connection.query(statement.compile().sql, [])
    const record = dialect === 'sqlite' ? '?' : '$1'
    await connection.query(`INSERT INTO tutti_schema (version) VALUES (${record})`, [index + 1])
  }
}
