import { quoteName, tableName } from '../../terms/dialect.ts'
import { fullName } from '../../terms/tables.ts'
import type { ColumnSchema, DatabaseSchema, TableSchema } from '../../databases/schema.ts'
import type { SqlSource } from './source.ts'

/** What a table holds. */
export interface TableProfile {
  readonly rows: RowCount
  readonly columns: ReadonlyMap<string, ColumnProfile>
}

export interface RowCount {
  readonly count: number
  /** `about`: the database's estimate; `more`: counted up to here. */
  readonly precision: 'exact' | 'about' | 'more'
}

/** Days of a date column, or values of a text column. */
export interface ColumnProfile {
  readonly range?: readonly [from: string, to: string]
  /** Different values without NULL, and some of them: all where they are few. */
  readonly distinct?: number
  readonly values?: readonly string[]
}

/** Distinct values kept of a column. */
export const MAX_VALUES = 30
/** Longer values are texts rather than names or states. */
export const MAX_VALUE_CHARS = 40
/** Tables with more rows are not scanned. */
const MAX_SCANNED_ROWS = 200_000
/** For all tables of a database together. */
const TIME_BUDGET_MS = 3_000
const MAX_AGE_MS = 10 * 60_000
/** Parts of one UNION ALL. */
const MAX_PARTS = 12

type Reader = Pick<SqlSource, 'query'>

/** Row counts, date ranges and distinct values of the tables of one database. They are kept for ten minutes. */
export class TableProfiles {
  readonly #source: Reader
  readonly #now: () => number
  readonly #known = new Map<string, { readonly at: number; readonly profile: TableProfile | undefined }>()
  #reading: Promise<unknown> = Promise.resolve()

  constructor(source: Reader, now: () => number = Date.now) {
    this.#source = source
    this.#now = now
  }

  /** Reads what is not known yet, the smallest tables first; what cannot be read in time is absent. */
  async of(schema: DatabaseSchema, tables = schema.tables): Promise<ReadonlyMap<string, TableProfile>> {
    const wanted = tables.filter(({ kind }) => kind === 'table')
    const reading = this.#reading.then(() =>
      this.#read(
        schema,
        wanted.filter((table) => !this.#isKnown(table)),
      ),
    )
    this.#reading = reading.catch(() => undefined)
    await this.#reading
    return this.known(wanted.map(fullName))
  }

  /** What is known of tables, by their full names, without asking the database. */
  known(names: readonly string[]): ReadonlyMap<string, TableProfile> {
    return new Map(
      names.flatMap((name) => {
        const profile = this.#known.get(name)?.profile
        return profile === undefined ? [] : [[name, profile] as const]
      }),
    )
  }

  #isKnown(table: TableSchema): boolean {
    const known = this.#known.get(fullName(table))
    return known !== undefined && this.#now() - known.at < MAX_AGE_MS
  }

  async #read(schema: DatabaseSchema, tables: readonly TableSchema[]): Promise<void> {
    if (tables.length === 0) return
    // What cannot be read in time is not tried again before it would be read anew.
    for (const table of tables) this.#known.set(fullName(table), { at: this.#now(), profile: undefined })
    const signal = AbortSignal.timeout(TIME_BUDGET_MS)
    const ask: Ask = async (sql) => {
      if (signal.aborted) return []
      const { success, data } = await this.#source.query(sql, signal)
      return success ? data : []
    }
    const counts = await countRows(tables, schema, ask)
    const bySize = tables.toSorted((a, b) => (counts.get(a)?.count ?? Infinity) - (counts.get(b)?.count ?? Infinity))
    for (const table of bySize) {
      const rows = counts.get(table)
      if (rows === undefined) continue
      const columns = rows.count > MAX_SCANNED_ROWS ? new Map() : await readColumns(table, schema, ask)
      this.#known.set(fullName(table), { at: this.#now(), profile: { rows, columns } })
    }
  }
}

type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>

