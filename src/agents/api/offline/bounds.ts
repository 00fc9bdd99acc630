import { addNumbers, exactNumber, type ExactNumber } from '../../../core/exact-number.ts'
import { wordSet } from '../../../core/word-set.ts'
import { addDays } from '../../../language/days.ts'
import { lastDayOf, periodAtWord, type Period } from '../../../language/periods.ts'
import type { Param } from '../catalogue/types.ts'
import type { Word } from './question.ts'
import { stem, wordsOf } from '../../../language/tokens.ts'
import { dateValue } from '../request/date-value.ts'
import { use, type Reading } from './reading.ts'

/** A limit that the question sets: "over 500", "since 2026-01-01". */
export interface Bound {
  readonly end: 'from' | 'to'
  readonly kind: 'number' | 'date'
  readonly value: string | number
  /** The value itself is not meant: "over 500", "after 2026-01-01". */
  readonly isExclusive: boolean
  /** Of a number, where one was said. */
  readonly currency?: string
  readonly said: string
}

const FROM =
  /^(over|above|exceeding|more than|greater than|larger than|higher than|at least|minimum|min|since|after|from|starting|>=?)$/
const TO =
  /^(under|below|less than|fewer than|lower than|smaller than|cheaper than|at most|up to|maximum|max|before|until|till|by|<=?)$/

/** Those of the words above that leave the value itself out. */
const EXCLUSIVE = /^(over|above|exceeding|under|below|\w+ than|after|before|>|<)$/

/** Takes all limits out of the question; their words count as used. */
export function takeBounds(reading: Reading): Bound[] {
  const { words, used } = reading
  const found: Bound[] = []
  for (let at = 0; at < words.length; at++) {
    if (used.has(at)) continue
    const taken = dated(reading, at) ?? between(reading, at) ?? oneSided(reading, at)
    if (taken === undefined) continue
    found.push(...taken.bounds)
    use(reading, at, taken.length)
  }
  const { period } = reading
  // Nothing in the words: a planner knows it from the rest of what was asked.
  if (period !== undefined && !found.some(({ kind }) => kind === 'date')) found.push(...boundsOf(period, 'the period'))
  return found
}

interface Taken {
  readonly bounds: readonly Bound[]
  readonly length: number
}

function between({ words }: Reading, at: number): Taken | undefined {
  const [low, high] = [numberAt(words[at + 1]), numberAt(words[at + 3])]
  if (words[at]!.lower !== 'between' || words[at + 2]?.lower !== 'and' || low === undefined || high === undefined)
    return undefined
  const said = `between ${low} and ${high}`
  const money = moneyAt(words, at + 3)
  const bound = (end: Bound['end'], value: ExactNumber): Bound => {
    return { end, kind: 'number', value, isExclusive: false, ...money.currency, said }
  }
  return { bounds: [bound('from', low), bound('to', high)], length: 3 + money.length }
}

function oneSided({ words }: Reading, at: number): Taken | undefined {
  for (const length of [2, 1]) {
    const said = words
      .slice(at, at + length)
      .map(({ lower }) => lower)
      .join(' ')
    const end = FROM.test(said) ? 'from' : TO.test(said) ? 'to' : undefined
    if (end === undefined) continue
    const isExclusive = EXCLUSIVE.test(said)
    const value = numberAt(words[at + length])
    if (value === undefined) continue
    const money = moneyAt(words, at + length)
    const bound: Bound = { end, kind: 'number', value, isExclusive, ...money.currency, said: `${said} ${value}` }
    return { bounds: [bound], length: length + money.length }
  }
  return undefined
}

function dated({ words, today }: Reading, at: number): Taken | undefined {
  const found = periodAtWord(
    words.map(({ text }) => text),
    at,
    today,
    'anywhere',
  )
  if (found === undefined) return undefined
  const { length, period } = found
  const said = words
    .slice(at, at + length)
    .map(({ text }) => text)
    .join(' ')
  return { bounds: boundsOf(period, said), length }
}

/** “After the 3rd” and “before March” leave the day out that they name; some parameters want it so. */
function boundsOf(period: Pick<Period, 'from' | 'before'> & Partial<Period>, said: string): Bound[] {
  const bound = (end: Bound['end'], value: string | undefined, isExclusive = false): Bound[] =>
    value === undefined ? [] : [{ end, kind: 'date', value, isExclusive, said }]
  const { from, before, relation } = period
  if (relation === 'after' && before === undefined) return bound('from', addDays(from!, -1), true)
  if (relation === 'before') return bound('to', before, true)
  return [...bound('from', from), ...bound('to', lastDayOf(period))]
}

