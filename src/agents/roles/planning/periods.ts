/** A span of days, both ends included, as ISO dates. A missing end is open. */
export interface DateRange {
  readonly from?: string
  readonly to?: string
}

export interface FoundPeriod extends DateRange {
  /** The words that say it. */
  readonly text: string
}

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ')
const MONTH = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
const YEAR = String.raw`(?<year>(?:19|20)\d\d)`
const UNIT = '(?<unit>day|week|month|quarter|half[- ]year|year)'
const COUNT = '(?<count>\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve)'
const COUNTS = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', '', 'twelve']
const ORDINALS = ['first', 'second', 'third', 'fourth']

type Groups = Readonly<Record<string, string | undefined>>
type Reader = readonly [pattern: string, read: (groups: Groups, today: Day) => DateRange | undefined]

/** Most telling first: of several that begin at the same place the first one here counts. */
const READERS: readonly Reader[] = [
  [
    String.raw`(?:between|from)\s+(?<a>\d{4}-\d{2}-\d{2})\s+(?:and|to|until|till)\s+(?<b>\d{4}-\d{2}-\d{2})`,
    betweenDays,
  ],
  [String.raw`(?<day>\d{4}-\d{2}-\d{2})`, ({ day }) => (isDay(day) ? { from: day!, to: day! } : undefined)],
  [
    String.raw`(?:q(?<q>[1-4])|(?<nth>first|second|third|fourth) quarter(?: of)?|(?<short>[1-4])(?:st|nd|rd|th) quarter(?: of)?)(?:[\s,/]*${YEAR})?`,
    quarter,
  ],
  [String.raw`(?:h(?<h>[12])|(?<nth>first|second) half(?: of)?)[\s,/]+(?:the year\s+)?${YEAR}`, half],
  [String.raw`(?:last|past|previous|preceding)\s+${COUNT}\s+${UNIT}s`, lastSeveral],
  [String.raw`(?:next|coming|following)\s+${COUNT}\s+${UNIT}s`, nextSeveral],
  [
    String.raw`(?<which>last|past|previous|prior|this|current|next|coming)(?:\s+(?:calendar|fiscal|business))?\s+${UNIT}(?:'s)?`,
    relative,
  ],
  [
    String.raw`(?:year to date|ytd|so far this year)`,
    (_groups, today) => ({ from: iso(today.year, 0, 1), to: today.text }),
  ],
  [
    String.raw`(?:month to date|mtd|so far this month)`,
    (_g, today) => ({ from: iso(today.year, today.month, 1), to: today.text }),
  ],
  [String.raw`(?<dom>\d{1,2})(?:st|nd|rd|th)?(?: of)?\s+${MONTH},?\s+${YEAR}`, dayOfMonth],
  [String.raw`${MONTH}\s+(?<dom>\d{1,2})(?:st|nd|rd|th)?,?\s+${YEAR}`, dayOfMonth],
  [String.raw`${MONTH},?\s+(?:of\s+)?${YEAR}`, month],
  // “may” and “march” are words, too.
  [String.raw`(?:in|since|during|for|of|until|by|last)\s+${MONTH}`, month],
  ['today', (_groups, today) => ({ from: today.text, to: today.text })],
  ['yesterday', (_groups, today) => spanOf(addDays(today.text, -1), addDays(today.text, -1))],
  ['tomorrow', (_groups, today) => spanOf(addDays(today.text, 1), addDays(today.text, 1))],
  [
    String.raw`(?:in|since|during|for|of|from|until|by|before|after|year)\s+${YEAR}(?!\s*(?:[-/]|[a-z]*s\b))`,
    ({ year }) => ({ from: `${year}-01-01`, to: `${year}-12-31` }),
  ],
]

interface Day {
  readonly text: string
  readonly year: number
  /** From 0. */
  readonly month: number
}

/**
 * The first period that a text speaks of, as a range of days. Months and quarters without a year are the latest that
 * have begun; “last 30 days” ends today. `today` is YYYY-MM-DD.
 */
