import { literalOf, type Literal } from './constant.ts'
import type { ParseValue } from './tree.ts'

const MAX_LENGTH = 10_000
/** Of all texts that calls within calls build, as if each were built from the others. */
const MAX_NESTED = 1_000_000
/** Shorter ones pad numbers; any number of them is harmless. */
const NOTEWORTHY = 100
const MAX_ROWS = 1_000_000

/** The argument that says how long the result gets. */
const LENGTH_ARGUMENT: ReadonlyMap<string, number> = new Map([
  ['repeat', 1],
  ['lpad', 1],
  ['rpad', 1],
])

/**
 * Watches for calls that build something large from something small, which needs no table: `repeat('x', 1000000000)`. Gives the
 * reason against a call, by the literals that the server sees; time and memory are bounded elsewhere.
 */
export function bulkWatch(): (name: string, args: readonly ParseValue[]) => string | undefined {
  let widest = 1
  return (name, args) => {
    if (name === 'generate_series') return seriesReason(args.map(literalOf))
    if (name === 'format') return formatReason(literalOf(args[0] ?? ''))
    const position = LENGTH_ARGUMENT.get(name)
    if (position === undefined) return undefined
    const length = literalOf(args[position] ?? '')
    if (typeof length !== 'number' || Math.abs(length) > MAX_LENGTH) {
      return `the length given to ${name}() must be a plain number of at most ${MAX_LENGTH}`
    }
    if (Math.abs(length) > NOTEWORTHY) widest *= Math.abs(length)
    return widest > MAX_NESTED ? `the lengths given to ${name}() and others multiply to too much` : undefined
  }
}

function seriesReason([start, stop, step = 1]: readonly Literal[]): string | undefined {
  if (typeof start !== 'number' || typeof stop !== 'number' || typeof step !== 'number') return undefined
  return Math.abs((stop - start) / step) <= MAX_ROWS
    ? undefined
    : `a call of generate_series() may give at most ${MAX_ROWS} rows`
}

/** A width of a billion in a format string builds a string of that length. */
function formatReason(pattern: Literal): string | undefined {
  if (typeof pattern !== 'string') return 'the first argument of format() must be a text literal'
  return /\d{4,}|\*/.test(pattern) ? 'widths in a format() pattern must be numbers below 1000' : undefined
}
