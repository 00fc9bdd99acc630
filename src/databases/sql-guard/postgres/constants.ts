import { list, text, tree } from '../json.ts'
import type { LiteralArgument } from '../size.ts'
import { builtIn, names } from './names.ts'

/** The value of a constant expression: a number, or a time or a duration in seconds. */
export interface Constant {
  readonly kind: 'number' | 'time' | 'interval'
  readonly value: number
}

/** Value used for now(). Counting rows needs only the decade. */
export const NOW = Date.UTC(2030, 0, 1) / 1000

/** A plain literal argument, such as that of `repeat`; undefined for any other expression. */
export function literalArgument(value: unknown): LiteralArgument {
  const constant = tree(tree(value)['A_Const'])
  if ('sval' in constant) return text(tree(constant['sval'])['sval']) ?? ''
  if ('fval' in constant) return Number(text(tree(constant['fval'])['fval'])?.replaceAll('_', ''))
  if ('ival' in constant) return Number(tree(constant['ival'])['ival'] ?? 0)
  const expression = tree(tree(value)['A_Expr'])
  if (names(expression['name'])[0] === '-' && expression['lexpr'] === undefined) {
    const inner = literalArgument(expression['rexpr'])
    return typeof inner === 'number' ? -inner : undefined
  }
  return undefined
}

/** Evaluates a constant expression, accurate enough to count rows; undefined if it depends on data. */
export function foldConstant(value: unknown): Constant | undefined {
  const [kind = '', body] = Object.entries(tree(value))[0] ?? []
  const node = tree(body)
  switch (kind) {
    case 'A_Const': {
      const found = literalArgument(value)
      return typeof found === 'string' ? readText(found) : numeric(found)
    }
    case 'TypeCast':
      return foldConstant(node['arg'])
    case 'A_Expr': {
      const joined = joinText(value)
      if (joined !== undefined) return readText(joined)
      return compute(names(node['name']).at(-1) ?? '', node['lexpr'], node['rexpr'])
    }
    case 'SQLValueFunction':
      return { kind: 'time', value: NOW }
    case 'FuncCall':
      return call(builtIn(names(node['funcname'])) ?? '', list(node['args']))
    default:
      return undefined
  }
}

/** `'1' || '000'`: a concatenated text. */
function joinText(value: unknown): string | undefined {
  const [kind = '', body] = Object.entries(tree(value))[0] ?? []
  const node = tree(body)
  if (kind === 'TypeCast') return joinText(node['arg'])
  if (kind === 'A_Const') return literalArgument(value)?.toString()
  if (kind !== 'A_Expr' || names(node['name']).at(-1) !== '||') return undefined
  const parts = [joinText(node['lexpr']), joinText(node['rexpr'])]
  return parts.includes(undefined) ? undefined : parts.join('')
}

function numeric(value: number | undefined): Constant | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : { kind: 'number', value }
}

function compute(operator: string, left: unknown, right: unknown): Constant | undefined {
  const b = foldConstant(right)
  const a = left === undefined ? ({ kind: b?.kind ?? 'number', value: 0 } satisfies Constant) : foldConstant(left)
  if (a === undefined || b === undefined) return undefined
  const spans = a.kind === b.kind ? 'interval' : a.kind === 'time' || b.kind === 'time' ? 'time' : 'interval'
  const kind = a.kind === 'number' && b.kind === 'number' ? 'number' : spans
  const value = ARITHMETIC[operator]?.(a.value, b.value)
  return value === undefined || Number.isNaN(value) ? undefined : { kind, value }
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
  '<<': (a, b) => a * 2 ** b,
}

function call(name: string, args: readonly unknown[]): Constant | undefined {
  switch (name) {
    case 'now':
    case 'transaction_timestamp':
    case 'statement_timestamp':
    case 'clock_timestamp':
      return { kind: 'time', value: NOW }
    case 'date_trunc':
      return foldConstant(args[1])
    case 'extract':
    case 'date_part':
      return part(literalArgument(args[0]), foldConstant(args[1]))
    case 'make_date': {
      const [year, month, day] = args.map(literalArgument)
      const isDate = [year, month, day].every((one) => typeof one === 'number')
      return isDate ? { kind: 'time', value: Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000 } : undefined
    }
    case 'power':
    case 'pow':
      return compute('^', args[0], args[1])
    default:
      return undefined
  }
}

function part(field: LiteralArgument, moment: Constant | undefined): Constant | undefined {
  if (moment === undefined) return undefined
  if (field === 'epoch') return { kind: 'number', value: moment.value }
  return field === 'year' ? { kind: 'number', value: new Date(moment.value * 1000).getUTCFullYear() } : undefined
}

const SECONDS: readonly (readonly [RegExp, number])[] = [
  [/^(microseconds?|us|usecs?)$/, 1e-6],
  [/^(milliseconds?|ms|msecs?)$/, 1e-3],
  [/^(seconds?|secs?|s)$/, 1],
  [/^(minutes?|mins?|m)$/, 60],
  [/^(hours?|hrs?|h)$/, 3600],
  [/^(days?|d)$/, 86_400],
  [/^(weeks?|w)$/, 604_800],
  [/^(months?|mons?)$/, 2_592_000],
  [/^(years?|yrs?|y)$/, 31_536_000],
]

/** A text as PostgreSQL would parse it as a number, a time or a duration, whichever it looks like. */
function readText(written: string): Constant | undefined {
  const normalized = written.trim().toLowerCase()
  if (/^[+-]?infinity$/.test(normalized))
    return { kind: 'time', value: normalized.startsWith('-') ? -Infinity : Infinity }
  if (['now', 'today', 'tomorrow', 'yesterday'].includes(normalized)) return { kind: 'time', value: NOW }
  if (normalized !== '' && !Number.isNaN(Number(normalized))) return { kind: 'number', value: Number(normalized) }
  const date = /^(\d{4,6})-(\d{1,2})(?:-(\d{1,2}))?(?![\d-])/.exec(normalized)
  if (date !== null) {
    return { kind: 'time', value: Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3] ?? 1)) / 1000 }
  }
  return readInterval(normalized)
}

function readInterval(shown: string): Constant | undefined {
  let value = 0
  const rest = shown
    .replace(/([+-]?)(\d+):(\d{1,2})(?::(\d{1,2}(?:\.\d+)?))?/, (_, sign: string, h: string, m: string, s = '0') => {
      value += (sign === '-' ? -1 : 1) * (Number(h) * 3600 + Number(m) * 60 + Number(s))
      return ' '
    })
    .replace(/([+-]?\d+(?:\.\d+)?)\s*([a-z]+)/g, (part, count: string, unit: string) => {
      const seconds = SECONDS.find(([name]) => name.test(unit))?.[1]
      if (seconds === undefined) return part
      value += Number(count) * seconds
      return ' '
    })
  return rest.trim() === '' && shown !== '' ? { kind: 'interval', value } : undefined
}
