import {
  absolute,
  compare,
  divide,
  HUNDRED,
  multiply,
  negate,
  NoAnswer,
  ONE,
  add,
  rational,
  subtract,
  toNumber,
  type Rational,
  literal,
} from './rational.ts'
import { FIGURE_NAMES, figureCode, figureOf, figureTitle, figureValue } from './statistics.ts'
import { finding, type Finding, type Show } from './wording.ts'

/** What a rule is given: the numbers of the question in the order of the pattern's groups, and its words. */
export interface Match {
  readonly n: readonly Rational[]
  /** The words that the pattern captured, in their order. */
  readonly words: readonly string[]
  readonly show: Show
}

export interface Rule {
  readonly pattern: RegExp
  readonly find: (match: Match) => Finding
  /** Two of its numbers say "from … to …"; years in their place would be dates. */
  readonly isSpan?: boolean
}

/** A number in a pattern. */
const N = '(-?#\\d+)'
const PERCENT = '(?:%| %| percent)'
const PERCENTAGE = '(?:percent|percentage|%)'
const CHANGE = 'change|increase|decrease|growth|rise|drop|fall|decline'
const LIST = '((?:-?#\\d+(?:\\s*,\\s*(?:and )?| and | ))+-?#\\d+)'

function rule(pattern: string, find: Rule['find'], isSpan = false): Rule {
  return { pattern: new RegExp(`^${pattern}$`), find, isSpan }
}

