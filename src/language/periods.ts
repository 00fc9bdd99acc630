import { ruleText } from '../core/rule-text.ts'
import { addDays } from './days.ts'
import { maskForeign } from './mask.ts'
import { endsAt, isReversed } from './ranges.ts'
import { spanAtStart, type Span } from './spans.ts'
import { goesOn, isFiscal, unreadAt, wordsAt, type Unread } from './unread.ts'

/** Days that words speak of: a half-open stretch of ISO dates. A missing end is open. */
export interface Period {
  readonly from?: string
  /** The first day that no longer belongs to it. */
  readonly before?: string
  /** How a person would say it: `in March 2024`, `since 2020`, `last month`. */
  readonly text: string
  /** A reading that was chosen: what “last month” was taken to be. */
  readonly assumption?: string
  /** The word before it; `in` stands for all that leave the days as they are. */
  readonly relation: 'in' | 'since' | 'after' | 'before' | 'until' | 'between'
}

export interface FoundPeriod extends Period {
  /** Where its words begin in the text, with their preposition, and where they end. */
  readonly start: number
  readonly end: number
}

interface Read extends Period {
  readonly length: number
}

type Relation = Exclude<Period['relation'], 'between'>

/** A year standing alone is taken for one only where the reader knows that a time is due. */
type Place = 'anywhere' | 'due'

const RELATIONS: readonly (readonly [RegExp, Relation])[] = [
  [/^since(?: the)?(?: (?:beginning|start) of(?: the)?)? /i, 'since'],
  [/^(?:starting|beginning)(?: (?:in|on|from|with))?(?: the)? /i, 'since'],
  [/^after(?: the)?(?: end of(?: the)?)? /i, 'after'],
  [/^(?:before|prior to)(?: the)?(?: (?:beginning|start) of(?: the)?)? /i, 'before'],
  [/^(?:until|till|through|up to|by)(?: the)?(?: end of(?: the)?)? /i, 'until'],
  [/^(?:in|during|on|throughout|from|for|of|within|over)(?: the)? /i, 'in'],
  [/^the /i, 'in'],
]
/** Every time has one of these: most questions have none, and spare themselves some fifty patterns. */
const TIME_WORD =
  /\d|day|week|month|quarter|half|year|[wmqy]td|tomorrow|hour|minute|decade|century|night|morning|evening|period|spring|summer|autumn|fall|winter|christmas|easter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/iu
const ONWARDS = /^ (?:on|onwards?)(?![\p{L}\p{N}])/iu
const CLOSING = /^,?(?: and| but)? (?:(?<before>before)|until|till|through|to|up to)(?: the)?(?: end of(?: the)?)? /i

/**
 * The period whose words, preposition included, begin at this place of a text: `in March 2024`, `since 2020`, `between
 * 2021 and 2022`, `last 3 months`, `on 2024-03-05`. `today` is YYYY-MM-DD; without one only dates in full are read.
 */
export function periodAt(text: string, at: number, today: string, place: Place = 'due'): FoundPeriod | undefined {
  const words = wordsAt(text, at)
  const ends = endsAt(words, today)
  if (isFiscal(words) || isReversed(ends)) return undefined
  const read = rangeOf(ends, words, place) ?? relatedAt(words, today, place)
  if (read === undefined) return undefined
  const { length, ...period } = read
  return { ...period, start: at, end: at + length }
}

/** The first period that a text speaks of, wherever it stands; what is unclear is passed over, and `unreadIn` names it. */
export function periodIn(text: string, today: string): FoundPeriod | undefined {
  return timesIn(text, today).find((time): time is FoundPeriod => !('reason' in time))
}

/** The first words of a text that speak of a time that cannot be turned into days, and why not. */
export function unreadIn(text: string, today: string): Unread | undefined {
  return timesIn(text, today).find((time): time is Unread => 'reason' in time)
}

/**
 * All times that a text speaks of, in order: periods, and what is no stretch of days that could be counted. Quoted words,
 * code and addresses are passed over.
 */
