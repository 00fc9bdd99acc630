import { quoteName, tableName } from '../../terms/dialect.ts'
import { fullName } from '../../terms/tables.ts'
import type { ColumnSchema, DatabaseSchema, Dialect, TableSchema } from '../../databases/schema.ts'
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
/** For ranges and values of all tables of a database together. */
const TIME_BUDGET_MS = 3_000
/** For the first query, which may have to connect first. */
const COUNT_TIMEOUT_MS = 10_000
const MAX_AGE_MS = 10 * 60_000
/** Parts of one UNION ALL. */
const MAX_PARTS = 24

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

  #within(timeoutMs: number): Ask {
    const signal = AbortSignal.timeout(timeoutMs)
    return async (sql) => {
      if (signal.aborted) return []
      const reply = await this.#source.query(sql, signal).catch(() => undefined)
      return reply?.success === true ? reply.data : []
    }
  }

  #isKnown(table: TableSchema): boolean {
    const known = this.#known.get(fullName(table))
    return known !== undefined && this.#now() - known.at < MAX_AGE_MS
  }

  async #read(schema: DatabaseSchema, tables: readonly TableSchema[]): Promise<void> {
    if (tables.length === 0) return
    // What cannot be read in time is not tried again before it would be read anew.
    for (const table of tables) this.#known.set(fullName(table), { at: this.#now(), profile: undefined })
    const counts = await countRows(tables, schema, this.#within(COUNT_TIMEOUT_MS))
    const bySize = [...counts].toSorted(([, a], [, b]) => a.count - b.count)
    const scanned = bySize.filter(([, { count }]) => count <= MAX_SCANNED_ROWS).map(([table]) => table)
    const columns = await readColumns(scanned, schema, this.#within(TIME_BUDGET_MS))
    for (const [table, rows] of counts) {
      const profile = { rows, columns: columns.get(table) ?? new Map<string, ColumnProfile>() }
      this.#known.set(fullName(table), { at: this.#now(), profile })
    }
  }
}

/** Answers without rows where a query fails or the time is up. */
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
  const asked = tables.flatMap((table) =>
    table.columns
      .filter((column) => isDateColumn(column) || isTextColumn(column))
      .map((column) => ({ table, column, values: [] as string[] })),
  )
  const asText = (value: string): string => `CAST(${value} AS ${TEXT[dialect]})`
  const parts = asked.flatMap(({ table, column }, n) => {
    const [name, from] = [quoteName(column.name, dialect), tableName(table, dialect)]
    if (isDateColumn(column)) {
      return [
        `SELECT ${n} AS n, 'range' AS k, ${asText(`MIN(${name})`)} AS a, ${asText(`MAX(${name})`)} AS b FROM ${from}`,
      ]
    }
    const held = `SELECT DISTINCT ${asText(name)} AS v FROM ${from} WHERE ${name} IS NOT NULL LIMIT ${MAX_VALUES}`
    return [
      `SELECT ${n} AS n, 'value' AS k, v AS a, '' AS b FROM (${held}) AS t${n}`,
      `SELECT ${n} AS n, 'count' AS k, ${asText(`COUNT(DISTINCT ${name})`)} AS a, '' AS b FROM ${from}`,
    ]
  })
  const found = new Map(tables.map((table) => [table, new Map<string, ColumnProfile>()]))
  // A count comes after the values of its column.
  for (const [n, kind, a, b] of await askAll(parts, ask)) {
    const { table, column, values } = asked[Number(n)]!
    if (kind === 'value') values.push(String(a))
    else if (kind === 'count') found.get(table)!.set(column.name, { distinct: Number(a), ...shownOf(values) })
    else if (a !== null) found.get(table)!.set(column.name, { range: [dayOf(a), dayOf(b)] })
  }
  return found
}

const TEXT: Readonly<Record<Dialect, string>> = { postgres: 'text', mysql: 'char', sqlite: 'text' }

/** Where most values are long, the column holds texts, which are not shown. */
function shownOf(values: readonly string[]): Pick<ColumnProfile, 'values'> {
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

function isDateColumn({ kind, holds }: ColumnSchema): boolean {
  return kind === 'date' || kind === 'datetime' || holds === 'date' || holds === 'datetime'
}

function dayOf(value: unknown): string {
  return String(value).slice(0, 10)
}