/** Questions over the numbers in them, each pattern the whole question. Growth over time has its own file. */
export const NUMBER_RULES: readonly Rule[] = [
  rule(`${N}${PERCENT} of ${N}`, ({ n: [p, of], show }) => {
    const value = multiply(divide(p!, HUNDRED), of!)
    return finding(`${show(p!)}% of ${show(of!)} is ${show(value)}.`, `${literal(p!)} / 100 * ${literal(of!)}`, value)
  }),
  rule(`${N} (?:is|are|makes) (?:what|which) ${PERCENTAGE} of ${N}`, ({ n, show }) => shareOf(n[0]!, n[1]!, show)),
  rule(`${N} as (?:a |an )?${PERCENTAGE} of ${N}`, ({ n, show }) => shareOf(n[0]!, n[1]!, show)),
  rule(`(?:what |which )?(?:${PERCENTAGE}|share|fraction|proportion) of ${N} (?:is|are) ${N}`, ({ n, show }) =>
    shareOf(n[1]!, n[0]!, show),
  ),
  rule(`(?:${PERCENTAGE}|share) (?:that )?${N} (?:is|makes up|represents) of ${N}`, ({ n, show }) =>
    shareOf(n[0]!, n[1]!, show),
  ),
  rule(
    `${PERCENTAGE} (?:${CHANGE}|difference) (?:from|between) ${N} (?:to|and) ${N}`,
    ({ n, show }) => change(n[0]!, n[1]!, show),
    true,
  ),
  rule(
    `(?:${CHANGE}|growth rate|rate of change)(?: in ${PERCENTAGE})? from ${N} to ${N}(?: in ${PERCENTAGE})?`,
    ({ n, show }) => change(n[0]!, n[1]!, show),
    true,
  ),
  rule(`(?:increase|raise|grow) ${N} by ${N}${PERCENT}`, ({ n, show }) => changed(n[0]!, n[1]!, '+', show)),
  rule(`(?:decrease|reduce|lower|cut|discount) ${N} by ${N}${PERCENT}`, ({ n, show }) =>
    changed(n[0]!, n[1]!, '-', show),
  ),
  rule(`${N} (?:increased|raised|plus) (?:by )?${N}${PERCENT}(?: more)?`, ({ n, show }) =>
    changed(n[0]!, n[1]!, '+', show),
  ),
  rule(`${N} (?:decreased|reduced|lowered|discounted|minus|less) (?:by )?${N}${PERCENT}`, ({ n, show }) =>
    changed(n[0]!, n[1]!, '-', show),
  ),
  rule(`${N}${PERCENT} (?:off|discount on|less than) ${N}`, ({ n, show }) => changed(n[1]!, n[0]!, '-', show)),
  rule(`${N}${PERCENT} more than ${N}`, ({ n, show }) => changed(n[1]!, n[0]!, '+', show)),
  rule(`add ${N}${PERCENT} (?:tax |vat )?to ${N}`, ({ n, show }) => changed(n[1]!, n[0]!, '+', show)),
  rule(`(?:subtract|take) ${N}${PERCENT} (?:off|from) ${N}`, ({ n, show }) => changed(n[1]!, n[0]!, '-', show)),
  rule(`ratio (?:of|between) ${N} (?:to|and) ${N}`, ({ n, show }) => ratio(n[0]!, n[1]!, show)),
  rule(`simplify (?:the ratio )?${N} ?: ?${N}`, ({ n, show }) => ratio(n[0]!, n[1]!, show)),
  rule(`(?:absolute )?difference (?:between|of) ${N} and ${N}`, ({ n, show }) => difference(n[0]!, n[1]!, show)),
  rule(`subtract ${N} from ${N}`, ({ n, show }) => {
    const value = subtract(n[1]!, n[0]!)
    return finding(`${show(n[1]!)} − ${show(n[0]!)} is ${show(value)}.`, `${literal(n[1]!)} - ${literal(n[0]!)}`, value)
  }),
  rule(`how much (?:more|larger|bigger|greater|higher|less|smaller|lower) is ${N} than ${N}`, ({ n, show }) =>
    difference(n[0]!, n[1]!, show),
  ),
  rule(
    `how many times (?:larger|bigger|greater|higher|more|as large|as big)? ?is ${N} (?:than|as) ${N}`,
    ({ n, show }) => times(n[0]!, n[1]!, show),
  ),
  rule(`how many times (?:does )?${N} (?:go|goes|fit|fits) in(?:to)? ${N}`, ({ n, show }) => times(n[1]!, n[0]!, show)),
  rule(
    `is ${N} (more|larger|bigger|greater|higher|less|smaller|lower) than ${N}`,
    ({ n: [a, b], words: [word], show }) => {
      const isMore = /more|larger|bigger|greater|higher/.test(word!)
      const order = compare(a!, b!)
      const yes = isMore ? order > 0 : order < 0
      const relation = order === 0 ? 'equal to' : order > 0 ? 'greater than' : 'less than'
      const code = `${literal(a!)} ${isMore ? '>' : '<'} ${literal(b!)}`
      return { answer: `${yes ? 'Yes' : 'No'}: ${show(a!)} is ${relation} ${show(b!)}.`, code }
    },
  ),
  rule(
    `(?:which|what) (?:number )?is (?:the )?(?:larger|bigger|greater|higher|more|largest|biggest)[,:]? ${N} or ${N}`,
    ({ n, show }) => extreme(n, 'max', show),
  ),
  rule(
    `(?:which|what) (?:number )?is (?:the )?(?:smaller|lower|less|smallest|lowest)[,:]? ${N} or ${N}`,
    ({ n, show }) => extreme(n, 'min', show),
  ),
  rule(`compare ${N} (?:and|with|to|against) ${N}`, ({ n, show }) => comparison(n[0]!, n[1]!, show)),
  rule(`add (?:up )?${LIST}`, ({ n, show }) => figure('sum', n, show)),
  rule(`multiply ${N} (?:by|and|with) ${N}`, ({ n, show }) => figure('product', n, show)),
  rule(`divide ${N} by ${N}`, ({ n: [a, b], show }) => {
    const value = divide(a!, b!)
    return finding(`${show(a!)} ÷ ${show(b!)} is ${show(value)}.`, `${literal(a!)} / ${literal(b!)}`, value)
  }),
  rule(
    `(${FIGURE_NAMES})(?: (?:value|number))?(?: (?:of|for|from|among|in|between))?(?: (?:the )?(?:numbers|values|following numbers|following))?:? ${LIST}`,
    ({ n, words: [name], show }) => figure(name!, n, show),
  ),
]

