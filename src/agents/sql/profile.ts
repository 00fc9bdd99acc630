import { isDate } from '../../databases/glossary/catalogue.ts'
import { quoteIdentifier, tableName } from '../../databases/glossary/dialect.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import { nameWords } from '../../databases/glossary/words.ts'
import type { ColumnSchema, DatabaseSchema, Dialect, TableSchema } from '../../databases/schema.ts'
import type { SqlSource } from './source.ts'

/** The profile of a table: its size and values. */
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
  /** The number of distinct values without NULL, and some of them; all if there are few. */
  readonly distinct?: number
  readonly values?: readonly string[]
}

/** Distinct values kept of a column. */
export const MAX_VALUES = 30
/** Longer values are texts rather than names or states. */
export const MAX_VALUE_CHARS = 40
/** Tables with more rows are not scanned. */
const MAX_SCANNED_ROWS = 200_000
/** For all tables of a database together: how long a question waits. */
const TIME_BUDGET_MS = 15_000
const MAX_AGE_MS = 10 * 60_000
/** Parts of one UNION ALL. */
const MAX_PARTS = 24

type Reader = Pick<SqlSource, 'query'>

/**
 * Row counts, date ranges and distinct values of the tables of one database. They are read again after ten minutes. What
 * cannot be read in time is missing until then.
 */
export class TableProfiles {
  readonly #source: Reader
  readonly #known = new Map<string, { readonly at: number; readonly profile?: TableProfile | undefined }>()
  #reading: Promise<unknown> = Promise.resolve()

  constructor(source: Reader) {
    this.#source = source
  }

  /** Reads missing and old profiles, the smallest tables first, one call at a time. */
  async of(schema: DatabaseSchema, tables = schema.tables): Promise<ReadonlyMap<string, TableProfile>> {
    const plainTables = tables.filter(({ kind }) => kind === 'table')
    this.#reading = this.#reading.then(() => this.#read(schema, plainTables)).catch(() => undefined)
    // Old profiles serve while they are read again.
    if (!plainTables.every((table) => this.#known.has(fullName(table)))) await this.#reading
    return this.known(plainTables.map(fullName))
  }

  /** Cached profiles of tables, by their full names, without a query. */
  known(names: readonly string[]): ReadonlyMap<string, TableProfile> {
    return new Map(
      names.flatMap((name) => {
        const profile = this.#known.get(name)?.profile
        return profile === undefined ? [] : [[name, profile] as const]
      }),
    )
  }

  async #read(schema: DatabaseSchema, all: readonly TableSchema[]): Promise<void> {
    const now = Date.now()
    const tables = all.filter((table) => now - (this.#known.get(fullName(table))?.at ?? 0) >= MAX_AGE_MS)
    if (tables.length === 0) return
    const signal = AbortSignal.timeout(TIME_BUDGET_MS)
    const ask: Ask = async (sql) => {
      const reply = signal.aborted ? undefined : await this.#source.query(sql, signal).catch(() => undefined)
      return reply?.success === true ? reply.data : []
    }
    const counts = await countRows(tables, schema, ask)
    const bySize = [...counts].toSorted(([, a], [, b]) => a.count - b.count)
    const scanned = bySize.filter(([, { count }]) => count <= MAX_SCANNED_ROWS).map(([table]) => table)
    const columns = await readColumns(scanned, schema, ask)
    for (const table of tables) {
      const rows = counts.get(table)
      const old = this.#known.get(fullName(table))?.profile
      const profile = rows === undefined ? old : { rows, columns: columns.get(table) ?? new Map() }
      this.#known.set(fullName(table), { at: now, profile })
    }
  }
}

/** Returns no rows if a query fails or the time limit is reached. */
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

/** Ranges of date columns; of text columns how many values there are, and some of them. */
async function readColumns(
  tables: readonly TableSchema[],
  { dialect }: DatabaseSchema,
  ask: Ask,
): Promise<ReadonlyMap<TableSchema, Map<string, ColumnProfile>>> {
  const columns = tables.flatMap((table) =>
    profiledColumns(table).map((column) => ({ table, column, values: [] as string[] })),
  )
  const asText = (value: string): string => `CAST(${value} AS ${TEXT[dialect]})`
  const parts = columns.flatMap(({ table, column }, n) => {
    const [name, from] = [quoteIdentifier(column.name, dialect), tableName(table, dialect)]
    if (isDateColumn(column)) {
      return [
        `SELECT ${n} AS n, 'range' AS k, ${asText(`MIN(${name})`)} AS a, ${asText(`MAX(${name})`)} AS b FROM ${from}`,
      ]
    }
    const valuesQuery = `SELECT DISTINCT ${asText(name)} AS v FROM ${from} WHERE ${name} IS NOT NULL LIMIT ${MAX_VALUES}`
    return [
      `SELECT ${n} AS n, 'value' AS k, v AS a, '' AS b FROM (${valuesQuery}) AS t${n}`,
      `SELECT ${n} AS n, 'count' AS k, ${asText(`COUNT(DISTINCT ${name})`)} AS a, '' AS b FROM ${from}`,
    ]
  })
  const found = new Map(tables.map((table) => [table, new Map<string, ColumnProfile>()]))
  // The count follows the values of its column.
  for (const [n, kind, a, b] of await askAll(parts, ask)) {
    const { table, column, values } = columns[Number(n)]!
    if (kind === 'value') values.push(String(a))
    else if (kind === 'count') found.get(table)!.set(column.name, { distinct: Number(a), ...shownValues(values) })
    else found.get(table)!.set(column.name, a === null ? {} : { range: [dayOf(a), dayOf(b)] })
  }
  return found
}

function profiledColumns({ columns }: TableSchema): readonly ColumnSchema[] {
  return columns.filter((column) => isDateColumn(column) || isTextColumn(column))
}

const TEXT: Readonly<Record<Dialect, string>> = { postgres: 'text', mysql: 'char', sqlite: 'text' }

/** If most values are long, the column holds free text, which is not shown. */
function shownValues(values: readonly string[]): Pick<ColumnProfile, 'values'> {
  const short = values.filter((value) => value.length <= MAX_VALUE_CHARS && value.trim() !== '')
  return 2 * short.length > values.length ? { values: short.toSorted() } : {}
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

function isDateColumn(column: ColumnSchema): boolean {
  return isDate({ column, words: nameWords(column.name) })
}

function dayOf(value: unknown): string {
  return String(value).slice(0, 10)
}
