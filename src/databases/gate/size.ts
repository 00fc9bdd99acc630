import type { Dialect } from '../schema.ts'
import { refuse } from './verdict.ts'

/** A literal argument of a call; `undefined` stands for any other expression. */
export type LiteralArgument = number | string | undefined

const MAX_REPEAT = 10_000
const MAX_SERIES = 1_000_000

/** The argument that says how long the result gets. */
const LENGTH_ARGUMENT: Readonly<Record<string, number>> = { repeat: 1, lpad: 1, rpad: 1, space: 0 }

/**
 * Bounds calls that build something large from something small: `repeat('x', 1000000000)` needs no table and a gigabyte.
 * Time is bounded elsewhere, by the statement timeout; this is about what can be seen in the text.
 */
export function checkSize(dialect: Dialect, name: string, args: readonly LiteralArgument[]): void {
  const position = LENGTH_ARGUMENT[name]
  if (position !== undefined) {
    const length = args[position]
    if (typeof length !== 'number' || Math.abs(length) > MAX_REPEAT) {
      refuse('size', `The length given to ${name}() must be a plain number of at most ${MAX_REPEAT}.`)
    }
  }
  if (name === 'generate_series') checkSeries(args)
  // MySQL's format() writes numbers; it has no pattern.
  if (dialect !== 'mysql' && (name === 'format' || name === 'printf')) checkFormat(name, args[0])
}

function checkSeries([start, stop, step = 1]: readonly LiteralArgument[]): void {
  if (typeof start !== 'number' || typeof stop !== 'number' || typeof step !== 'number') return
  if (!(Math.abs((stop - start) / step) <= MAX_SERIES)) {
    refuse(
      'size',
      `A call of generate_series() may give at most ${MAX_SERIES} rows; choose a shorter range or a larger step.`,
    )
  }
}

/** A width of a billion in a format string builds a string of that length. */
function checkFormat(name: string, pattern: LiteralArgument): void {
  if (typeof pattern !== 'string') refuse('size', `The first argument of ${name}() must be a text literal.`)
  else if (/\d{4,}|\*/.test(pattern)) {
    refuse('size', `Widths in a ${name}() pattern must be numbers below 1000, written in the pattern.`)
  }
}
