import { isObject, tryParseJson } from '../shared/json.ts'
import { numberValues } from './numbers.ts'

/** Possible evidence for an answer: a tool's output, a passage, the user's words. */
export interface Evidence {
  readonly value: unknown
  /** Ids of its sources, such as `s3`; absent for words of the user. */
  readonly sources?: readonly string[]
  /** It was computed, so its numbers count as derived. */
  readonly isComputed?: boolean
  /** For a computation: its input numbers, if a model wrote them. */
  readonly input?: unknown
}

/** Rows with the names that a sentence may call them by, and the numbers of each column. */
export interface NumberTable {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Of each row, in lower case. */
  readonly names: readonly (readonly string[])[]
  /** Absolute values, `NaN` for cells that are no numbers. */
  readonly columns: readonly Float64Array[]
}

export interface EvidenceNumbers {
  /** Absolute values, each with the place of its evidence in the list. */
  readonly values: readonly (readonly [value: number, evidence: number])[]
  readonly tables: readonly NumberTable[]
}

type Row = Readonly<Record<string, unknown>>

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MAX_DEPTH = 12
const MAX_NAME_CHARS = 80
/** Whole numbers from this on name their rows where each occurs once, as numbers of orders do. */
const MIN_KEY = 100
/** Lines of a text that are tried as the beginning of JSON. */
const MAX_JSON_STARTS = 3
/** Maximum characters per text; the rest is ignored. */
const MAX_TEXT_CHARS = 2_000_000

/** All numbers of the evidence, and its tables: lists of records, CSV and Markdown tables. */
export function evidenceNumbers(evidence: readonly Evidence[]): EvidenceNumbers {
  const values: [number, number][] = []
  const tables: NumberTable[] = []
  const visit = (value: unknown, at: number, depth: number): void => {
    if (typeof value === 'number') values.push([Math.abs(value), at])
    else if (typeof value === 'string') visitText(value.slice(0, MAX_TEXT_CHARS), at, depth)
    else if (Array.isArray(value)) {
      if (value.length > 0 && value.every(isObject)) tables.push(numberTable(value))
      values.push([value.length, at])
      if (depth < MAX_DEPTH) for (const item of value) visit(item, at, depth + 1)
    } else if (isObject(value) && depth < MAX_DEPTH) for (const item of Object.values(value)) visit(item, at, depth + 1)
  }
  const visitText = (text: string, at: number, depth: number): void => {
    const number = cellNumber(text)
    if (!Number.isNaN(number)) values.push([number, at])
    const { json, rest } = jsonIn(text)
    if (json !== undefined) visit(json, at, depth + 1)
    for (const value of numberValues(rest)) values.push([value, at])
    if (rest.includes('\n')) tables.push(...tablesInText(rest))
  }
  for (const [at, { value }] of evidence.entries()) visit(value, at, 0)
  return { values, tables }
}

/** The JSON at the end of a text, from the beginning of a line, and the text before it. */
function jsonIn(text: string): { readonly json?: unknown; readonly rest: string } {
  let tried = 0
  for (const { index } of text.matchAll(/^[ \t]*[[{](?!s\d)/gm)) {
    const json = tryParseJson(text.slice(index))
    if (json !== undefined) return { json, rest: text.slice(0, index) }
    if (++tried === MAX_JSON_STARTS) break
  }
  return { rest: text }
}

/** The words of a name or a sentence, in lower case. */
export function lowerCaseWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

export function numberTable(rows: readonly Row[]): NumberTable {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = keys.map((key) => Float64Array.from(rows, (row) => cellNumber(row[key])))
  const isLabel = columns.map((column) => column.every(isYearNumber))
  const isKey = columns.map(
    (column) => new Set(column).size === rows.length && column.every((v) => v >= MIN_KEY && Number.isInteger(v)),
  )
  const names = rows.map((row) =>
    keys.flatMap((key, i) => {
      const cell = row[key]
      if (isLabel[i] === true || isKey[i] === true) return [String(cell)]
      return typeof cell === 'string' && cell.length <= MAX_NAME_CHARS && !DECIMAL.test(cell)
        ? [lowerCaseWords(cell).join(' ')]
        : []
    }),
  )
  return { rows, names, columns: columns.filter((column, i) => isLabel[i] !== true && column.some((v) => v > 0)) }
}

export function isYearNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1900 && value <= 2100
}

function cellNumber(cell: unknown): number {
  if (typeof cell === 'number') return Math.abs(cell)
  return typeof cell === 'string' && DECIMAL.test(cell) ? Math.abs(Number(cell)) : Number.NaN
}

/** Consecutive lines with the same number of separators, the first of them the header. */
function tablesInText(text: string): NumberTable[] {
  const tables: NumberTable[] = []
  let block: string[][] = []
  const end = (): void => {
    const [header, ...rows] = block
    if (header !== undefined && rows.length > 0) {
      tables.push(numberTable(rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i]])))))
    }
    block = []
  }
  for (const line of text.split('\n')) {
    const cells = cellsOf(line)
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) continue
    if (cells.length < 2 || (block.length > 0 && block[0]!.length !== cells.length)) end()
    if (cells.length >= 2) block.push(cells)
  }
  end()
  return tables
}

function cellsOf(line: string): string[] {
  if (line.includes('|'))
    return line
      .replace(/^[ \t]*\|/, '')
      .replace(/\|[ \t]*$/, '')
      .split('|')
      .map(plainCell)
  const cells = line.match(/"(?:[^"]|"")*"|[^,"]+|(?<=,)(?=,|$)/g) ?? []
  return cells.filter((cell) => cell !== ',').map(plainCell)
}

/** A cell without formatting; a number as a plain decimal if it has one reading. */
function plainCell(cell: string): string {
  const text = cell.replace(/(?<![\s"*_`%€$£])[\s"*_`%€$£]+$/, '').replace(/^[\s"*_`]+/, '')
  if (DECIMAL.test(text)) return text
  const [value, ...others] = numberValues(text)
  return value !== undefined && others.length === 0 && !/\p{L}/u.test(text) ? String(value) : text
}
