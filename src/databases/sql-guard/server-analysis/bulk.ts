import { wordSet } from '../../../shared/word-set.ts'
import { checkValueSize, MAX_SERIES, type Bulk } from '../size.ts'
import { literalOf } from './constant.ts'
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
