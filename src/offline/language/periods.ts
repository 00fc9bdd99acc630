import type { Token } from './tokens.ts'

/** A half-open stretch of ISO days. A missing end is open. */
export interface Period {
  readonly from?: string
  /** The first day that no longer belongs to it. */
  readonly before?: string
  /** How a person says it: `in March 2024`, `since 2020`. */
  readonly text: string
  /** A reading that was chosen: what “last month” was taken to be. */
  readonly assumption?: string
}

export interface FoundPeriod extends Period {
  /** Tokens that were read, with the preposition. */
  readonly length: number
}

interface Span {
  readonly from: string
  readonly before: string
  readonly text: string
  readonly length: number
  /** Counts from today. */
  readonly isRelative?: true
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH_NAME =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/
const ORDINALS = ['first', 'second', 'third', 'fourth']

/**
 * Reads the period whose words start at this token, including the preposition: `in March 2024`, `since 2020`, `between
 * 2021 and 2022`, `last 3 months`. Only unambiguous ranges of days are read.
 * @param today YYYY-MM-DD; base of “last year”
 * @param isRange whether `from 2022 to 2023` is one period instead of two
 */
export function periodAt(tokens: readonly Token[], at: number, today: string, isRange = true): FoundPeriod | undefined {
  const lead = tokens[at]?.lower ?? ''
  const skip = (next: number): number => (tokens[next]?.lower === 'the' ? next + 1 : next)
  if (isRange && (lead === 'between' || lead === 'from')) {
    const first = spanAt(tokens, at + 1, today)
    const joint = first === undefined ? -1 : at + 1 + first.length
    const isJoint = (lead === 'between' ? /^and$/ : /^(?:to|until|till|through)$/).test(tokens[joint]?.lower ?? '')
    const last = isJoint ? spanAt(tokens, joint + 1, today) : undefined
    if (first !== undefined && last !== undefined) {
      if (first.from >= last.before) return undefined
      const length = joint + 1 + last.length - at
      return { from: first.from, before: last.before, text: `from ${first.text} to ${last.text}`, length }
    }
    if (lead === 'between') return undefined
  }
  const relation = /^(?:in|during|on|for|from|of|since|after|before)$/.test(lead) ? lead : ''
  const start = relation === '' ? at : skip(at + 1)
  const span = spanAt(tokens, start, today)
  if (span === undefined) return undefined
  const { from, before, text } = span
  const isSince = relation === 'from' && /^(?:on|onwards?)$/.test(tokens[start + span.length]?.lower ?? '')
  const length = start + span.length - at + (isSince ? 1 : 0)
  const spanWords = tokens.slice(start, start + span.length).map((one) => one.text)
  const note = span.isRelative ? { assumption: `“${spanWords.join(' ')}” is ${from} to ${addDays(before, -1)}` } : {}
  switch (isSince ? 'since' : relation) {
    case 'since':
      return { from, text: `since ${text}`, length, ...note }
    case 'after':
      return { from: before, text: `after ${text}`, length, ...note }
    case 'before':
      return { before: from, text: `before ${text}`, length, ...note }
    default:
      return { from, before, text: span.isRelative ? text : `in ${text}`, length, ...note }
  }
}

function spanAt(tokens: readonly Token[], at: number, today: string): Span | undefined {
  return fixedSpan(tokens, at) ?? relativeSpan(tokens, at, today)
}

const yearOf = (token: Token | undefined): number | undefined =>
  token !== undefined && /^(?:19|20)\d\d$/.test(token.text) ? Number(token.text) : undefined

const monthOf = (token: Token | undefined): number =>
  MONTH_NAME.test(token?.lower ?? '') ? MONTHS.indexOf(token!.lower.slice(0, 3)) : -1

function dayOf(token: Token | undefined): number | undefined {
  const text = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(token?.lower ?? '')?.[1]
  return text === undefined || Number(text) < 1 || Number(text) > 31 ? undefined : Number(text)
}

function quarterOf(
  tokens: readonly Token[],
  at: number,
): { readonly quarter: number; readonly length: number } | undefined {
  const short = /^q([1-4])$/.exec(tokens[at]?.lower ?? '')?.[1]
  if (short !== undefined) return { quarter: Number(short), length: 1 }
  const place = ORDINALS.indexOf(tokens[at]?.lower ?? '')
  return place >= 0 && tokens[at + 1]?.lower === 'quarter' ? { quarter: place + 1, length: 2 } : undefined
}

/** A year, a quarter, a month or a day of a year that is named. */
function fixedSpan(tokens: readonly Token[], at: number): Span | undefined {
  const token = tokens[at]
  const iso = /^((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?$/.exec(token?.text ?? '')
  if (iso !== null) {
    const [year, month, day] = [Number(iso[1]), Number(iso[2]) - 1, iso[3]]
    return day === undefined ? monthSpan(year, month, 1) : daySpan(year, month, Number(day), 1)
  }
  const ofYear = (next: number): { readonly year: number; readonly length: number } | undefined => {
    const gap = tokens[next]?.lower === 'of' || tokens[next]?.lower === ',' ? 1 : 0
    const year = yearOf(tokens[next + gap])
    return year === undefined ? undefined : { year, length: gap + 1 }
  }
  const year = yearOf(token)
  if (year !== undefined) {
    const second = quarterOf(tokens, at + 1)
    if (second !== undefined) return quarterSpan(year, second.quarter, 1 + second.length)
    return { from: formatIsoDay(year, 0), before: formatIsoDay(year + 1, 0), text: String(year), length: 1 }
  }
  const quarter = quarterOf(tokens, at)
  if (quarter !== undefined) {
    const yearAfterQuarter = ofYear(at + quarter.length)
    return yearAfterQuarter === undefined
      ? undefined
      : quarterSpan(yearAfterQuarter.year, quarter.quarter, quarter.length + yearAfterQuarter.length)
  }
  const month = monthOf(token)
  if (month >= 0) {
    const day = dayOf(tokens[at + 1])
    const dayYear = day === undefined ? undefined : ofYear(at + 2)
    if (day !== undefined && dayYear !== undefined) return daySpan(dayYear.year, month, day, 2 + dayYear.length)
    const yearAfterMonth = ofYear(at + 1)
    return yearAfterMonth === undefined ? undefined : monthSpan(yearAfterMonth.year, month, 1 + yearAfterMonth.length)
  }
  const [day, named] = [dayOf(token), monthOf(tokens[at + 1])]
  const yearAfterDay = day === undefined || named < 0 ? undefined : ofYear(at + 2)
  return yearAfterDay === undefined ? undefined : daySpan(yearAfterDay.year, named, day!, 2 + yearAfterDay.length)
}

function quarterSpan(year: number, quarter: number, length: number): Span {
  const first = (quarter - 1) * 3
  return { from: formatIsoDay(year, first), before: formatIsoDay(year, first + 3), text: `Q${quarter} ${year}`, length }
}

function monthSpan(year: number, month: number, length: number): Span | undefined {
  if (month < 0 || month > 11) return undefined
  const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(year, month, 1))
  return { from: formatIsoDay(year, month), before: formatIsoDay(year, month + 1), text: `${name} ${year}`, length }
}

function daySpan(year: number, month: number, day: number, length: number): Span | undefined {
  const from = formatIsoDay(year, month, day)
  if (month > 11 || Number(from.slice(8)) !== day) return undefined
  return { from, before: addDays(from, 1), text: from, length }
}

/** `today`, `this year`, `last quarter`, `last 30 days`: counted from today. */
function relativeSpan(tokens: readonly Token[], at: number, today: string): Span | undefined {
  const first = tokens[at]?.lower ?? ''
  if (first === 'today') return { from: today, before: addDays(today, 1), text: 'today', length: 1, isRelative: true }
  if (!/^(?:this|current|last|previous|past)$/.test(first)) return undefined
  const count = tokens[at + 1]?.value
  const unit = /^(day|week|month|quarter|year)s?$/.exec(tokens[at + (count === undefined ? 1 : 2)]?.lower ?? '')?.[1]
  if (unit === undefined) return undefined
  if (count !== undefined) {
    if (!/^(?:last|past)$/.test(first) || count < 1 || count > 1_000 || !Number.isInteger(count)) return undefined
    const before = addDays(today, 1)
    const text = `in the last ${count} ${unit}${count === 1 ? '' : 's'}`
    return { from: stepped(before, unit, -count), before, text, length: 3, isRelative: true }
  }
  if (unit === 'day' || first === 'past') return undefined
  const isNow = first === 'this' || first === 'current'
  const begin = startOf(today, unit)
  const from = isNow ? begin : stepped(begin, unit, -1)
  return { from, before: stepped(from, unit, 1), text: `${first} ${unit}`, length: 2, isRelative: true }
}

function startOf(day: string, unit: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1]
  if (unit === 'week') return addDays(day, -((new Date(Date.parse(day)).getUTCDay() + 6) % 7))
  return formatIsoDay(year, unit === 'year' ? 0 : unit === 'quarter' ? month - (month % 3) : month)
}

function stepped(day: string, unit: string, count: number): string {
  if (unit === 'day' || unit === 'week') return addDays(day, count * (unit === 'week' ? 7 : 1))
  const months = count * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1)
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return formatIsoDay(year, month - 1 + months, Math.min(date, last))
}

/** Months count from 0; those beyond the year are carried over. */
export function formatIsoDay(year: number, month: number, day = 1): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}

/** The day a number of days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
