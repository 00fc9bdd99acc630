import type { Token } from './tokens.ts'

/** A half-open span of days, ISO dates; a missing end is open. */
export interface DateRange {
  readonly from?: string
  readonly before?: string
  /** How a person would say it: `in 2023`. */
  readonly text: string
  /** A reading that was chosen: what “last month” was taken to be. */
  readonly assumption?: string
}

export interface DateMatch {
  readonly range: DateRange
  readonly length: number
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

interface Period {
  readonly from: string
  readonly before: string
  readonly length: number
  readonly text: string
  readonly assumption?: string
}

/**
 * A date expression that starts at this token, with its preposition: `in March 2024`, `since 2020`, `between 2021 and
 * 2022`, `last 3 months`, `Q1 2024`, `on 2024-03-05`, `this year`. `today` is YYYY-MM-DD.
 */
export function dateAt(tokens: readonly Token[], at: number, today: string): DateMatch | undefined {
  const word = tokens[at]?.lower ?? ''
  if (word === 'between' || word === 'from') {
    const first = periodAt(tokens, at + 1, today)
    const joint = tokens[at + 1 + (first?.length ?? 0)]?.lower ?? ''
    if (first !== undefined && /^(and|to|until|till|through)$/.test(joint)) {
      const second = periodAt(tokens, at + 2 + first.length, today)
      if (second === undefined || second.from < first.from) return undefined
      const range = { from: first.from, before: second.before, text: `from ${first.text} to ${second.text}` }
      return { range, length: 2 + first.length + second.length }
    }
    if (word === 'between') return undefined
  }
  const [relation, skipped] = prepositionAt(tokens, at)
  const period = periodAt(tokens, at + skipped, today)
  if (period === undefined) return undefined
  const length = skipped + period.length
  const told = period.assumption === undefined ? {} : { assumption: period.assumption }
  if (relation === 'before') return { range: { before: period.from, text: `before ${period.text}`, ...told }, length }
  if (relation === 'until') return { range: { before: period.before, text: `until ${period.text}`, ...told }, length }
  if (relation === 'after') return { range: { from: period.before, text: `after ${period.text}`, ...told }, length }
  if (relation === 'since') return { range: { from: period.from, text: `since ${period.text}`, ...told }, length }
  const isDay = dayAfter(period.from) === period.before
  const said = /^(last|this|previous|current)/.test(period.text) ? period.text : `${isDay ? 'on' : 'in'} ${period.text}`
  return { range: { from: period.from, before: period.before, text: said, ...told }, length }
}

function prepositionAt(tokens: readonly Token[], at: number): readonly [string, number] {
  const word = tokens[at]?.lower ?? ''
  const the = tokens[at + 1]?.lower === 'the' ? 1 : 0
  if (word === 'before' || word === 'prior') return ['before', tokens[at + 1]?.lower === 'to' ? 2 : 1]
  if (word === 'until' || word === 'till') return ['until', 1]
  if (word === 'after') return ['after', 1]
  if (word === 'since') return ['since', 1 + the]
  if (word === 'starting' && tokens[at + 1]?.lower === 'in') return ['since', 2]
  if (/^(in|during|on|throughout|from|for|of)$/.test(word)) return ['in', 1 + the]
  // “over 2000” is a number; “over the last year” is a time.
  if (/^(within|over)$/.test(word) && yearOf(tokens[at + 1]) === undefined) return ['in', 1 + the]
  if (word === 'the') return ['in', 1]
  return ['in', 0]
}

function periodAt(tokens: readonly Token[], at: number, today: string): Period | undefined {
  if (tokens[at]?.lower === 'the') {
    const inner = periodAt(tokens, at + 1, today)
    return inner === undefined ? undefined : { ...inner, length: inner.length + 1 }
  }
  return (
    isoDayAt(tokens, at) ??
    quarterAt(tokens, at) ??
    monthAt(tokens, at) ??
    yearAt(tokens, at) ??
    relativeAt(tokens, at, today)
  )
}

function yearOf(token: Token | undefined): number | undefined {
  const value = token?.kind === 'number' && /^\d{4}$/.test(token.text) ? token.value : undefined
  return value !== undefined && value >= 1900 && value < 2100 ? value : undefined
}

function yearAt(tokens: readonly Token[], at: number): Period | undefined {
  const named = tokens[at]?.lower === 'year' ? 1 : 0
  const year = yearOf(tokens[at + named])
  if (year === undefined) return undefined
  return { from: `${year}-01-01`, before: `${year + 1}-01-01`, length: 1 + named, text: String(year) }
}

function isoDayAt(tokens: readonly Token[], at: number): Period | undefined {
  const text = tokens[at]?.lower ?? ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)) || addDays(text, 0) !== text) return undefined
  return { from: text, before: dayAfter(text), length: 1, text }
}

function monthIndex(token: Token | undefined): number {
  const word = token?.lower ?? ''
  if (word.length < 3) return -1
  return MONTHS.findIndex((m) => m === word || m.slice(0, 3) === word || (word === 'sept' && m === 'september'))
}

