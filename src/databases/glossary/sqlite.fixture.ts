import type Database from 'libsql'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { momentsIn } from '../sqlite-schema.ts'
import type { ColumnKind, DatabaseSchema, TableSchema } from '../schema.ts'
import type { Place, ValueHit, ValueLookup } from './value-lookup.ts'

type Row = Record<string, string | number | null>

/** Reads the schema of a SQLite database, for tests. */
export function readSchema(db: Database.Database, name: string): DatabaseSchema {
  const tables = all(
    db,
    "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  )
  return {
    name,
    dialect: 'sqlite',
    tables: tables.map((t) => readTable(db, String(t['name']), t['type'] === 'view' ? 'view' : 'table')),
  }
}

function readTable(db: Database.Database, name: string, kind: 'table' | 'view'): TableSchema {
  const rows = all(db, `SELECT name, type, "notnull" AS required, pk FROM pragma_table_info('${name}')`)
  const keys = all(
    db,
    `SELECT id, seq, "table" AS target, "from" AS source, "to" AS referenced FROM pragma_foreign_key_list('${name}') ORDER BY id DESC, seq`,
  )
  const ids = [...new Set(keys.map((k) => k['id']))]
  const columns = rows.map((c) => {
    const type = String(c['type']).toLowerCase()
    return {
      name: String(c['name']),
      type,
      kind: kindOf(type),
      nullable: c['required'] === 0 && c['pk'] === 0,
      primaryKey: Number(c['pk']) > 0,
    }
  })
  const held = kind === 'table' ? momentsIn(db, name, columns) : {}
  return {
    name,
    kind,
    columns: columns.map((c) => ({ ...c, ...omitUndefined({ holds: held[c.name] }) })),
    foreignKeys: ids.map((id) => {
      const parts = keys.filter((k) => k['id'] === id)
      return {
        columns: parts.map((k) => String(k['source'])),
        table: String(parts[0]?.['target']),
        referencedColumns: parts.map((k) => String(k['referenced'])),
      }
    }),
  }
}

function kindOf(type: string): ColumnKind {
  if (/bool/.test(type)) return 'boolean'
  if (/datetime|timestamp/.test(type)) return 'datetime'
  if (/date/.test(type)) return 'date'
  if (/int|num|dec|real|doub|float/.test(type)) return 'number'
  return /char|text|clob/.test(type) ? 'text' : 'other'
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

function all(db: Database.Database, sql: string): readonly Row[] {
  return db.prepare(sql).all([]) as Row[]
}
