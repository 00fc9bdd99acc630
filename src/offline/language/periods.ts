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
  readonly isRelative?: boolean
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const QUARTERS = ['first', 'second', 'third', 'fourth']
const YEAR = String.raw`(?<year>(?:19|20)\d\d)`
const OF_YEAR = `(?: of| ,)? ${YEAR}`
const QUARTER = `(?:q(?<quarter>[1-4])|(?<nth>${QUARTERS.join('|')}) quarter)`
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`
const whole = (form: string): RegExp => new RegExp(`^(?:${form})(?= |$)`)

/** A year, a quarter, a month or a day of a year that is named. The longer ones come first. */
const FIXED = [
  String.raw`${YEAR}-(?<number>\d\d)(?:-(?<day>\d\d))?`,
  `${QUARTER}${OF_YEAR}`,
  `${YEAR} ${QUARTER}`,
  `${MONTH} ${DAY}${OF_YEAR}`,
  `${DAY} ${MONTH}${OF_YEAR}`,
  `${MONTH}${OF_YEAR}`,
  YEAR,
].map(whole)
const BARE_MONTH = whole(MONTH)
const THIS = whole('(?<which>this|current|last|previous) (?<unit>week|month|quarter|year)')
const LAST = whole(String.raw`(?:last|past) (?<count>\d{1,3}) (?<unit>day|week|month|quarter|year)s?`)

/**
 * Reads the period whose words start at this token, including the preposition: `in March 2024`, `since 2020`, `between
 * 2021 and 2022`, `last 3 months`. Only unambiguous ranges of days are read.
 * @param today YYYY-MM-DD; base of “last year”
 * @param isRange whether `from 2022 to 2023` is one period instead of two
 */
export function periodAt(tokens: readonly Token[], at: number, today: string, isRange = true): FoundPeriod | undefined {
  const lead = tokens[at]?.lower ?? ''
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
  const start = at + (relation === '' ? 0 : tokens[at + 1]?.lower === 'the' ? 2 : 1)
  const span = spanAt(tokens, start, today) ?? (relation === 'since' ? lastMonthNamed(tokens, start, today) : undefined)
  if (span === undefined) return undefined
  const { from, before, text, isRelative } = span
  const isSince = relation === 'from' && /^(?:on|onwards?)$/.test(tokens[start + span.length]?.lower ?? '')
  const length = start + span.length - at + (isSince ? 1 : 0)
  const words = tokens.slice(start, start + span.length).map((one) => one.text)
  const note = isRelative === true ? { assumption: `“${words.join(' ')}” is ${from} to ${addDays(before, -1)}` } : {}
  if (isSince || relation === 'since') return { from, text: `since ${text}`, length, ...note }
  if (relation === 'after') return { from: before, text: `after ${text}`, length, ...note }
  if (relation === 'before') return { before: from, text: `before ${text}`, length, ...note }
  return { from, before, text: isRelative === true ? text : `in ${text}`, length, ...note }
}

/** The words from a token on, with number words as digits. */
function textAt(tokens: readonly Token[], at: number): string {
  const texts = tokens.slice(at, at + 5).map(({ kind, lower, value }) => {
    return kind === 'quoted' ? '"' : kind === 'word' && value !== undefined ? String(value) : lower
  })
  return texts.join(' ')
}

function spanAt(tokens: readonly Token[], at: number, today: string): Span | undefined {
  const text = textAt(tokens, at)
  for (const form of FIXED) {
    const match = form.exec(text)
    if (match !== null) return fixedSpan(match.groups!, match[0].split(' ').length)
  }
  return relativeSpan(text, today)
}

function fixedSpan(groups: Readonly<Record<string, string | undefined>>, length: number): Span | undefined {
  const { quarter, nth, month, number, day } = groups
  const year = Number(groups['year'])
  if (quarter !== undefined || nth !== undefined) {
    const nthQuarter = quarter === undefined ? QUARTERS.indexOf(nth!) + 1 : Number(quarter)
    return monthsFrom(year, nthQuarter * 3 - 3, 3, `Q${nthQuarter} ${year}`, length)
  }
  if (month === undefined && number === undefined) return monthsFrom(year, 0, 12, String(year), length)
  const at = month === undefined ? Number(number) - 1 : MONTHS.indexOf(month.slice(0, 3))
  if (at < 0 || at > 11) return undefined
  if (day === undefined) return monthsFrom(year, at, 1, `${monthName(at)} ${year}`, length)
  const from = formatIsoDay(year, at, Number(day))
  return Number(from.slice(8)) === Number(day) ? { from, before: addDays(from, 1), text: from, length } : undefined
}

function monthsFrom(year: number, month: number, count: number, text: string, length: number): Span {
  return { from: formatIsoDay(year, month), before: formatIsoDay(year, month + count), text, length }
}

function monthName(month: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month, 1))
}

/** `today`, `this year`, `last quarter`, `last 30 days`: counted from today. */
function relativeSpan(text: string, today: string): Span | undefined {
  const tomorrow = addDays(today, 1)
  if (/^today(?= |$)/.test(text)) return { from: today, before: tomorrow, text: 'today', length: 1, isRelative: true }
  const { count = '', unit = '' } = LAST.exec(text)?.groups ?? {}
  if (Number(count) > 0) {
    const from = stepped(tomorrow, unit, -Number(count))
    const words = `in the last ${count} ${unit}${count === '1' ? '' : 's'}`
    return { from, before: tomorrow, text: words, length: 3, isRelative: true }
  }
  const named = THIS.exec(text)
  if (named === null) return undefined
  const { which = '', unit: step = '' } = named.groups!
  const begin = startOf(today, step)
  const from = /^(?:this|current)$/.test(which) ? begin : stepped(begin, step, -1)
  return { from, before: stepped(from, step, 1), text: `${which} ${step}`, length: 2, isRelative: true }
}

/** “Since March”: the last one. */
function lastMonthNamed(tokens: readonly Token[], at: number, today: string): Span | undefined {
  const month = MONTHS.indexOf(BARE_MONTH.exec(textAt(tokens, at))?.[0].slice(0, 3) ?? '')
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number]
  const year = month + 1 > thisMonth ? thisYear - 1 : thisYear
  return month < 0 ? undefined : { ...monthsFrom(year, month, 1, `${monthName(month)} ${year}`, 1), isRelative: true }
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
function formatIsoDay(year: number, month: number, day = 1): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}

/** The day a number of days later, or earlier. */
function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