/** `March 2024`, `5 March 2024`, `March 5, 2024`. A month without a year is ambiguous and is not matched. */
function monthAt(tokens: readonly Token[], at: number): Period | undefined {
  const first = tokens[at]
  const dayFirst = first?.kind === 'number' ? first.value : /^(\d+)(st|nd|rd|th)$/.exec(first?.lower ?? '')?.[1]
  const gap = dayFirst === undefined ? 0 : 1
  const of = gap === 1 && tokens[at + 1]?.lower === 'of' ? 1 : 0
  const month = monthIndex(tokens[at + gap + of])
  if (month < 0) return undefined
  const next = at + gap + of + 1
  if (dayFirst === undefined) {
    const dayLater =
      tokens[next]?.kind === 'number' && yearOf(tokens[next]) === undefined
        ? tokens[next]?.value
        : /^(\d+)(st|nd|rd|th)$/.exec(tokens[next]?.lower ?? '')?.[1]
    const comma = tokens[next + 1]?.kind === 'comma' ? 1 : 0
    const year = yearOf(tokens[next + 1 + comma])
    if (dayLater !== undefined && year !== undefined) return dayPeriod(year, month, Number(dayLater), 3 + comma)
  }
  const of2 = tokens[next]?.lower === 'of' ? 1 : 0
  const year = yearOf(tokens[next + of2])
  if (year === undefined) return undefined
  if (dayFirst !== undefined) return dayPeriod(year, month, Number(dayFirst), 3 + of + of2)
  const name = MONTHS[month] ?? ''
  const text = `${name[0]?.toUpperCase()}${name.slice(1)} ${year}`
  return { from: iso(year, month), before: iso(year, month + 1), length: 2 + of2, text }
}

function dayPeriod(year: number, month: number, day: number, length: number): Period | undefined {
  const from = iso(year, month, day)
  const expected = `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return from === expected ? { from, before: dayAfter(from), length, text: from } : undefined
}

/** `Q1 2024`, `first quarter of 2024`. */
function quarterAt(tokens: readonly Token[], at: number): Period | undefined {
  const short = /^q([1-4])$/.exec(tokens[at]?.lower ?? '')?.[1]
  const ordinal = ['first', 'second', 'third', 'fourth'].indexOf(tokens[at]?.lower ?? '') + 1
  const long = ordinal > 0 && tokens[at + 1]?.lower === 'quarter' ? 2 : 0
  const used = short !== undefined ? 1 : long
  if (used === 0) return undefined
  const quarter = short === undefined ? ordinal : Number(short)
  const of = tokens[at + used]?.lower === 'of' ? 1 : 0
  const year = yearOf(tokens[at + used + of])
  if (year === undefined) return undefined
  const month = (quarter - 1) * 3
  return { from: iso(year, month), before: iso(year, month + 3), length: used + of + 1, text: `Q${quarter} ${year}` }
}

function relativeAt(tokens: readonly Token[], at: number, today: string): Period | undefined {
  const word = tokens[at]?.lower ?? ''
  if (word === 'today') return { from: today, before: dayAfter(today), length: 1, text: today }
  if (word === 'yesterday') return { from: addDays(today, -1), before: today, length: 1, text: addDays(today, -1) }
  const isLast = /^(last|past|previous)$/.test(word)
  if (!isLast && !/^(this|current)$/.test(word)) return undefined
  const next = tokens[at + 1]
  const count = isLast && next?.kind === 'number' ? next.value : undefined
  const unitToken = tokens[at + (count === undefined ? 1 : 2)]
  const unit = ['day', 'week', 'month', 'quarter', 'year'].find((u) => unitToken?.forms.has(u))
  if (unit === undefined || (unit === 'day' && count === undefined)) return undefined
  if (count !== undefined) return rolling(count, unit, today)
  return calendar(unit, word === 'past' ? 0 : isLast ? -1 : 0, today, word)
}

function rolling(count: number, unit: string, today: string): Period | undefined {
  if (!Number.isInteger(count) || count < 1 || count > 10_000) return undefined
  const back = { day: count, week: count * 7 }[unit]
  const months = { month: count, quarter: count * 3, year: count * 12 }[unit] ?? 0
  const from = back === undefined ? addMonths(today, -months) : addDays(today, -back)
  const text = `the last ${count} ${unit}s`
  return {
    from,
    before: dayAfter(today),
    length: 3,
    text,
    assumption: `“last ${count} ${unit}s” is ${from} to ${today}`,
  }
}

function calendar(unit: string, shift: number, today: string, word: string): Period | undefined {
  if (word === 'past') return undefined
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1]
  const span = {
    year: [iso(year + shift, 0), iso(year + shift + 1, 0)],
    quarter: [iso(year, (Math.floor(month / 3) + shift) * 3), iso(year, (Math.floor(month / 3) + shift + 1) * 3)],
    month: [iso(year, month + shift), iso(year, month + shift + 1)],
    week: [addDays(monday(today), 7 * shift), addDays(monday(today), 7 * (shift + 1))],
  }[unit]
  const [from, before] = span ?? []
  if (from === undefined || before === undefined) return undefined
  const assumption = `“${word} ${unit}” is ${from} to ${addDays(before, -1)}`
  return { from, before, length: 2, text: unit === 'year' ? from.slice(0, 4) : `${word} ${unit}`, assumption }
}

function iso(year: number, month: number, day = 1): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

function dayAfter(day: string): string {
  return addDays(day, 1)
}

/** The same day some months off, or the last day of that month where it is shorter. */
function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return iso(year, month - 1 + months, Math.min(date, last))
}

function monday(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}
