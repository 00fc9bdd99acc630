import { omitUndefined } from '../../shared/json.ts'
import { quoteIdentifier, tableName } from '../../databases/glossary/dialect.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import type { ColumnSchema, DatabaseSchema, Dialect, TableSchema } from '../../databases/schema.ts'
import type { SqlSource } from './source.ts'

/** The profile of a table: its size and values. */
export interface TableProfile {
  readonly rows?: RowCount
  readonly columns: ReadonlyMap<string, ColumnProfile>
  /** Not all of it could be read in time. */
  readonly isPartial?: true
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
/** For ranges and values of all tables of a database together: how long the first question waits. */
const TIME_BUDGET_MS = 15_000
/** For the first query, which may have to connect first. */
const COUNT_TIMEOUT_MS = 10_000
const MAX_AGE_MS = 10 * 60_000
/** Parts of one UNION ALL. */
const MAX_PARTS = 24

type Reader = Pick<SqlSource, 'query'>

interface Known {
  /** 0 if the time limit was reached before all was read. */
  readonly at: number
  /** Columns of the table when it was read. */
  readonly version: string
  readonly profile: TableProfile
}

/**
 * Row counts, date ranges and distinct values of the tables of one database. They are read once per version of a
 * table's schema, and refreshed in the background after ten minutes.
 */
export class TableProfiles {
  readonly #source: Reader
  readonly #now: () => number
  readonly #known = new Map<string, Known>()
  #reading: Promise<unknown> = Promise.resolve()

  constructor(source: Reader, now: () => number = Date.now) {
    this.#source = source
    this.#now = now
  }

  /** Reads missing profiles, the smallest tables first, within a time limit; the rest is read in the background. */
  async of(schema: DatabaseSchema, tables = schema.tables): Promise<ReadonlyMap<string, TableProfile>> {
    const plainTables = tables.filter(({ kind }) => kind === 'table')
    if (!plainTables.every(this.#isKnown)) await this.#readWhere(schema, plainTables, (table) => !this.#isKnown(table))
    if (plainTables.some(this.#isOld)) void this.#readWhere(schema, plainTables, this.#isOld)
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

  #within(signal: AbortSignal): Ask {
    return async (sql) => {
      const reply = signal.aborted ? undefined : await this.#source.query(sql, signal).catch(() => undefined)
      return reply?.success === true ? reply.data : []
    }
  }

  readonly #isKnown = (table: TableSchema): boolean => this.#known.get(fullName(table))?.version === versionOf(table)

  readonly #isOld = (table: TableSchema): boolean =>
    this.#now() - (this.#known.get(fullName(table))?.at ?? 0) >= MAX_AGE_MS

  /** Reads are serialized; tables that were read meanwhile are skipped. */
  #readWhere(
    schema: DatabaseSchema,
    tables: readonly TableSchema[],
    isWanted: (table: TableSchema) => boolean,
  ): Promise<unknown> {
    const reading = this.#reading.then(() => this.#read(schema, tables.filter(isWanted)))
    this.#reading = reading.catch(() => undefined)
    return this.#reading
  }

  async #read(schema: DatabaseSchema, tables: readonly TableSchema[]): Promise<void> {
    if (tables.length === 0) return
    const before = this.known(tables.map(fullName))
    const counts = await countRows(tables, schema, this.#within(AbortSignal.timeout(COUNT_TIMEOUT_MS)))
    const bySize = [...counts].toSorted(([, a], [, b]) => a.count - b.count)
    const scanned = bySize.filter(([, { count }]) => count <= MAX_SCANNED_ROWS).map(([table]) => table)
    const columns = await readColumns(scanned, schema, this.#within(AbortSignal.timeout(TIME_BUDGET_MS)))
    for (const table of tables) {
      const { rows: earlier, columns: known = [] } = before.get(fullName(table)) ?? {}
      const rows = counts.get(table) ?? earlier
      const isMissing = ({ name }: ColumnSchema): boolean => !columns.get(table)!.has(name)
      const isPartial = rows === undefined || (columns.has(table) && profiledColumns(table).some(isMissing))
      this.#known.set(fullName(table), {
        // Unread parts are read again by the next question.
        at: isPartial ? 0 : this.#now(),
        version: versionOf(table),
        profile: {
          columns: new Map([...known, ...(columns.get(table) ?? [])]),
          ...omitUndefined({ rows, isPartial: isPartial || undefined }),
        },
      })
    }
  }
}

function versionOf({ columns }: TableSchema): string {
  return columns.map(({ name, type }) => `${name} ${type}`).join()
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

function isDateColumn({ kind, holds }: ColumnSchema): boolean {
  return kind === 'date' || kind === 'datetime' || holds === 'date' || holds === 'datetime'
}

function dayOf(value: unknown): string {
  return String(value).slice(0, 10)
}
