import type { RunState, Table } from '../../client/run.ts'

/** The default expectation of a test, until the user changes it. */
export interface Expectation {
  readonly kind: 'number' | 'contains' | 'judge' | 'refusal'
  /** Several values are separated by semicolons. */
  readonly text: string
}

/** Maximum number of names used to identify a table. */
const MAX_NAMES = 8
const MARKS = / ?\[\d{1,3}\]/g

/** What the answer of a run says: figures of a single row, names of several, else its words. */
export function defaultExpectation({ answer }: Pick<RunState, 'answer'>): Expectation {
  if (answer === undefined) return { kind: 'number', text: '' }
  if (answer.isAnswered === false) return { kind: 'refusal', text: '' }
  const figures = answer.data?.rows.length === 1 ? cellsOf(answer.data).filter(isFigure) : []
  if (figures.length > 0) return { kind: 'number', text: figures.map(Number).join('; ') }
  const names = answer.data === undefined ? [] : namesIn(answer.data)
  if (names.length > 0) return { kind: 'contains', text: names.join('; ') }
  return { kind: 'judge', text: answer.text.replaceAll(MARKS, '').trim() }
}

function isFigure(cell: unknown): boolean {
  return typeof cell === 'number' || (typeof cell === 'string' && /^-?\d+(?:\.\d+)?$/.test(cell))
}

function cellsOf({ columns, rows }: Table): unknown[] {
  return rows.flatMap((row) => columns.map((column) => row[column]))
}

/** The names of the first column that has names. */
function namesIn({ columns, rows }: Table): string[] {
  const isName = (cell: unknown): cell is string =>
    typeof cell === 'string' && cell.trim() !== '' && !cell.includes(';') && !isFigure(cell)
  const nameColumn = columns.find((column) => rows.length > 0 && rows.every((row) => isName(row[column])))
  if (nameColumn === undefined) return []
  return [...new Set(rows.map((row) => (row[nameColumn] as string).trim()))].slice(0, MAX_NAMES)
}
