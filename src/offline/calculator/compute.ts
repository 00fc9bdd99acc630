import { exactNumber, type ExactNumber } from '../../shared/exact-number.ts'
import { localeProfile } from '../../shared/locale.ts'
import { noModelMessage } from '../../domain/model.ts'
import { evaluateExpression } from '../../agents/computation/expression.ts'
import {
  exactDecimal,
  isWhole,
  roundedTo,
  toNumber,
  NoAnswer,
  type Rational,
} from '../../agents/computation/rational.ts'

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

/** Computes the arithmetic expression in a question. Declines everything else. */
export function compute(question: string, locale?: string): Computed {
  const normalized = question.length > MAX_QUESTION ? '' : question.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const text = normalized
    .replace(/[?.=:, ]+$/, '')
    .replace(LEAD, '')
    .replace(/^the /, '')
  try {
    if (isReadOneWay(text, locale)) {
      const found = arithmetic(text, locale)
      if (found !== undefined) return found
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { kind: 'refusal', reason: error.message }
  }
  return {
    kind: 'refusal',
    reason: `${noModelMessage()} Without one, ask such as “15% of 240” or “(2 + 3) * 4”.`,
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
  const value = /^[\d.]+$/.test(expression) ? undefined : evaluateExpression(expression)
  if (value === undefined) return undefined
  const answer = `The result is ${formatValue(value, locale)}.`
  return { kind: 'finding', answer, code: expression.trim(), value: plainValue(value) }
}

/** In the locale's form, with up to four decimals; small numbers with four digits. */
function formatValue(value: Rational, locale: string | undefined): string {
  const near = toNumber(value)
  if (near !== 0 && Math.abs(near) < 0.001) return String(Number(near.toPrecision(4)))
  const isLarge = isWhole(value) && Math.abs(near) > Number.MAX_SAFE_INTEGER
  return isLarge ? value.top.toString() : localeProfile(locale).number(roundedTo(value, 4))
}

/** Exact if the decimals are finite, else the nearest double. */
function plainValue(value: Rational): ExactNumber {
  const decimal = exactDecimal(value)
  return decimal === undefined ? toNumber(value) : exactNumber(decimal)
}
