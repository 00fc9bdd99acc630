import type { Owner } from '../domain/events.ts'
import { fixed, rowRecord, sql, queryRows, type Script, type SqlRunner } from './sql/query.ts'

/** Columns that name a row's owner, and their value for an owner. */
const OWNED: Readonly<Record<string, (owner: Owner) => string>> = {
  owner: (owner) => owner,
  user_id: (owner) => owner,
  grantee: (owner) => `user:${owner}`,
}

export interface Place {
  readonly name: string
  readonly column: string
}

/** Finds all tables with an owner column, so that later ones are included. Document tables are handled separately. */
export const PLACES = {
  sqlite: fixed(
    `SELECT t.name, c.name AS "column" FROM sqlite_master t JOIN pragma_table_info(t.name) c
     WHERE t.type = 'table' AND c.name IN ('owner', 'user_id', 'grantee') ORDER BY 1, 2`,
  ),
  // Other programs may have tables in the database, with the same column names.
  postgres: fixed(
    `SELECT quote_ident(c.relname) AS name, a.attname::text AS "column" FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'knowledge_owners'
       AND a.atttypid = 'text'::regtype
       AND a.attname IN ('owner', 'user_id', 'grantee') AND has_table_privilege(c.oid, 'DELETE') ORDER BY 1, 2`,
  ),
}

/** A user's rows, by table, without those that belong to runs by run id. */
export async function ownedRows(
  runner: SqlRunner,
  owner: Owner,
): Promise<Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>> {
  const found: Record<string, readonly Readonly<Record<string, unknown>>[]> = {}
  for (const { name, column } of await runner.all<Place>(PLACES[runner.dialect])) {
    const rows = await runner.of<object>(
      owner,
      sql`SELECT * FROM ${fixed(name)} WHERE ${fixed(column)} = ${OWNED[column]!(owner)}`,
    )
    if (rows.length > 0) found[name] = rows.map((row) => rowRecord(row))
  }
  return found
}

/** Owners of conversations, with or without account. */
export async function keepers(runner: SqlRunner): Promise<readonly Owner[]> {
  const rows = await runner.all<{ owner: Owner }>(fixed('SELECT DISTINCT owner FROM conversations'))
  return rows.map(({ owner }) => owner)
}

/** Erases all rows of a user; rows that depend on them by other ids must be erased before. */
export async function eraseOwnedRows(runner: SqlRunner, owner: Owner): Promise<void> {
  await runner.write(owner, function* (): Script<void> {
    for (const { name, column } of yield* queryRows<Place>(PLACES[runner.dialect])) {
      // A run is erased together with its dependent rows: see `RunStore.remove`.
      if (name === 'runs') continue
      yield sql`DELETE FROM ${fixed(name)} WHERE ${fixed(column)} = ${OWNED[column]!(owner)}`
    }
  })
  // Deleted rows must leave the write-ahead log as well.
  runner.emptyLog()
}

/** Is no version of the schema. */
const PROBE = -1

/**
 * Writes a row and deletes it again, durably: reads still work on a full or read-only disk.
 * @throws TuttiError `StorageError`
 */
export function assertWritable(runner: SqlRunner): Promise<void> {
  return runner.write('', function* (): Script<void> {
    yield sql`INSERT INTO tutti_schema (version) VALUES (${PROBE})`
    yield sql`DELETE FROM tutti_schema WHERE version = ${PROBE}`
  })
}
