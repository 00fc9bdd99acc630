import * as exact from '../../agents/computation/rational.ts'
import { exactNumber, type ExactNumber } from '../../shared/exact-number.ts'
import { localeProfile } from '../../shared/locale.ts'
import { noModelMessage } from '../../domain/model.ts'
import { evaluateExpression } from '../../agents/computation/expression.ts'
import { formatLiteral, NoAnswer, parseDecimal, type Rational } from '../../agents/computation/rational.ts'

export type Computed =
  | {
      readonly kind: 'finding'
      readonly answer: string
      /** The formula, for verification. */
      readonly code: string
      readonly value: ExactNumber
    }
  | { readonly kind: 'refusal'; readonly reason: string }

const MAX_QUESTION = 1_000

/** Texts that look like arithmetic but may mean something else: dates, ranges of years, `20% 50`, `5!`. */
const AMBIGUOUS =
  /\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}([/.])\d{1,2}\1\d{2,4}\b|\b(?:19|20)\d\d ?- ?(?:19|20)\d\d\b|% ?[\d(]|!/

const LEAD =
  /^(?:please )?(?:(?:can|could) you )?(?:what is|what's|how much is|calculate|compute|evaluate|solve|work out)\b:? ?/

/** Arithmetic words and their operators. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^(\S+) is what percent(?:age)? of (\S+)$/, '$1 / $2 * 100'],
  [/^what percent(?:age)? of (\S+) is (\S+)$/, '$2 / $1 * 100'],
  [/\bmultiplied by\b|\btimes\b|[×·]|(?<=[\d)] ?)x(?= ?[\d(])/g, '*'],
  [/\bdivided by\b|÷/g, '/'],
  [/\bto the power of\b/g, '^'],
  [/\bplus\b/g, '+'],
  [/\bminus\b|[−–]/g, '-'],
  [/\bsquare root of\b/g, 'sqrt'],
  [/\bpercent\b/g, '%'],
  [/[$€£](?=\d)/g, ''],
]

const STATISTICS: Readonly<Record<string, (values: readonly Rational[]) => Rational>> = {
  sum,
  average: (values) => exact.divide(sum(values), exact.rational(BigInt(values.length))),
  median(values) {
    const sorted = values.toSorted(exact.compare)
    const middle = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!]
    return exact.divide(sum(middle), exact.rational(2n))
  },
  minimum: (values) => values.reduce((least, one) => (exact.compare(one, least) < 0 ? one : least)),
  maximum: (values) => values.reduce((most, one) => (exact.compare(one, most) > 0 ? one : most)),
}
const NAMES: Readonly<Record<string, string>> = {
  total: 'sum',
  mean: 'average',
  min: 'minimum',
  lowest: 'minimum',
  smallest: 'minimum',
  max: 'maximum',
  highest: 'maximum',
  largest: 'maximum',
}
const STATISTIC = new RegExp(`^(${[...Object.keys(STATISTICS), ...Object.keys(NAMES)].join('|')})(?: of)? (.+)$`)
/** Computes the arithmetic in a question: an expression, or a statistic of numbers. Declines everything else. */
export function compute(question: string, locale?: string): Computed {
  const whole = question.length > MAX_QUESTION ? '' : question.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const text = whole
    .replace(/[?.=:, ]+$/, '')
    .replace(LEAD, '')
    .replace(/^the /, '')
  try {
    if (isReadOneWay(text, locale)) {
      const found = statistic(text, locale) ?? arithmetic(text, locale)
      if (found !== undefined) return found
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { kind: 'refusal', reason: error.message }
  }
  return {
    kind: 'refusal',
    reason: `${noModelMessage()} Without one, ask such as “15% of 240”, “sum of 4, 8 and 15.5”.`,
  }
}

/** In a locale with a decimal comma, `1.250` is ambiguous. */
function isReadOneWay(text: string, locale: string | undefined): boolean {
  const isPoint = localeProfile(locale).number(1.5) === '1.5'
  return text !== '' && !AMBIGUOUS.test(text) && (isPoint || !/\d[.,]\d{3}(?!\d)/.test(text))
}

function arithmetic(text: string, locale: string | undefined): Computed | undefined {
  const plain = text.replaceAll(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g, (number) => number.replaceAll(',', ''))
  const expression = SIGNS.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), plain)
  // A number alone is not a question.
  const result = /^[\d.]+$/.test(expression) ? undefined : evaluateExpression(expression)
  if (result === undefined) return undefined
  const { value, code } = result
  return { kind: 'finding', answer: `The result is ${formatValue(value, locale)}.`, code, value: plainValue(value) }
}

function statistic(text: string, locale?: string): Computed | undefined {
  const [, said = '', over = ''] = STATISTIC.exec(text) ?? []
  const name = NAMES[said] ?? said
  const figure = STATISTICS[name]
  const values = listed(over)
  if (figure === undefined || values === undefined) return undefined
  const value = figure(values)
  return {
    kind: 'finding',
    answer: `The ${name} of ${values.map((one) => formatValue(one, locale)).join('; ')} is ${formatValue(value, locale)}.`,
    code: `${name}(${values.map(formatLiteral).join(', ')})`,
    value: plainValue(value),
  }
}

/** `4, 8 and 15.5`. A comma without a space may be part of a number, so it is not read. */
function listed(text: string): readonly Rational[] | undefined {
  const parts = text.split(/ ?[,;] (?:and )?| and /).map((part) => parseDecimal(part.replace(/^[$€£]/, '')))
  const values = parts.filter((value) => value !== undefined)
  return values.length > 1 && values.length === parts.length ? values : undefined
}

function sum(values: readonly Rational[]): Rational {
  return values.reduce(exact.add, exact.ZERO)
}

/** In the locale's form, with up to four decimals; small numbers with four digits. */
function formatValue(value: Rational, locale: string | undefined): string {
  const near = exact.toNumber(value)
  if (near !== 0 && Math.abs(near) < 0.001) return String(Number(near.toPrecision(4)))
  const isLarge = exact.isWhole(value) && Math.abs(near) > Number.MAX_SAFE_INTEGER
  return isLarge ? value.top.toString() : localeProfile(locale).number(exact.roundedTo(value, 4))
}

/** Exact if the decimals are finite, else the nearest double. */
function plainValue(value: Rational): ExactNumber {
  const decimal = exact.exactDecimal(value)
  return decimal === undefined ? exact.toNumber(value) : exactNumber(decimal)
}
