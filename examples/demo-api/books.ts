import { stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHANGES_SQL, VIEWS_SQL } from './views.ts'

type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>

/** A condition with a `?` and its value. */
type Filter = readonly [sql: string, value: string | number | boolean]

/** The demo business, including changes made through the API. */
export interface Books {
  rows(sql: string, values: readonly Value[]): readonly Row[]
  /** One page of a view, and the number of all rows that match the filters. */
  page(
    view: string,
    filters: readonly Filter[],
    order: string,
    page: { readonly page: number; readonly limit: number },
  ): { readonly rows: readonly Row[]; readonly total: number }
  /** Runs `action` in a transaction, which is rolled back if it throws. */
  transaction<T>(action: () => T): T
  close(): void
}

/** The file for changes made through the API. It is stored next to the database, which is never changed. */
export function changesPathOf(databasePath: string): string {
  const path = resolve(databasePath)
  return join(dirname(path), `${basename(path, extname(path))}-api${extname(path)}`)
}

/**
 * Opens the demo database read-only, and the file of changes next to it, which is created if it is missing.
 * @throws Error with advice if there is no demo database at the path, or the folder is not writable
 */
export async function openBooks(databasePath: string): Promise<Books> {
  const path = resolve(databasePath)
  const isFile = await stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  )
  if (!isFile) throw new Error(`There is no demo database at ${path}. Write one with: tutti demo`)
  const { default: Database } = await import('libsql')
  const database = openChanges(Database, changesPathOf(path))
  try {
    // SQLite rejects every write to a database attached with `mode=ro`; the `readonly` option of libsql does not.
    database.prepare('ATTACH ? AS demo').run([`${pathToFileURL(path).href}?mode=ro`])
    database.exec(VIEWS_SQL)
    database.prepare('SELECT (SELECT count(*) FROM orders_now), (SELECT count(*) FROM tickets_now)').all([])
  } catch (cause) {
    database.close()
    const reason = (cause as Error).message
    throw new Error(`${path} is not the demo database (${reason}). Write it anew with: tutti demo`, { cause })
  }
  return booksOf(database)
}

function openChanges(Database: typeof import('libsql'), path: string): import('libsql').Database {
  try {
    const database = new Database(path)
    database.exec('PRAGMA busy_timeout = 2000')
    database.exec(CHANGES_SQL)
    return database
  } catch (cause) {
    throw new Error(`The demo API cannot write ${path}: ${(cause as Error).message}.`, { cause })
  }
}

function booksOf(database: import('libsql').Database): Books {
  // libsql's `get` adds an extra field to the row; `all` does not.
  const rows: Books['rows'] = (sql, values) => database.prepare(sql).all([...values]) as Row[]
  return {
    rows,
    page(view, filters, order, { page, limit }) {
      const where = filters.length === 0 ? '' : ` WHERE ${filters.map(([sql]) => `(${sql})`).join(' AND ')}`
      // A boolean as a parameter makes libsql abort the process.
      const values = filters.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value))
      const [count] = rows(`SELECT count(*) AS n FROM ${view}${where}`, values)
      const sql = `SELECT * FROM ${view}${where} ORDER BY ${order} LIMIT ? OFFSET ?`
      return { rows: rows(sql, [...values, limit, (page - 1) * limit]), total: Number(count?.['n']) }
    },
    transaction(action) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = action()
        database.exec('COMMIT')
        return result
      } catch (thrown) {
        if (database.inTransaction) database.exec('ROLLBACK')
        throw thrown
      }
    },
    close: () => void database.close(),
  }
}

/** Converts 0 and 1 of these fields to booleans, which SQLite does not have. */
export function withFlags(row: Row, ...names: readonly string[]): Row {
  return { ...row, ...Object.fromEntries(names.map((name) => [name, row[name] === 1])) }
}
