import { wordSet } from '../../../shared/word-set.ts'
import { type Bulk, checkValueSize, type LiteralArgument, MAX_SERIES } from '../size.ts'
import { fail, isNode, type ParseNode, type ParseValue } from './tree.ts'

type NameOf = (call: ParseNode) => string | undefined

/**
 * Refuses a call that builds something large out of something small (it needs no table for that), going by the literals
 * that the server sees.
 * @throws Refusal, UnreadableTree
 */
export function checkBulk(bulk: Bulk, name: string, args: readonly ParseValue[], nameOf: NameOf): void {
  if (name === 'generate_series') checkSeries(args, nameOf)
  else checkValueSize(bulk, 'postgres', name, args.map(literalOf))
}

function checkSeries(args: readonly ParseValue[], nameOf: NameOf): void {
  const [start, stop, step = 1] = args.map(literalOf)
  if (args.slice(0, 2).some((end) => !hasData(end) && !isPlain(end, nameOf))) {
    fail('the ends given to generate_series() must be plain numbers or times, or come from data')
  }
  if (typeof start !== 'number' || typeof stop !== 'number' || typeof step !== 'number') return
  if (!(Math.abs((stop - start) / step) <= MAX_SERIES)) {
    fail(`a call of generate_series() may give at most ${MAX_SERIES} rows`)
  }
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
const TIME_FUNCTIONS = wordSet('now transaction_timestamp statement_timestamp clock_timestamp date_trunc make_date')

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

const INT8 = '20'
const INT2 = '21'
const INT4 = '23'
const TEXT = '25'
const NUMERIC = '1700'
/** Of a value of variable length. */
const HEADER_BYTES = 4
/** `NBASE` of `numeric.c`. */
const NUMERIC_BASE = 10_000

/** The literal that an argument is, also under a cast; `undefined` for any other expression. */
function literalOf(value: ParseValue): LiteralArgument {
  if (!isNode(value)) return undefined
  if (value.tag === 'CONST') return constantOf(value)
  const args = value.fields.get('args')
  const isCast = value.tag === 'FUNCEXPR' && value.fields.get('funcformat') !== '0'
  return isCast && Array.isArray(args) ? literalOf((args as readonly ParseValue[])[0] ?? '') : undefined
}

/** Integers are read as the machine of most servers writes them, lowest byte first; on others they come out too large. */
function constantOf({ fields }: ParseNode): LiteralArgument {
  const value = fields.get('constvalue')
  if (!Array.isArray(value)) return undefined
  const bytes = Buffer.from(value.map((byte) => Number(byte) & 255))
  switch (fields.get('consttype')) {
    case INT8:
      return bytes.length < 8 ? undefined : Number(bytes.readBigInt64LE())
    case INT4:
    case INT2:
      return bytes.length < 4 ? undefined : bytes.readInt32LE()
    case TEXT:
      return bytes.subarray(HEADER_BYTES).toString('utf8')
    case NUMERIC:
      return numericOf(bytes.subarray(HEADER_BYTES))
    default:
      return undefined
  }
}

/** `NumericShort` and `NumericLong` of `numeric.c`. Infinity and NaN count as infinite. */
function numericOf(bytes: Buffer): LiteralArgument {
  if (bytes.length < 2) return undefined
  const header = bytes.readUInt16LE()
  const flags = header & 0xc0_00
  if (flags === 0xc0_00) return Infinity
  const isShort = flags === 0x80_00
  if (!isShort && bytes.length < 4) return undefined
  const isNegative = isShort ? (header & 0x20_00) !== 0 : flags === 0x40_00
  const weight = isShort ? (header & 0x3f) - (header & 0x40) : bytes.readInt16LE(2)
  let sum = 0
  for (let at = isShort ? 2 : 4, power = weight; at + 1 < bytes.length; at += 2, power -= 1) {
    sum += bytes.readUInt16LE(at) * NUMERIC_BASE ** power
  }
  return isNegative ? -sum : sum
}
