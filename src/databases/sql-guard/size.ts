import type { Dialect } from '../schema.ts'
import { rejectQuery } from './verdict.ts'

/** A literal argument of a call; `undefined` means any other expression. */
export type LiteralArgument = number | string | undefined

export const MAX_REPEAT = 10_000
/** Longest text that calls within calls may build: `repeat(repeat('x', 10000), 10000)`. */
const MAX_NESTED = 1_000_000
/** Shorter ones pad numbers and draw bars; any number of them is harmless. */
const NOTEWORTHY = 100

/** Most rows that one series may give. */
export const MAX_SERIES = 1_000_000
/** Most rows that the lists and series of a query may make together. */
const MAX_ROWS = 10_000_000

/** Refuses a query that makes too many rows from nothing. */
export function checkMade(rows: number): void {
  if (rows <= MAX_ROWS) return
  rejectQuery(
    'size',
    `The series and lists of the query multiply to more than ${MAX_ROWS} rows; choose shorter ones or join fewer of them.`,
  )
}

/** How long the texts may get that the query builds. */
export interface Bulk {
  /** The lengths of all longer texts, multiplied, as if each were built from the others. */
  widest: number
}

/** The argument that says how long the result gets. */
const LENGTH_ARGUMENT: Readonly<Record<string, number>> = { repeat: 1, lpad: 1, rpad: 1, space: 0 }

/**
 * Bounds calls that build something large from something small: `repeat('x', 1000000000)` needs no table and a gigabyte.
 * Time is bounded elsewhere, by the statement timeout; this is about what can be seen in the text.
 */
export function checkValueSize(bulk: Bulk, dialect: Dialect, name: string, args: readonly LiteralArgument[]): void {
  const factor = growth(name, args)
  if (factor > 1) widen(bulk, name, factor)
  const position = LENGTH_ARGUMENT[name]
  if (position !== undefined) {
    const length = args[position]
    if (typeof length !== 'number' || Math.abs(length) > MAX_REPEAT) {
      rejectQuery('size', `The length given to ${name}() must be a plain number of at most ${MAX_REPEAT}.`)
    } else if (Math.abs(length) > NOTEWORTHY) {
      widen(bulk, name, Math.abs(length))
    }
  }
  // MySQL's format() writes numbers; it has no pattern.
  if (dialect !== 'mysql' && (name === 'format' || name === 'printf')) checkFormat(name, args[0])
}

function widen(bulk: Bulk, name: string, factor: number): void {
  bulk.widest *= factor
  if (bulk.widest <= MAX_NESTED) return
  rejectQuery(
    'size',
    `The lengths given to ${name}() and others multiply to more than ${MAX_NESTED}; choose shorter ones.`,
  )
}

/**
 * The factor by which a literal replacement may lengthen a text. A pattern may match the empty string, and `\\&` means
 * the match.
 */
function growth(name: string, [, from, to]: readonly LiteralArgument[]): number {
  if (typeof to !== 'string') return 1
  if (name === 'regexp_replace') return to.length
  return name === 'replace' && typeof from === 'string' ? to.length / Math.max(1, from.length) : 1
}

/** A width of a billion in a format string builds a string of that length. */
function checkFormat(name: string, pattern: LiteralArgument): void {
  if (typeof pattern !== 'string') rejectQuery('size', `The first argument of ${name}() must be a text literal.`)
  else if (/\d{4,}|\*/.test(pattern)) {
    rejectQuery('size', `Widths in a ${name}() pattern must be numbers below 1000, written in the pattern.`)
  }
}
