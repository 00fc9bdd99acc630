import { exactNumber, isExactNumber } from '../shared/exact-number.ts'
import { isObject } from '../shared/json.ts'

/**
 * Rows as objects keyed by column name. Cells are JSON: dates are ISO strings; numbers that a double cannot hold
 * exactly are decimal text (`exact-number.ts`). `truncated`: the source had more rows than are included.
 */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly rowCount: number
  readonly truncated?: boolean
}

/**
 * Builds a table from positional rows. Two result columns of the same name would overwrite each other as object keys,
 * so later ones get a suffix: `name`, `name_2`, `name_3`.
 */
export function tableFromArrays(
  columns: readonly string[],
  data: readonly (readonly unknown[])[],
  truncated = false,
): Table {
  const names = uniqueNames(columns)
  const rows = data.map((values) => Object.fromEntries(names.map((name, i) => [name, values[i] ?? null])))
  return { columns: names, rows, rowCount: rows.length, ...(truncated ? { truncated } : {}) }
}

/** The same names; of equal ones the later are numbered: `name_2`. */
export function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let n = 2; used.has(unique); n++) unique = `${name}_${n}`
    used.add(unique)
    return unique
  })
}

/** RFC 4180: the header, then a line for each row. */
export function csvLines({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string[] {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((cells) => cells.map(csvCell).join(','))
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The table that a call returned. */
export function tableIn(output: unknown): Table | undefined {
  return isObject(output) ? asTable(output['tabular'] ?? output) : undefined
}

/** A value that is a table. */
export function asTable(value: unknown): Table | undefined {
  if (!isObject(value) || !Array.isArray(value['columns']) || !Array.isArray(value['rows'])) return undefined
  const { columns, rows, rowCount = rows.length, truncated } = value as unknown as Table
  if (!rows.every(isObject)) return undefined
  return { columns, rows, rowCount, ...(truncated === true ? { truncated } : {}) }
}

/**
 * Parses lines of a document whose cells are separated by ` | `, with titles of one cell above them. A column with only numbers
 * contains numbers. Undefined if the lines are not from one table.
 */
export function tableOfLines(text: string): Table | undefined {
  const lines = text.split('\n').filter((line) => line !== '')
  const start = lines.findIndex((line) => CELL_END.test(line))
  const [header, ...rows] = start < 0 ? [] : lines.slice(start).map((line) => line.split(CELL_END))
  if (header === undefined || rows.length === 0 || rows.some(({ length }) => length !== header.length)) return undefined
  const columns = header.map((_name, at) => numbersOf(rows.map((cells) => cells[at]!)))
  return tableFromArrays(
    header,
    rows.map((_row, n) => columns.map((cells) => (cells[n] === '' ? null : cells[n]))),
  )
}

/**
 * The cells of a column, as numbers if all of them are, also with the same currency or percent sign. Commas group thousands if
 * some cell has a decimal point after one, as in `1,200.50`.
 */
function numbersOf(cells: readonly string[]): readonly (string | number)[] {
  const signs = new Set(cells.flatMap((cell) => (cell === '' ? [] : (cell.match(SIGN) ?? []).join('').trim())))
  const bare = signs.size === 1 ? cells.map((cell) => cell.replaceAll(SIGN, '')) : cells
  const isGrouped = bare.some((cell) => /,\d{3}\./.test(cell)) && bare.every((cell) => GROUPED.test(cell))
  const plain = isGrouped ? bare.map((cell) => cell.replaceAll(',', '')) : bare
  const isNumeric = plain.every((cell) => cell === '' || isExactNumber(cell))
  return isNumeric ? plain.map((cell) => (cell === '' ? '' : exactNumber(cell))) : cells
}

const SIGN = /(?<=^-?)\p{Sc}\s*|\s*[\p{Sc}%]$/gu
const GROUPED = /^(?:-?\d{1,3}(?:,\d{3})*(?:\.\d+)?)?$/
const CELL_END = / \|(?: |$)/
