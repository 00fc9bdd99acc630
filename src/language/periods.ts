import { addDays } from './days.ts'
import { spanAtStart, type Span } from './spans.ts'

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

/** Longer phrases are none. */
const LONGEST = 120

const RELATIONS: readonly (readonly [RegExp, Relation])[] = [
  [/^since(?: the)?(?: (?:beginning|start) of(?: the)?)? /i, 'since'],
  [/^(?:starting|beginning)(?: (?:in|on|from|with))?(?: the)? /i, 'since'],
  [/^after(?: the)?(?: end of(?: the)?)? /i, 'after'],
  [/^(?:before|prior to)(?: the)?(?: (?:beginning|start) of(?: the)?)? /i, 'before'],
  [/^(?:until|till|through|up to|by)(?: the)?(?: end of(?: the)?)? /i, 'until'],
  [/^(?:in|during|on|throughout|from|for|of|within|over)(?: the)? /i, 'in'],
  [/^the /i, 'in'],
]
const ONWARDS = /^ (?:on|onwards?)(?![\p{L}\p{N}])/iu
const RANGE = /^(?:(?<both>between|from)|for|in|during|over|of|throughout)(?: the)? /i
const JOINT = /^(?: (?<and>and) | (?:to|until|till|through) |\s*(?:–|—|\.\.)\s*| - |\/(?=\d{4}-))(?:the )?/i
const CLOSING = /^,?(?: and| but)? (?:(?<before>before)|until|till|through|to|up to)(?: the)?(?: end of(?: the)?)? /i

/** “Early 2024” and “the end of March” are no days that could be counted. */
const VAGUE =
  /^(?:(?:in|at|from|on|of|around|the) ){0,3}(?:early|late|mid|around|about|circa|(?:beginning|start|middle|end) of(?: the)?)[ -]/i

/** Such a day there is not; its month was not asked for. */
const NO_DAY = /^\d{1,2}(?:st|nd|rd|th)?(?: of)? (?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/i

const FISCAL_WORDS = String.raw`(?:fiscal|financial|accounting|tax|business) (?:year|quarter|half(?:[- ]year)?|month|period)s?(?: (?:of )?(?:19|20)\d\d)?(?:\/\d\d)?|fy ?'?\d\d(?:\d\d)?(?:\/\d\d)?|fiscal (?:19|20)\d\d`
const FISCAL = new RegExp(
  String.raw`^(?:(?:in|since|during|for|of|from|until|before|after|between|within|over|throughout) )?(?:the )?(?:(?:q[1-4]|h[12]|(?:first|second|third|fourth|last) (?:quarter|half)) (?:of )?)?(?:the )?(?:(?:last|this|next|current|previous|prior|past|our)(?: \w+)? )?(?:${FISCAL_WORDS})(?![\p{L}\p{N}])`,
  'iu',
)

/**
 * The period whose words, preposition included, begin at this place of a text: `in March 2024`, `since 2020`, `between
 * 2021 and 2022`, `last 3 months`, `on 2024-03-05`. `today` is YYYY-MM-DD; without one only dates in full are read.
 */
export function periodAt(text: string, at: number, today: string, place: Place = 'due'): FoundPeriod | undefined {
  const words = wordsAt(text, at)
  const read = FISCAL.test(words) ? undefined : (rangeAt(words, today, place) ?? relatedAt(words, today, place))
  if (read === undefined) return undefined
  const { length, ...period } = read
  return { ...period, start: at, end: at + length }
}

/**
 * The first period that a text speaks of, wherever it stands. Passed over are fiscal ones, as nobody has said when they
 * begin, and vague ones such as “early 2024”.
 */
export function periodIn(text: string, today: string): FoundPeriod | undefined {
  let passed = 0
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}$€£#.,-])[\p{L}\p{N}]/gu)) {
    if (index < passed) continue
    const found = periodAt(text, index, today, 'anywhere')
    if (found !== undefined) return found
    passed = index + uncountedAt(wordsAt(text, index), today)
  }
  return undefined
}

function wordsAt(text: string, at: number): string {
  return text.slice(at, at + LONGEST).replaceAll(/\s/g, ' ')
}

/** The length of a phrase that speaks of a time without saying which days. */
function uncountedAt(words: string, today: string): number {
  const length = (FISCAL.exec(words) ?? VAGUE.exec(words) ?? NO_DAY.exec(words))?.[0].length ?? 0
  return length === 0 ? 0 : length + (spanAtStart(words.slice(length), today)?.length ?? 0)
}

/** `between A and B`, `from A to B`, `A to B`. What the first leaves open (its year) follows from the second. */
function rangeAt(words: string, today: string, place: Place): Read | undefined {
  const lead = RANGE.exec(words)
  const start = lead?.[0].length ?? 0
  const first = spanAtStart(words.slice(start), today)
  if (first === undefined || first.bare === 'weekday') return undefined
  const between = first.isRange === true && lead?.groups?.['both'] !== undefined
  const joint = JOINT.exec(words.slice(start + first.length))
  if (joint === null || (joint.groups?.['and'] !== undefined && lead?.groups?.['both'] === undefined)) {
    return between
      ? { ...daysOf(first), relation: 'between', text: `from ${first.text}`, length: start + first.length }
      : undefined
  }
  const joined = start + first.length + joint[0].length
  const second = spanAtStart(words.slice(joined), today)
  if (second === undefined || second.bare === 'weekday') return undefined
  if (lead === null && first.bare !== undefined && second.bare !== undefined && place === 'anywhere') return undefined
  const isToldByEnd = first.isYearless === true
  const begin = isToldByEnd ? spanAtStart(words.slice(start), addDays(second.before, -1))! : first
  if (begin.from >= second.before) return undefined
  const isChosen = second.assumption !== undefined || (first.assumption !== undefined && !isToldByEnd)
  const said = words.slice(0, joined + second.length)
  return {
    from: begin.from,
    before: second.before,
    text: `from ${begin.text} to ${second.text}`,
    ...(isChosen ? { assumption: `“${said}” is ${begin.from} to ${addDays(second.before, -1)}` } : {}),
    relation: 'between',
    length: said.length,
  }
}

function relatedAt(words: string, today: string, place: Place): Read | undefined {
  for (const [pattern, relation] of RELATIONS) {
    const lead = pattern.exec(words)?.[0]
    if (lead === undefined) continue
    const rest = words.slice(lead.length)
    const span = spanAtStart(rest, today)
    if (span === undefined || !isTime(span, lead, relation, rest, place)) continue
    const isOpen =
      relation === 'in' && lead.toLowerCase().startsWith('from') ? ONWARDS.exec(rest.slice(span.length)) : null
    if (isOpen === null) return related(span, relation, words, lead.length + span.length, today)
    return related(span, 'since', words, lead.length + span.length + isOpen[0].length, today)
  }
  const span = spanAtStart(words, today)
  if (span === undefined || (span.bare !== undefined && !(span.bare === 'year' && place === 'due'))) return undefined
  return related(span, 'in', words, span.length, today)
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

/** The words for a fiscal period, which is another stretch of days in each company. */
export function fiscalWordsIn(text: string): string | undefined {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${FISCAL_WORDS})(?![\p{L}\p{N}])`, 'iu').exec(text)?.[0]
}

/** The last day of a period. */
export function lastDayOf({ before }: Pick<Period, 'before'>): string | undefined {
  return before === undefined ? undefined : addDays(before, -1)
}
