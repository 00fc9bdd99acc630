import type Database from 'libsql'
import { readSqliteSchema } from '../../src/databases/sqlite-schema.ts'
import type { DatabaseSchema } from '../../src/databases/schema.ts'
import type { Place, ValueHit, ValueLookup } from '../../src/databases/glossary/value-lookup.ts'

type Row = Record<string, string | number | null>

/** Reads the schema of a SQLite database. */
export function readSchema(db: Database.Database, name: string): DatabaseSchema {
  return { name, dialect: 'sqlite', tables: readSqliteSchema(db) }
}

/** Looks whole cells up, ignoring case, and counts how often it was asked. */
export function lookupIn(db: Database.Database): ValueLookup {
  // A statement holds memory of the library until it is collected; one for each column, not for each look-up.
  const statements = new Map<string, Database.Statement>()
  const findOne = (term: string, columns: readonly Place[]): readonly ValueHit[] => {
    const hits: ValueHit[] = []
    for (const place of columns) {
      const value = place.second === undefined ? `"${place.column}"` : `"${place.column}" || ' ' || "${place.second}"`
      const sql = `SELECT DISTINCT ${value} AS value FROM "${place.table}" WHERE LOWER(${value}) = LOWER(?) LIMIT 5`
      const statement = statements.get(sql) ?? db.prepare(sql)
      statements.set(sql, statement)
      for (const row of statement.all([term]) as Row[]) hits.push({ ...place, value: String(row['value']) })
    }
    return hits
  }
  return async (terms, columns) => terms.map((term) => findOne(term, columns))
}

/** Rows as arrays of cells, numbers rounded so that two ways to add up floats agree. */
export function rowsOf(db: Database.Database, sql: string): readonly (readonly (string | number | null)[])[] {
  const rows = db.prepare(sql).raw(true).all([]) as (string | number | null)[][]
  return rows.map((row) => row.map((v) => (typeof v === 'number' ? Math.round(v * 1e4) / 1e4 : v)))
}