/** The currency of the number at `at`: its sign, or the word after it. `length` counts the words of both. */
function moneyAt(words: readonly Word[], at: number): { currency: { currency?: string }; length: number } {
  const sign = currencyOf(words[at]!.text.replace(/[\d.,-]/g, ''))
  const word = currencyOf(words[at + 1]?.lower ?? '')
  const currency = sign ?? word
  return { currency: currency === undefined ? {} : { currency }, length: word === undefined ? 1 : 2 }
}

function numberAt(word: Word | undefined): ExactNumber | undefined {
  const plain = word?.text.replace(/^[$€£₹]|[$€£₹]$/g, '').replace(/,(?=\d{3}\b)/g, '')
  return plain !== undefined && /^-?\d+(\.\d+)?$/.test(plain) ? exactNumber(plain) : undefined
}

const MARKS: Readonly<Record<Bound['end'], ReadonlySet<string>>> = {
  from: wordSet('min minimum from gte gt ge over above greater after since start begin lower'),
  to: new Set(['max', 'maximum', 'to', 'lte', 'lt', 'le', 'under', 'below', 'less', 'before', 'until', 'end', 'upper']),
}

/**
 * The one parameter that a limit can go into, or what is in the way: none is of its kind, or several are and the question
 * names none of them.
 */
export function paramFor(bound: Bound, params: readonly Param[], reading: Reading): Param | 'none' | 'several' {
  const fitting = params.filter((param) => {
    const words = wordsOf(param.name)
    return words.some((word) => MARKS[bound.end].has(word)) && isDate(param) === (bound.kind === 'date')
  })
  if (fitting.length <= 1) return fitting[0] ?? 'none'
  const named = fitting.filter((param) => {
    const nouns = wordsOf(param.name)
      .filter((word) => !MARKS[bound.end].has(word))
      .map(stem)
    return nouns.some((noun) => reading.words.some((word) => word.stem === noun))
  })
  return named.length === 1 ? named[0]! : 'several'
}

/** Names by which a parameter says that it leaves the value itself out. */
const EXCLUDES = new Set(['gt', 'lt', 'over', 'above', 'greater', 'after', 'under', 'below', 'less', 'before'])

/** The limit in the form of its parameter: an inclusive one takes the day after "after", the whole number above "over". */
export function boundValue({ end, kind, value, isExclusive }: Bound, { name, type }: Param): string | number {
  const isItselfExclusive = wordsOf(name).some((word) => EXCLUDES.has(word))
  const step = isExclusive && !isItselfExclusive ? (end === 'from' ? 1 : -1) : 0
  if (kind === 'number') return type.type === 'integer' ? addNumbers(value, step) : value
  // "After the 3rd" excludes all of that day.
  const edge = isExclusive && isItselfExclusive ? (end === 'from' ? 'to' : 'from') : end
  return dateValue(addDays(String(value), step), edge, type.format)
}

/** What speaks against putting an amount of this currency into the parameter; undefined when nothing does. */
export function currencyConflict({ currency }: Bound, { description }: Param): string | undefined {
  const other = currencyIn(description)
  return currency === undefined || other === undefined || other === currency ? undefined : other
}

function isDate({ name, type }: Param): boolean {
  if (type.format === 'date' || type.format === 'date-time') return true
  if (type.type === 'number' || type.type === 'integer') return false
  return /date|time|day|since|until|after|before|(^|_)at($|_)/i.test(name)
}

/** Signs and words for currencies, with their ISO 4217 codes. */
const CURRENCIES: readonly (readonly [code: string, names: RegExp])[] = [
  ['EUR', /^(€|euros?|eur)$/i],
  ['USD', /^(\$|dollars?|usd)$/i],
  ['GBP', /^(£|pounds?|gbp)$/i],
  ['INR', /^(₹|rupees?|inr)$/i],
  ['JPY', /^(¥|yen|jpy)$/i],
  ['CHF', /^(francs?|chf)$/i],
]

/** The code of the currency that a sign or word stands for. */
function currencyOf(word: string): string | undefined {
  return CURRENCIES.find(([, names]) => names.test(word))?.[0]
}

/** The one currency that a text speaks of; undefined when it is none or several. */
function currencyIn(text: string): string | undefined {
  const codes = new Set(text.split(/[^\p{L}\p{Sc}]+/u).flatMap((word) => currencyOf(word) ?? []))
  return codes.size === 1 ? [...codes][0] : undefined
}