/** Counts up to a limit, so that no table is read as a whole. */
async function countRows(
  tables: readonly TableSchema[],
  { dialect }: DatabaseSchema,
  ask: Ask,
): Promise<ReadonlyMap<TableSchema, RowCount>> {
  const counts = new Map<TableSchema, RowCount>()
  const isLarge = ({ approximateRows = 0 }: TableSchema): boolean => approximateRows > MAX_SCANNED_ROWS
  for (const table of tables.filter(isLarge)) counts.set(table, { count: table.approximateRows!, precision: 'about' })
  const counted = tables.filter((table) => !isLarge(table))
  const parts = counted.map((table, n) => {
    const rows = `SELECT 1 AS one FROM ${tableName(table, dialect)} LIMIT ${MAX_SCANNED_ROWS + 1}`
    return `SELECT ${n} AS n, COUNT(*) AS c FROM (${rows}) AS t${n}`
  })
  for (const [n, count] of await askAll(parts, ask)) {
    const isMore = Number(count) > MAX_SCANNED_ROWS
    const precise = { count: Number(count), precision: 'exact' } as const
    counts.set(counted[Number(n)]!, isMore ? { count: MAX_SCANNED_ROWS, precision: 'more' } : precise)
  }
  return counts
}

async function readColumns(
  table: TableSchema,
  { dialect }: DatabaseSchema,
  ask: Ask,
): Promise<ReadonlyMap<string, ColumnProfile>> {
  const from = tableName(table, dialect)
  const cast = (name: string): string => (dialect === 'postgres' ? `CAST(${name} AS text)` : name)
  const dates = table.columns.filter(isDateColumn)
  const texts = table.columns.filter((column) => isTextColumn(column) && !isDateColumn(column))
  const ranges = dates.map((column, n) => {
    const name = quoteName(column.name, dialect)
    return `SELECT ${n} AS n, ${cast(`MIN(${name})`)} AS a, ${cast(`MAX(${name})`)} AS b FROM ${from}`
  })
  const sizes = texts.map(
    (column, n) => `SELECT ${n} AS n, COUNT(DISTINCT ${quoteName(column.name, dialect)}) AS c FROM ${from}`,
  )
  const samples = texts.map((column, n) => {
    const name = quoteName(column.name, dialect)
    const held = `SELECT DISTINCT ${cast(name)} AS v FROM ${from} WHERE ${name} IS NOT NULL`
    return `SELECT ${n} AS n, v FROM (${held} LIMIT ${MAX_VALUES}) AS t${n}`
  })
  const found = new Map<string, ColumnProfile>()
  for (const [n, from, to] of await askAll(ranges, ask)) {
    if (from !== null) found.set(dates[Number(n)]!.name, { range: [dayOf(from), dayOf(to)] })
  }
  const held = await askAll(samples, ask)
  for (const [n, count] of await askAll(sizes, ask)) {
    const own = held.filter(([at]) => Number(at) === Number(n)).map(([, value]) => String(value))
    const short = own.filter((value) => value.length <= MAX_VALUE_CHARS && value.trim() !== '')
    // Where most are long, the column holds texts.
    const values = 2 * short.length > own.length ? { values: short.toSorted() } : {}
    found.set(texts[Number(n)]!.name, { distinct: Number(count), ...values })
  }
  return found
}

async function askAll(parts: readonly string[], ask: Ask): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = []
  for (let at = 0; at < parts.length; at += MAX_PARTS) {
    rows.push(...(await ask(parts.slice(at, at + MAX_PARTS).join('\nUNION ALL\n'))))
  }
  return rows
}

export function isTextColumn({ kind, type }: ColumnSchema): boolean {
  return kind === 'text' || (kind === 'other' && /enum|char|text/.test(type))
}

function isDateColumn({ kind, holds }: ColumnSchema): boolean {
  return kind === 'date' || kind === 'datetime' || holds === 'date' || holds === 'datetime'
}

function dayOf(value: unknown): string {
  return String(value).slice(0, 10)
}
