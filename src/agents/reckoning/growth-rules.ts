import type { Match, Rule } from './number-rules.ts'
import {
  add,
  compare,
  divide,
  HUNDRED,
  multiply,
  NoAnswer,
  ONE,
  power,
  fromNumber,
  rational,
  subtract,
  toNumber,
  type Rational,
  literal,
} from './rational.ts'
import { finding, type Finding } from './wording.ts'

const N = '(-?#\\d+)'
const RATE = `${N}(?:%| %| percent)`
const A_YEAR =
  '(?: (?:interest|growth|annual interest|yearly interest|annual growth|yearly growth))?(?: (?:a|per|each|every) (?:year|annum)| annually| yearly| p\\.?a\\.?)?(?: (?:interest|growth))?'
const YEARS = `(?:over|for|in|after|during) ${N} years?`
const COMPOUNDED = '(?:,? (?:compounded|compounding) (annually|yearly|semi-annually|quarterly|monthly|weekly|daily))?'

const PERIODS: Readonly<Record<string, bigint>> = {
  annually: 1n,
  yearly: 1n,
  'semi-annually': 2n,
  quarterly: 4n,
  monthly: 12n,
  weekly: 52n,
  daily: 365n,
}

/** Interest, projections and growth rates. */
export const GROWTH_RULES: readonly Rule[] = [
  grown(`(?:compound )?interest (?:on|of|for) ${N} at ${RATE}${A_YEAR} ${YEARS}${COMPOUNDED}`, interest),
  ...[
    `(?:future value|final amount|value|balance) of ${N} (?:invested |saved )?at`,
    `${N} (?:invested |saved |growing |grows )?(?:at|by|with)`,
    `(?:project|forecast|estimate|grow|compound) ${N} (?:at|by|with|growing at|growing by)`,
    `how much (?:is|will) ${N} (?:be worth |be |become |worth )?(?:at|with)`,
  ].map((asked) => grown(`${asked} ${RATE}${A_YEAR} ${YEARS}${COMPOUNDED}`, balance)),
  grown(`simple interest (?:on|of|for) ${N} at ${RATE}${A_YEAR} ${YEARS}`, ({ n, show }) => {
    const [amount, rate, years] = n as [Rational, Rational, Rational]
    const value = multiply(multiply(amount, divide(rate, HUNDRED)), years)
    const answer = `The simple interest on ${show(amount)} at ${show(rate)}% a year for ${show(years)} years is ${show(value)}; together that is ${show(add(amount, value))}.`
    return finding(answer, `${literal(amount)} * ${literal(rate)} / 100 * ${literal(years)}`, value)
  }),
  grown(
    `(?:cagr|compound annual growth rate|average annual growth|annual growth rate)(?: (?:of|for))? (?:from )?${N} to ${N} ${YEARS}`,
    ({ n, show }) => {
      const [from, to, years] = n as [Rational, Rational, Rational]
      if ([from, to, years].some((value) => compare(value, rational(0n)) <= 0)) {
        throw new NoAnswer('A growth rate needs amounts and a time above zero.')
      }
      const value = fromNumber(((toNumber(to) / toNumber(from)) ** (1 / toNumber(years)) - 1) * 100)
      const answer = `From ${show(from)} to ${show(to)} in ${show(years)} years is a growth of ${show(value)}% a year (CAGR).`
      return finding(answer, `((${literal(to)} / ${literal(from)}) ** (1 / ${literal(years)}) - 1) * 100`, value)
    },
  ),
]

function grown(pattern: string, find: Rule['find']): Rule {
  return { pattern: new RegExp(`^${pattern}$`), find, isSpan: true }
}

function compound({ n, words, show }: Match): { amount: Rational; total: Rational; code: string; terms: string } {
  const [amount, rate, years] = n as [Rational, Rational, Rational]
  const per = PERIODS[words[0] ?? 'annually']!
  const times = multiply(years, rational(per))
  if (compare(times, rational(100_000n)) > 0) throw new NoAnswer('That is too long a time.')
  const factor = add(ONE, divide(rate, multiply(HUNDRED, rational(per))))
  // Hundreds of periods would give exact fractions of thousands of digits.
  const isShort = compare(times, rational(120n)) <= 0 && times.bottom === 1n
  const growth = isShort ? power(factor, times) : fromNumber(toNumber(factor) ** toNumber(times))
  const code = `${literal(amount)} * (1 + ${literal(rate)} / 100${per === 1n ? '' : ` / ${per}`}) ** ${per === 1n ? literal(years) : `(${per} * ${literal(years)})`}`
  const terms = `${show(amount)} at ${show(rate)}% a year for ${show(years)} years, compounded ${words[0] ?? 'annually'},`
  return { amount, total: multiply(amount, growth), code, terms }
}

function balance(match: Match): Finding {
  const { amount, total, code, terms } = compound(match)
  const gain = match.show(cents(subtract(total, amount)))
  return finding(`${terms} grow to ${match.show(cents(total))}, a gain of ${gain}.`, code, cents(total))
}

function interest(match: Match): Finding {
  const { amount, total, code, terms } = compound(match)
  const gain = cents(subtract(total, amount))
  const answer = `The compound interest on ${terms} is ${match.show(gain)}; together that is ${match.show(cents(total))}.`
  return finding(answer, `${code} - ${literal(amount)}`, gain)
}

/** Rounded to two decimals, half away from zero. */
function cents(value: Rational): Rational {
  const doubled = value.top * 200n
  const half = value.top < 0n ? -value.bottom : value.bottom
  return rational((doubled + half) / (2n * value.bottom), 100n)
}