function shareOf(part: Rational, whole: Rational, show: Show): Finding {
  const value = multiply(divide(part, whole), HUNDRED)
  return finding(
    `${show(part)} is ${show(value)}% of ${show(whole)}.`,
    `${literal(part)} / ${literal(whole)} * 100`,
    value,
  )
}

function change(from: Rational, to: Rational, show: Show): Finding {
  if (compare(from, rational(0n)) <= 0) throw new NoAnswer('A change in percent needs a start above zero.')
  const value = multiply(divide(subtract(to, from), from), HUNDRED)
  const direction = compare(value, rational(0n)) < 0 ? 'a decrease' : 'an increase'
  const answer = `From ${show(from)} to ${show(to)} is ${direction} of ${show(absolute(value))}% (${show(subtract(to, from))}).`
  return finding(answer, `(${literal(to)} - ${literal(from)}) / ${literal(from)} * 100`, value)
}

function changed(base: Rational, percent: Rational, sign: '+' | '-', show: Show): Finding {
  const value = multiply(base, add(ONE, divide(sign === '+' ? percent : negate(percent), HUNDRED)))
  const answer = `${show(base)} ${sign === '+' ? 'plus' : 'minus'} ${show(percent)}% is ${show(value)}.`
  return finding(answer, `${literal(base)} * (1 ${sign} ${literal(percent)} / 100)`, value)
}

function ratio(a: Rational, b: Rational, show: Show): Finding {
  const value = divide(a, b)
  const answer = `The ratio of ${show(a)} to ${show(b)} is ${show(rational(value.top))} : ${show(rational(value.bottom))} (${show(value)}).`
  return finding(answer, `${literal(a)} / ${literal(b)}`, value)
}

function difference(a: Rational, b: Rational, show: Show): Finding {
  const value = absolute(subtract(a, b))
  const relation = compare(a, b) === 0 ? 'the same as' : compare(a, b) > 0 ? 'more than' : 'less than'
  const answer =
    compare(a, b) === 0
      ? `There is no difference: both are ${show(a)}.`
      : `The difference is ${show(value)}: ${show(a)} is ${relation} ${show(b)}.`
  return finding(answer, `abs(${literal(a)} - ${literal(b)})`, value)
}

function times(a: Rational, b: Rational, show: Show): Finding {
  const value = divide(a, b)
  return finding(`${show(a)} is ${show(value)} times ${show(b)}.`, `${literal(a)} / ${literal(b)}`, value)
}

function extreme(n: readonly Rational[], name: 'max' | 'min', show: Show): Finding {
  const value = figureValue(name, n)
  const answer =
    compare(n[0]!, n[1]!) === 0
      ? `Both are ${show(value)}.`
      : `${show(value)} is the ${name === 'max' ? 'larger' : 'smaller'} one.`
  return finding(answer, figureCode(name, list(n)), value)
}

/** Difference, ratio and percentage of two numbers. */
export function comparison(a: Rational, b: Rational, show: Show): Finding {
  const order = compare(a, b)
  if (order === 0) return { answer: `Both are ${show(a)}.`, code: `${literal(a)} == ${literal(b)}` }
  const code = `${literal(a)} - ${literal(b)}`
  const more = `${show(a)} is ${show(absolute(subtract(a, b)))} ${order > 0 ? 'more' : 'less'} than ${show(b)}`
  if (toNumber(b) <= 0 || toNumber(a) <= 0) return finding(`${more}.`, code, subtract(a, b))
  const percent = multiply(divide(subtract(a, b), b), HUNDRED)
  return finding(
    `${more} (${order > 0 ? '+' : ''}${show(percent)}%, or ${show(divide(a, b))} times as much).`,
    code,
    subtract(a, b),
  )
}

function figure(name: string, n: readonly Rational[], show: Show): Finding {
  const kind = figureOf(name === 'product' ? 'product' : name)
  const value = figureValue(kind, n)
  const answer = `The ${figureTitle(kind)} of ${n.map(show).join(', ')} is ${show(value)}.`
  return finding(answer, figureCode(kind, list(n)), value)
}

function list(n: readonly Rational[]): string {
  return `[${n.map(literal).join(', ')}]`
}