export function timesIn(text: string, today: string): readonly (FoundPeriod | Unread)[] {
  const times: (FoundPeriod | Unread)[] = []
  const open = maskForeign(ruleText(text))
  if (!TIME_WORD.test(open)) return times
  let passed = 0
  for (const { index } of open.matchAll(/(?<![\p{L}\p{N}$€£#.,-])[\p{L}\p{N}]/gu)) {
    if (index < passed) continue
    const found = periodAt(open, index, today, 'anywhere')
    const unread = found === undefined ? unreadAt(open, index, today) : goesOn(open, found, today)
    const time = unread ?? found
    if (time === undefined) continue
    times.push(time)
    passed = time.end
    const other = 'reason' in time ? undefined : besideAt(open, time, today)
    if (other === undefined) continue
    times.push(other)
    passed = other.end
  }
  return times
}

/** “In 2023 and 2024”: after a time, a bare year is one, too. */
function besideAt(text: string, { end }: FoundPeriod, today: string): FoundPeriod | undefined {
  const joint = /^(?:,? (?:and|or|vs\.?|versus) |, )/.exec(wordsAt(text, end))
  return joint === null ? undefined : periodAt(text, end + joint[0].length, today)
}

function rangeOf(ends: ReturnType<typeof endsAt>, words: string, place: Place): Read | undefined {
  if (ends === undefined) return undefined
  if (!('second' in ends)) {
    return { ...daysOf(ends), relation: 'between', text: `from ${ends.text}`, length: ends.length }
  }
  const { begin, second, length } = ends
  if (!ends.isLed && ends.isBare && (place === 'anywhere' || begin.from >= second.before)) return undefined
  const isChosen = second.assumption !== undefined || (begin.assumption !== undefined && !ends.isToldByEnd)
  const said = words.slice(0, length)
  return {
    from: begin.from,
    before: second.before,
    text: `from ${begin.text} to ${second.text}`,
    ...(isChosen ? { assumption: `“${said}” is ${begin.from} to ${addDays(second.before, -1)}` } : {}),
    relation: 'between',
    length,
  }
}

function relatedAt(words: string, today: string, place: Place): Read | undefined {
  for (const [pattern, relation] of RELATIONS) {
    const lead = pattern.exec(words)?.[0]
    if (lead === undefined) continue
    const rest = words.slice(lead.length)
    const span = spanAtStart(rest, today)
    if (span === undefined || isPair(span, rest) || !isTime(span, lead, relation, rest, place)) continue
    const isOpen =
      relation === 'in' && lead.toLowerCase().startsWith('from') ? ONWARDS.exec(rest.slice(span.length)) : null
    if (isOpen === null) return related(span, relation, words, lead.length + span.length, today)
    return related(span, 'since', words, lead.length + span.length + isOpen[0].length, today)
  }
  const span = spanAtStart(words, today)
  if (span === undefined || isPair(span, words)) return undefined
  if (span.bare !== undefined && !(span.bare === 'year' && place === 'due')) return undefined
  return related(span, 'in', words, span.length, today)
}

/** “On 5 and 9 March” are two days; “between 5 and 9 March” are five. */
function isPair({ isRange, length }: Span, words: string): boolean {
  return isRange === true && / and /i.test(words.slice(0, length))
}

/** “May”, “2000” and “Monday” are times only after some words: “over 2000” is a number, “of June Smith” a person. */
function isTime(span: Span, lead: string, relation: Relation, rest: string, place: Place): boolean {
  if (span.bare === undefined) return true
  const word = /^\w+/.exec(lead)![0].toLowerCase()
  switch (span.bare) {
    case 'weekday':
      return relation !== 'in' && !/^(?:by|through|up)$/.test(word)
    case 'month':
      return (
        !/^(?:on|the|up)$/.test(word) &&
        !(/^(?:for|of|from|by)$/.test(word) && /^ \p{Lu}/u.test(rest.slice(span.length)))
      )
    case 'year':
      if (/^(?:from|between)$/.test(word) && /^ (?:to|and|until) \d/.test(rest.slice(span.length))) return false
      return place === 'due' ? !/^(?:over|within|up)$/.test(word) : !/^(?:over|within|up|on|the)$/.test(word)
  }
}

function related(span: Span, relation: Relation, words: string, length: number, today: string): Read {
  const told = span.assumption === undefined ? {} : { assumption: span.assumption }
  switch (relation) {
    case 'before':
      return { before: span.from, text: `before ${span.text}`, ...told, relation, length }
    case 'until':
      return { before: span.before, text: `until ${span.text}`, ...told, relation, length }
    case 'after':
    case 'since': {
      const from = relation === 'after' ? span.before : span.from
      const text = `${relation} ${span.text}`
      return closed({ from, text, ...told, relation, length }, words, today)
    }
    case 'in': {
      const isOneDay = addDays(span.from, 1) === span.before
      const isPlain = /^(?:last|this|previous|prior|current|next|coming|the) /.test(span.text)
      const text = isPlain ? span.text : `${span.isRange === true ? 'from' : isOneDay ? 'on' : 'in'} ${span.text}`
      return { ...daysOf(span), text, ...told, relation, length }
    }
  }
}

/** “Since March and before 1 May 2025” has an end, too. */
function closed(open: Read & { readonly from: string }, words: string, today: string): Read {
  const closing = CLOSING.exec(words.slice(open.length))
  if (closing === null) return open
  const start = open.length + closing[0].length
  const span = spanAtStart(words.slice(start), today)
  if (span === undefined || span.bare === 'weekday') return open
  const isBefore = closing.groups?.['before'] !== undefined
  const before = isBefore ? span.from : span.before
  if (before <= open.from) return open
  const length = start + span.length
  const isChosen = open.assumption !== undefined || span.assumption !== undefined
  return {
    from: open.from,
    before,
    text: `${open.text} and ${isBefore ? 'before' : 'until'} ${span.text}`,
    ...(isChosen ? { assumption: `“${words.slice(0, length)}” is ${open.from} to ${addDays(before, -1)}` } : {}),
    relation: 'between',
    length,
  }
}

function daysOf({ from, before, assumption }: Span): Pick<Period, 'from' | 'before' | 'assumption'> {
  return { from, before, ...(assumption === undefined ? {} : { assumption }) }
}

/** The same for a text that is already cut into words; `length` is the number of words read. */
export function periodAtWord(
  words: readonly string[],
  at: number,
  today: string,
  place: Place = 'due',
): { readonly period: Period; readonly length: number } | undefined {
  const next = words.slice(at, at + 16)
  const found = periodAt(next.join(' ').replaceAll(/ (?=,)/g, ''), 0, today, place)
  if (found === undefined) return undefined
  const { start: _start, end, ...period } = found
  let [length, read] = [0, -1]
  while (read < end && length < next.length) read += next[length++]!.length + (next[length] === ',' ? 0 : 1)
  return { period, length }
}

/** The period that a text is as a whole: `2025`, `Q1 2025`, `2025-01-01 to 2025-03-31`. */
export function periodOf(text: string, today: string): Period | undefined {
  const found = periodAt(text.trim(), 0, today)
  if (found === undefined || found.end !== text.trim().length) return undefined
  const { start: _start, end: _end, ...period } = found
  return period
}

/** The last day of a period. */
export function lastDayOf({ before }: Pick<Period, 'before'>): string | undefined {
  return before === undefined ? undefined : addDays(before, -1)
}