export function periodIn(text: string, today: string): FoundPeriod | undefined {
  if (!isDay(today)) return undefined
  const day = { text: today, year: Number(today.slice(0, 4)), month: Number(today.slice(5, 7)) - 1 }
  const found = READERS.flatMap(([pattern, read]) => {
    const match = new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:${pattern})(?![\p{L}\p{N}])`, 'iu').exec(text)
    if (match === null) return []
    const range = read(match.groups ?? {}, day)
    return range === undefined ? [] : [{ range, at: match.index, text: match[0] }]
  }).reduce<{ range: DateRange; at: number; text: string } | undefined>(
    (best, one) =>
      best === undefined || one.at < best.at || (one.at === best.at && one.text.length > best.text.length) ? one : best,
    undefined,
  )
  if (found === undefined) return undefined
  return { ...opened(found.range, text.slice(Math.max(0, found.at - 12), found.at) + found.text), text: found.text }
}

/** “since March” is open to the right, “before 2024” and “until May” to the left. */
function opened({ from, to }: DateRange, words: string): DateRange {
  const relation = /\b(since|before|after|until|till)\s+(?:the\s+)?(?:\S+\s+){0,2}\S+$/i.exec(words)?.[1]?.toLowerCase()
  if (relation === 'since' && from !== undefined) return { from }
  if (relation === 'before' && from !== undefined) return { to: addDays(from, -1) }
  if (relation === 'after' && to !== undefined) return { from: addDays(to, 1) }
  if ((relation === 'until' || relation === 'till') && to !== undefined) return { to }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function betweenDays({ a, b }: Groups): DateRange | undefined {
  return isDay(a) && isDay(b) && a! <= b! ? spanOf(a!, b!) : undefined
}

function quarter({ q, nth, short, year }: Groups, today: Day): DateRange {
  const index = nth === undefined ? Number(q ?? short) - 1 : ORDINALS.indexOf(nth.toLowerCase())
  return months(yearFor(index * 3, year, today), index * 3, 3)
}

function half({ h, nth, year }: Groups): DateRange {
  const index = nth === undefined ? Number(h) - 1 : ORDINALS.indexOf(nth.toLowerCase())
  return months(Number(year), index * 6, 6)
}

function month({ month: name, year }: Groups, today: Day): DateRange {
  const index = monthIndex(name!)
  return months(yearFor(index, year, today), index, 1)
}

function dayOfMonth({ dom, month: name, year }: Groups): DateRange | undefined {
  const day = iso(Number(year), monthIndex(name!), Number(dom))
  return Number(dom) >= 1 && Number(day.slice(8)) === Number(dom) ? spanOf(day, day) : undefined
}

function lastSeveral({ count, unit }: Groups, today: Day): DateRange {
  const n = countOf(count!)
  switch (unit!.toLowerCase()) {
    case 'day':
      return spanOf(addDays(today.text, 1 - n), today.text)
    case 'week':
      return spanOf(addDays(today.text, 1 - 7 * n), today.text)
    default:
      return spanOf(
        addDays(iso(today.year, today.month - n * monthsIn(unit!), dayIn(today, -n * monthsIn(unit!))), 1),
        today.text,
      )
  }
}

function nextSeveral({ count, unit }: Groups, today: Day): DateRange {
  const n = countOf(count!)
  const name = unit!.toLowerCase()
  if (name === 'day' || name === 'week') {
    return spanOf(addDays(today.text, 1), addDays(today.text, name === 'day' ? n : 7 * n))
  }
  return spanOf(
    addDays(today.text, 1),
    iso(today.year, today.month + n * monthsIn(unit!), dayIn(today, n * monthsIn(unit!))),
  )
}

function relative({ which, unit }: Groups, today: Day): DateRange {
  const shift = /^(?:this|current)$/i.test(which!) ? 0 : /^(?:next|coming)$/i.test(which!) ? 1 : -1
  const name = unit!.toLowerCase()
  if (name === 'day') return spanOf(addDays(today.text, shift), addDays(today.text, shift))
  if (name === 'week') {
    const monday = addDays(today.text, -((new Date(today.text).getUTCDay() + 6) % 7) + 7 * shift)
    return spanOf(monday, addDays(monday, 6))
  }
  const length = monthsIn(name)
  return months(today.year, today.month - (today.month % length) + shift * length, length)
}

/** The latest year in which that month has begun, unless one is said. */
function yearFor(monthFrom0: number, year: string | undefined, today: Day): number {
  if (year !== undefined) return Number(year)
  return monthFrom0 <= today.month ? today.year : today.year - 1
}

function monthsIn(unit: string): number {
  const name = unit.toLowerCase()
  return name === 'month' ? 1 : name === 'quarter' ? 3 : name === 'year' ? 12 : 6
}

function months(year: number, first: number, length: number): DateRange {
  return spanOf(iso(year, first, 1), iso(year, first + length, 0))
}

/** The same day of a month so many months away, or that month's last. */
function dayIn(today: Day, shift: number): number {
  const last = Number(iso(today.year, today.month + shift + 1, 0).slice(8))
  return Math.min(Number(today.text.slice(8)), last)
}

function monthIndex(name: string): number {
  return MONTH_NAMES.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)))
}

function countOf(text: string): number {
  const index = COUNTS.indexOf(text.toLowerCase())
  return index > 0 ? index : Number(text)
}

function spanOf(from: string, to: string): DateRange {
  return { from, to }
}

/** Months from 0 and days beyond a month's end are carried over. */
function iso(year: number, monthFrom0: number, day: number): string {
  return new Date(Date.UTC(year, monthFrom0, day)).toISOString().slice(0, 10)
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

function isDay(text: string | undefined): boolean {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return false
  return addDays(text, 0) === text
}
