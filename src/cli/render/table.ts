import type { Cli } from '../cli.ts'
import { printJson } from '../failure.ts'
import { isExactNumber, roundBinaryNoise } from '../../shared/exact-number.ts'
import type { Table } from '../../domain/table.ts'
import { padEnd, padStart, safeLine, truncateToWidth, widthOf } from './text.ts'
import type { Output } from '../output.ts'

export interface TableLayout {
  /** Width of the terminal in columns; `Infinity` without one. */
  readonly width: number
  /** Rows shown; the rest is counted. */
  readonly maxRows: number
  /** Columns that are never cut. */
  readonly whole?: readonly string[]
  readonly bold?: (text: string) => string
  readonly dim?: (text: string) => string
}

const GAP = '  '
/** A column is not made narrower than this; when that does not help, each row is written as a list. */
const MIN_COLUMN = 6
/** A column with longer fractions than this is no money; its numbers are shown as they are. */
const MAX_DECIMALS = 4

/** A table as text: numbers to the right, long cells cut, one record below the other where the terminal is too narrow. */
export function renderTable(table: Table, layout: TableLayout): string {
  const { columns, rows, rowCount, truncated } = table
  const visible = rows.slice(0, layout.maxRows)
  const decimals = columns.map((column) => decimalsOf(visible.map((row) => row[column])))
  const cells = visible.map((row) => columns.map((column, i) => cellText(row[column], decimals[i]!)))
  const headers = columns.map(safeLine)
  const isWhole = columns.map((column) => layout.whole?.includes(column) === true)
  const widths = fit(naturalWidths(headers, cells), isWhole, layout.width)
  const lines =
    widths === undefined
      ? asRecords(headers, cells, isWhole, layout)
      : asGrid(headers, cells, widths, numeric(table), layout)
  const footer = footerOf(rowCount, visible.length, truncated === true)
  return [...lines, ...(footer === undefined ? [] : [(layout.dim ?? plain)(footer)])].join('\n')
}

/** Number of decimals of a numeric column, so that its decimal points align. */
function decimalsOf(values: readonly unknown[]): number {
  const places = values.map((value) => {
    return typeof value === 'number' ? (plainNumber(value).split('.')[1]?.length ?? 0) : 0
  })
  const max = Math.max(0, ...places)
  return max > MAX_DECIMALS ? 0 : max
}

/** Sums of decimals are shown without the noise of binary fractions. */
function plainNumber(value: number): string {
  return String(roundBinaryNoise(value))
}

/** A cell on one line. */
function cellText(value: unknown, decimals: number): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number') return decimals === 0 ? plainNumber(value) : value.toFixed(decimals)
  return safeLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function naturalWidths(headers: readonly string[], cells: readonly (readonly string[])[]): number[] {
  return headers.map((header, i) => Math.max(1, widthOf(header), ...cells.map((row) => widthOf(row[i]!))))
}

/** Takes from the widest columns until the table fits; undefined when it cannot. */
function fit(natural: readonly number[], isWhole: readonly boolean[], width: number): number[] | undefined {
  const room = width - GAP.length * (natural.length - 1)
  const within = (limit: number): number[] => natural.map((wide, i) => (isWhole[i]! ? wide : Math.min(wide, limit)))
  if (sum(within(MIN_COLUMN)) > room) return undefined
  if (sum(natural) <= room) return [...natural]
  // The largest common limit at which everything fits.
  let limit = MIN_COLUMN
  while (sum(within(limit + 1)) <= room) limit++
  const widths = within(limit)
  let spare = room - sum(widths)
  return widths.map((wide, i) => (natural[i]! > wide && spare-- > 0 ? wide + 1 : wide))
}

function asGrid(
  headers: readonly string[],
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  isNumeric: readonly boolean[],
  { bold = plain, dim = plain }: TableLayout,
): string[] {
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, i) => {
        const cut = truncateToWidth(text, widths[i]!)
        return isNumeric[i] === true ? padStart(cut, widths[i]!) : padEnd(cut, widths[i]!)
      })
      .join(GAP)
      .trimEnd()
  return [bold(line(headers)), dim(widths.map((wide) => '─'.repeat(wide)).join(GAP)), ...cells.map(line)]
}

function asRecords(
  headers: readonly string[],
  cells: readonly (readonly string[])[],
  isWhole: readonly boolean[],
  { width, bold = plain, dim = plain }: TableLayout,
): string[] {
  const label = Math.min(Math.max(...headers.map(widthOf)), Math.max(4, Math.floor(width / 3)))
  return cells.flatMap((row, index) => [
    dim(truncateToWidth(`── ${index + 1} `.padEnd(width, '─'), Math.max(1, width))),
    ...row.map((cell, i) => {
      const name = padEnd(truncateToWidth(headers[i]!, label), label)
      const room = isWhole[i]! ? Infinity : Math.max(4, width - label - GAP.length)
      return `${bold(name)}${GAP}${truncateToWidth(cell, room)}`
    }),
  ])
}

/** Columns that hold numbers alone; exact decimals and huge integers come as text. */
function numeric({ columns, rows }: Table): boolean[] {
  return columns.map((column) => {
    const values = rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined)
    return values.length > 0 && values.every(isExactNumber)
  })
}

function footerOf(rowCount: number, shown: number, truncated: boolean): string | undefined {
  if (rowCount === 0) return '(no rows)'
  const hidden = rowCount - shown
  const more = hidden > 0 ? `… and ${hidden} more ${hidden === 1 ? 'row' : 'rows'}; --json prints all` : undefined
  // Either there were more rows, or the database stopped early (MariaDB: a recursion).
  const read = rowCount === 1 ? 'the row that was' : `the ${rowCount} rows that were`
  const cut = truncated ? `cut off: the database stopped early, or had more than ${read} read` : undefined
  const parts = [more, cut].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : `(${parts.join('; ')})`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0)
}

function plain(text: string): string {
  return text
}

/** Prints rows as a table that fits the terminal. Ids are never cut: they are there to be typed. */
export function printList<C extends string>(
  out: Output,
  columns: readonly C[],
  rows: readonly Readonly<Record<C, unknown>>[],
): void {
  const { bold, dim } = out.style
  const layout = { width: out.width(), maxRows: Infinity, whole: ['id'], bold, dim }
  out.line(renderTable({ columns, rows, rowCount: rows.length }, layout))
}

interface ItemList {
  readonly json: boolean | undefined
  /** Printed with `--json`. */
  readonly object: object
  /** Printed if there are no rows. */
  readonly empty: string
  /** The fields of the first row are the columns. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Prints what a `list` command found. */
export function printItems(cli: Pick<Cli, 'out' | 'err'>, { json, object, empty, rows }: ItemList): void {
  if (json === true) printJson(cli, object)
  else if (rows.length === 0) cli.err.line(empty)
  else printList(cli.out, Object.keys(rows[0]!), rows)
}
