import type { Param } from '../catalogue/types.ts'
import type { Word } from '../search/question.ts'
import { stem, wordsOf } from '../search/tokens.ts'
import { dateValue, spanAt } from './dates.ts'
import { use, type Reading } from './reading.ts'

/** A limit that the question sets: "over 500", "since 2026-01-01". */
export interface Bound {
  readonly end: 'from' | 'to'
  readonly kind: 'number' | 'date'
  readonly value: string | number
  readonly said: string
}

const FROM =
  /^(over|above|exceeding|more than|greater than|larger than|higher than|at least|minimum|min|since|after|from|starting|>=?)$/
const TO =
  /^(under|below|less than|fewer than|lower than|smaller than|cheaper than|at most|up to|maximum|max|before|until|till|by|<=?)$/

/** Takes all limits out of the question; their words count as used. */
export function takeBounds(reading: Reading): Bound[] {
  const { words, used } = reading
  const found: Bound[] = []
  for (let at = 0; at < words.length; at++) {
    if (used.has(at)) continue
    const taken = between(reading, at) ?? oneSided(reading, at) ?? span(reading, at)
    if (taken === undefined) continue
    found.push(...taken.bounds)
    use(reading, at, taken.length)
  }
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
  const bound = (end: Bound['end'], value: number): Bound => ({ end, kind: 'number', value, said })
  return { bounds: [bound('from', low), bound('to', high)], length: 4 }
}

function oneSided({ words, today }: Reading, at: number): Taken | undefined {
  for (const length of [2, 1]) {
    const said = words
      .slice(at, at + length)
      .map(({ lower }) => lower)
      .join(' ')
    const end = FROM.test(said) ? 'from' : TO.test(said) ? 'to' : undefined
    if (end === undefined) continue
    const dates = spanAt(words, at + length, today)
    if (dates !== undefined) {
      const value = end === 'from' ? dates.from : dates.to
      return { bounds: [{ end, kind: 'date', value, said: `${said} ${value}` }], length: length + dates.length }
    }
    const value = numberAt(words[at + length])
    if (value !== undefined)
      return { bounds: [{ end, kind: 'number', value, said: `${said} ${value}` }], length: length + 1 }
  }
  return undefined
}

function span({ words, today }: Reading, at: number): Taken | undefined {
  const dates = spanAt(words, at, today)
  if (dates === undefined) return undefined
  const said = words
    .slice(at, at + dates.length)
    .map(({ text }) => text)
    .join(' ')
  const bounds = (['from', 'to'] as const).map((end): Bound => ({ end, kind: 'date', value: dates[end], said }))
  return { bounds, length: dates.length }
}

function numberAt(word: Word | undefined): number | undefined {
  const plain = word?.text.replace(/^[$€£₹]|[$€£₹]$/g, '').replace(/,(?=\d{3}\b)/g, '')
  return plain !== undefined && /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}

const MARKS: Readonly<Record<Bound['end'], ReadonlySet<string>>> = {
  from: new Set([
    'min',
    'minimum',
    'from',
    'gte',
    'gt',
    'ge',
    'over',
    'above',
    'greater',
    'after',
    'since',
    'start',
    'begin',
    'lower',
  ]),
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

export function boundValue(bound: Bound, param: Param): string | number {
  return bound.kind === 'date' ? dateValue(String(bound.value), bound.end, param.type.format) : bound.value
}

function isDate({ name, type }: Param): boolean {
  if (type.format === 'date' || type.format === 'date-time') return true
  if (type.type === 'number' || type.type === 'integer') return false
  return /date|time|day|since|until|after|before|(^|_)at($|_)/i.test(name)
}
