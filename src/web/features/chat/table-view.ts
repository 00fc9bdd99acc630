import {
  compareNumbers,
  isExactNumber,
  roundBinaryNoise,
  type Chart,
  type ExactNumber,
  type Table,
} from '../../../client/run.ts'
import type { Localization } from '../../locales/words.tsx'

export interface Sort {
  readonly column: string
  readonly isDown: boolean
}

type Row = Table['rows'][number]

/** Years, months and days, as databases give them. */
const TIME = /^\d{4}(?:-\d{2}(?:-\d{2})?|-?Q[1-4])?$/
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/
const MAX_POINTS = 60

/** Whether all that is in a column is a number, and something does. */
export function isNumericColumn(table: Table, column: string): boolean {
  const values = valuesOf(table, column)
  return values.length > 0 && values.every(isExactNumber)
}

function valuesOf({ rows }: Table, column: string): unknown[] {
  return rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined)
}

/** Longer integers are ids rather than amounts. */
const MAX_INTEGER_DIGITS = 15
const MAX_DECIMALS = 6

/** How many decimals the numbers of a column are shown with; undefined for a column of other things, or of long ids. */
export function digitsOf(table: Table, column: string): number | undefined {
  if (!isNumericColumn(table, column)) return undefined
  const texts = table.rows.map((row) => String(readable(row[column]) ?? ''))
  if (texts.some((text) => /^-?\d+$/.test(text) && text.length > MAX_INTEGER_DIGITS)) return undefined
  return Math.min(MAX_DECIMALS, Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0)))
}

function readable(value: unknown): unknown {
  return typeof value === 'number' ? roundBinaryNoise(value) : value
}

/** Display format of cells. Copying, saving and sorting use the value. */
export type Write = (cell: unknown) => string

/** A cell as people of a language read it. @param digits of the numbers of its column, where it is one of numbers */
export function formatCell(
  cell: unknown,
  digits: number | undefined,
  { words, formats }: Pick<Localization, 'words' | 'formats'>,
): string {
  const value = readable(cell)
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? words.data.yes : words.data.no
  if (typeof value === 'object') return JSON.stringify(value)
  // A year, an id or a number of an order has no thousands.
  if (digits === undefined || (digits === 0 && Math.abs(Number(value)) < 10_000))
    return typeof value === 'string' ? formats.stamp(value) : String(value)
  return isExactNumber(value) ? formats.number(value, digits) : String(value)
}

/** How the cells of a column are written. What looks like a month is one where the whole column does. */
export function cellFormat(table: Table, column: string, locale: Pick<Localization, 'words' | 'formats'>): Write {
  const digits = digitsOf(table, column)
  const isOfMonths = valuesOf(table, column).every((value) => MONTH.test(String(value)))
  return (cell) => {
    const text = formatCell(cell, digits, locale)
    return isOfMonths && MONTH.test(text) ? locale.formats.month(text) : text
  }
}

/** Rows with the search text in any column, as value or as displayed, in the requested order. The sort is stable. */
export function visibleRows(
  table: Table,
  filter: string,
  sort: Sort | undefined,
  writes: ReadonlyMap<string, Write> = new Map(),
): readonly Row[] {
  const searchText = filter.trim().toLocaleLowerCase()
  const holds = (text: string): boolean => text.toLocaleLowerCase().includes(searchText)
  const isWanted = (cell: unknown, write: Write = String): boolean => holds(String(cell)) || holds(write(cell))
  const rows =
    searchText === ''
      ? table.rows
      : table.rows.filter((row) => table.columns.some((name) => isWanted(row[name] ?? '', writes.get(name))))
  if (sort === undefined) return rows
  const { column, isDown } = sort
  const numeric = isNumericColumn(table, column)
  return rows.toSorted((a, b) => {
    const [one, other] = [a[column] ?? undefined, b[column] ?? undefined]
    // Empty values come last in both directions.
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    const order = numeric
      ? compareNumbers(one as ExactNumber, other as ExactNumber)
      : String(one).localeCompare(String(other))
    return isDown ? -order : order
  })
}

/** Whether something is so, as databases without a type for that keep it. */
function isFlag(table: Table, column: string): boolean {
  return valuesOf(table, column).every((value) => String(value) === '0' || String(value) === '1')
}

/**
 * A chart where the table is one: a column of names or times, and one of numbers behind it. `isSeries`: it is figures over time
 * and nothing else, so that the chart says more than the rows.
 */
export function chartOf(
  table: Table,
  locale: Pick<Localization, 'words' | 'formats'>,
): { readonly data: Chart; readonly isSeries: boolean } | undefined {
  const { columns, rows } = table
  if (rows.length < 2 || rows.length > MAX_POINTS || columns.length < 2) return undefined
  const label = columns.find((column) => rows.every((row) => TIME.test(String(row[column])))) ?? columns[0]!
  const others = columns.filter((column) => column !== label)
  const figures = others.filter((column) => isNumericColumn(table, column))
  const value = figures.findLast((column) => !isFlag(table, column)) ?? figures.at(-1)
  // An empty value is not zero and is not drawn.
  if (value === undefined || rows.some((row) => (row[value] ?? undefined) === undefined)) return undefined
  const isTime = rows.every((row) => TIME.test(String(row[label])))
  const write = isTime ? cellFormat(table, label, locale) : (cell: unknown) => String(cell ?? '–')
  const drawn = rows.map((row) => ({ [label]: write(row[label]), [value]: row[value] as ExactNumber }))
  if (new Set(drawn.map((row) => row[label])).size < drawn.length) return undefined
  const isWide = columns.length > 2 && rows.length <= columns.length
  const isSeries = isTime && figures.length === others.length && !isWide && !isFlag(table, value)
  const title = value.replaceAll('_', ' ')
  return { data: { type: isTime ? 'line' : 'bar', title, x: label, series: [value], rows: drawn }, isSeries }
}

/** The table as RFC 4180 has it. A cell that a spreadsheet would take for a formula is given as text. */
export function csvOf({ columns, rows }: Table): string {
  const cell = (value: unknown): string => {
    const text =
      value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    const safe = /^[=+@\t\r＝＋－＠]|^-(?!\d+(?:\.\d+)?$)|[;\t][=+@-]/.test(text) ? `'${text}` : text
    return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((line) => line.map(cell).join(',')).join('\r\n')
}
