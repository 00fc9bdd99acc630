import { literalOf, type Literal } from './constant.ts'
import { isNode, type ParseNode, type ParseValue } from './tree.ts'

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
export function bulkWatch(
  nameOf: (call: ParseNode) => string | undefined,
): (name: string, args: readonly ParseValue[]) => string | undefined {
  let widest = 1
  return (name, args) => {
    if (name === 'generate_series') return seriesReason(args, nameOf)
    if (name === 'format') return formatReason(literalOf(args[0] ?? ''))
    widest *= growth(name, args.map(literalOf))
    if (widest > MAX_NESTED) return TOO_MUCH
    const position = LENGTH_ARGUMENT.get(name)
    if (position === undefined) return undefined
    const length = literalOf(args[position] ?? '')
    if (typeof length !== 'number' || Math.abs(length) > MAX_LENGTH) {
      return `the length given to ${name}() must be a plain number of at most ${MAX_LENGTH}`
    }
    if (Math.abs(length) > NOTEWORTHY) widest *= Math.abs(length)
    return widest > MAX_NESTED ? TOO_MUCH : undefined
  }
}

const TOO_MUCH = 'the lengths given to calls multiply to too much'

/** By what a written replacement may make a text longer; a pattern may match nothing. */
function growth(name: string, [, from, to]: readonly Literal[]): number {
  if (typeof to !== 'string') return 1
  if (name === 'regexp_replace') return Math.max(1, to.length)
  return name === 'replace' && typeof from === 'string' ? Math.max(1, to.length / Math.max(1, from.length)) : 1
}

type NameOf = (call: ParseNode) => string | undefined

function seriesReason(args: readonly ParseValue[], nameOf: NameOf): string | undefined {
  const [start, stop, step = 1] = args.map(literalOf)
  if (args.slice(0, 2).some((end) => !hasData(end) && !isPlain(end, nameOf))) {
    return 'the ends given to generate_series() must be plain numbers or times, or come from data'
  }
  if (typeof start !== 'number' || typeof stop !== 'number' || typeof step !== 'number') return undefined
  return Math.abs((stop - start) / step) <= MAX_ROWS
    ? undefined
    : `a call of generate_series() may give at most ${MAX_ROWS} rows`
}

/** Whether a column or a table has a part in a value. */
function hasData(value: ParseValue): boolean {
  if (typeof value === 'string') return false
  if (!isNode(value)) return value.some(hasData)
  const isTable = value.fields.get('rtekind') === '0'
  return value.tag === 'VAR' || isTable || [...value.fields.values()].some(hasData)
}

/** `+` and `-` of whole and decimal numbers. */
const PLUS_MINUS = new Set(['551', '555', '684', '688', '1758', '1759'])
/** `date`, `timestamp`, `timestamptz` and `interval`. */
const TIMES = new Set(['1082', '1114', '1184', '1186'])
const TIME_FUNCTIONS = new Set([
  'now',
  'transaction_timestamp',
  'statement_timestamp',
  'clock_timestamp',
  'date_trunc',
  'make_date',
])

/** A literal or a time, also under a cast or with something added; the year of a time. */
function isPlain(value: ParseValue, nameOf: NameOf): boolean {
  if (typeof value === 'string') return true
  if (!isNode(value)) return value.every((item) => isPlain(item, nameOf))
  const { tag, fields } = value
  const args = fields.get('args') ?? ''
  switch (tag) {
    case 'CONST':
    case 'SQLVALUEFUNCTION':
      return true
    case 'RELABELTYPE':
      return isPlain(fields.get('arg') ?? '', nameOf)
    case 'COERCEVIAIO': {
      const arg = fields.get('arg')
      return isNode(arg) && arg.tag === 'CONST'
    }
    case 'OPEXPR': {
      const isKnown = PLUS_MINUS.has(String(fields.get('opno'))) || TIMES.has(String(fields.get('opresulttype')))
      return isKnown && isPlain(args, nameOf)
    }
    case 'FUNCEXPR': {
      const name = nameOf(value) ?? ''
      if (['extract', 'date_part'].includes(name))
        return literalOf(Array.isArray(args) ? (args[0] as ParseValue) : '') === 'year'
      return (fields.get('funcformat') !== '0' || TIME_FUNCTIONS.has(name)) && isPlain(args, nameOf)
    }
    default:
      return false
  }
}

/** A width of a billion in a format string builds a string of that length. */
function formatReason(pattern: Literal): string | undefined {
  if (typeof pattern !== 'string') return 'the first argument of format() must be a text literal'
  return /\d{4,}|\*/.test(pattern) ? 'widths in a format() pattern must be numbers below 1000' : undefined
}
