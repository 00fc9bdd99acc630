import { addDays, addMonths, isDay, isoDay, mondayOf, mondayOfWeek, weekdayOf } from './days.ts'
import { NUMBER_WORDS, numberOf } from './numbers.ts'

/** A stretch of days without the word that relates to it: `March 2024` of “since March 2024”. */
export interface Span {
  readonly from: string
  /** The first day that no longer belongs to it. */
  readonly before: string
  /** Characters read. */
  readonly length: number
  /** How a person would say it. */
  readonly text: string
  /** A reading that was chosen: what “last month” was taken to be. */
  readonly assumption?: string
  /** What else the word may mean; such a span counts only with a word before it that makes it a time. */
  readonly bare?: 'year' | 'month' | 'weekday'
  /** The month or day was said without its year, and the latest was taken. */
  readonly isYearless?: boolean
  /** “5 to 9 March” has both its ends. */
  readonly isRange?: boolean
}

type Groups = Readonly<Record<string, string | undefined>>
type Found = Omit<Span, 'length'>
type Reader = readonly [pattern: RegExp, read: (groups: Groups, today: string, said: string) => Found | undefined]

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ')
export const WEEKDAY_NAMES = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const ORDINALS = ['first', 'second', 'third', 'fourth']
export const UNITS = 'day|week|month|quarter|half[- ]year|year'

export const MONTH = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
const DAY_OF_MONTH = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`
const FIRST_DAY = String.raw`(?<first>\d{1,2})(?:st|nd|rd|th)?\s*(?:-|–|to|and|until|till|through)\s*`
/** Not the 2024 of `2024/25`, `2024-03` and “the 2020s”. */
export const YEAR = String.raw`(?:(?:19|20)\d\d)(?!\s*[-/]\s*\d|\.\d|,\d)`
const YEAR_SAID = String.raw`(?<year>${YEAR}|(?:the\s+)?(?:last|previous|this|current|next)\s+year)`
const OF_YEAR = String.raw`(?:\s*,?\s*(?:of\s+|in\s+)?(?:the\s+)?(?:year\s+)?${YEAR_SAID})`
export const COUNT = `(?<count>\\d{1,5}|${NUMBER_WORDS.slice(1).join('|')})`
const WHOLE = '(?:(?<whole>full|complete|whole|calendar)\\s+)?'

/** A bare year before one of these is an amount: “over 2000 euros”, “in 2000 orders”. */
const NO_AMOUNT = String.raw`(?!\s*(?:%|€|\$|£|(?:percent|euros?|dollars?|pounds?|eur|usd|gbp|units?|pieces?|items?|times|people|rows?|kg|km|hours?|minutes?|days?|weeks?|months?|years?)(?![\p{L}\p{N}])))`

/** Most telling first: the first that fits counts. */
const READERS: readonly Reader[] = [
  reader(String.raw`(?<iso>\d{4}-\d{2}-\d{2})(?:t\d[\d:.]*(?:z|[+-]\d{2}:?\d{2})?)?`, ({ iso }) => singleDay(iso)),
  reader(String.raw`(?<year>(?:19|20)\d\d)[\s/-]*q(?<q>[1-4])`, quarter),
  reader(String.raw`(?<year>(?:19|20)\d\d)-?w(?<week>\d{2})`, calendarWeek),
  reader(String.raw`(?<year>(?:19|20)\d\d)-(?<number>0[1-9]|1[0-2])(?!-?\d)`, ({ year, number }) =>
    named(months(Number(year), Number(number) - 1, 1), `${capital(MONTH_NAMES[Number(number) - 1]!)} ${year}`),
  ),
  reader(
    String.raw`(?:q(?<q>[1-4])|(?<nth>${ORDINALS.join('|')}|[1-4](?:st|nd|rd|th)) quarter)(?:[/-]?${OF_YEAR})?`,
    quarter,
  ),
  reader(String.raw`(?:h(?<h>[12])|(?<nth>first|second|last) half)(?:[/-]?${OF_YEAR})`, half),
  // Not “the last quarter”, which is counted from today.
  reader(String.raw`(?<end>first|last) (?<unit>month|quarter)${OF_YEAR}`, endOfYear),
  reader(String.raw`(?:calendar\s+)?week\s+(?<week>\d{1,2})(?:${OF_YEAR})?`, calendarWeek),
  reader(String.raw`(?:last|past|previous|preceding)\s+${COUNT}\s+${WHOLE}(?<unit>${UNITS})s?`, lastSeveral),
  reader(String.raw`(?:next|coming|following)\s+${COUNT}\s+(?<unit>${UNITS})s?`, nextSeveral),
  reader(
    String.raw`(?<which>last|previous|prior|past|this|current|next|coming)\s+${WHOLE}(?<unit>week|month|quarter|half[- ]year|year)(?<soFar>\s+(?:so far|to date))?`,
    calendar,
  ),
  reader(String.raw`(?<unit>week|month|quarter|year)[- ]to[- ]date`, toDate),
  reader(String.raw`(?<short>[wmqy])td`, toDate),
  reader(String.raw`so far this (?<unit>week|month|quarter|year)`, toDate),
  reader(String.raw`${FIRST_DAY}${DAY_OF_MONTH}(?:\s+of)?\s+${MONTH}(?:${OF_YEAR})?`, daysOfMonth),
  reader(String.raw`${MONTH}\s+${FIRST_DAY}${DAY_OF_MONTH}(?!\d)(?:${OF_YEAR})?`, daysOfMonth),
  reader(String.raw`${DAY_OF_MONTH}(?:\s+of)?\s+${MONTH}(?:${OF_YEAR})?`, dayOfMonth),
  reader(String.raw`${MONTH}\s+${DAY_OF_MONTH}(?!\d|\s*%)(?:${OF_YEAR})?`, dayOfMonth),
  reader(String.raw`(?:(?<last>last)\s+)?${MONTH}(?:${OF_YEAR})?`, month),
  reader(String.raw`day before yesterday`, (_groups, today) => nearDay(today, -2)),
  reader(String.raw`day after tomorrow`, (_groups, today) => nearDay(today, 2)),
  reader('yesterday', (_groups, today) => nearDay(today, -1)),
  reader('today', (_groups, today) => nearDay(today, 0)),
  reader('tomorrow', (_groups, today) => nearDay(today, 1)),
  reader(String.raw`(?:(?<last>last|past|previous)\s+)?(?<weekday>${WEEKDAY_NAMES.join('|')})`, weekday),
  reader(String.raw`(?<said>year\s+)?(?<year>${YEAR})${NO_AMOUNT}`, ({ said, year }) => ({
    ...named(months(Number(year), 0, 12), year!),
    ...(said === undefined ? { bare: 'year' } : {}),
  })),
]

/** Words that a span can begin with, so that most places of a text are passed over at once. */
const BEGINNING = new RegExp(
  `^(?:\\d|q[1-4]|h[12]|[wmqy]td|${ORDINALS.join('|')}|last|past|prev|prior|prec|this|curr|next|coming|following|week|month|quarter|year|so far|day|yesterday|today|tomorrow|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)`,
  'i',
)

/**
 * The stretch of days whose words a text begins with. Months, days and quarters without a year are the latest that have
 * begun; “last 30 days” ends today. What is counted from today is read only if `today` is a day.
 */
export function spanAtStart(text: string, today: string): Span | undefined {
  if (!BEGINNING.test(text)) return undefined
  for (const [pattern, read] of READERS) {
    const match = pattern.exec(text)
    if (match === null) continue
    const found = read(match.groups ?? {}, today, match[0])
    if (found !== undefined) return { ...found, length: match[0].length }
  }
  return undefined
}

function reader(pattern: string, read: Reader[1]): Reader {
  return [new RegExp(String.raw`^(?:${pattern})(?![\p{L}\p{N}])`, 'iu'), read]
}

type Days = Pick<Span, 'from' | 'before'>

function named(days: Days, text: string, assumption?: string): Found {
  return { ...days, text, ...(assumption === undefined ? {} : { assumption }) }
}

/** Says what days were meant by words that are counted from today. */
function counted(days: Days, text: string, said = text): Found {
  return named(days, text, `“${said.toLowerCase()}” is ${days.from} to ${addDays(days.before, -1)}`)
}

function singleDay(day: string | undefined): Found | undefined {
  return isDay(day) ? named({ from: day, before: addDays(day, 1) }, day) : undefined
}

function nearDay(today: string, shift: number): Found | undefined {
  return isDay(today) ? singleDay(addDays(today, shift)) : undefined
}

function quarter({ q, nth, year }: Groups, today: string): Found | undefined {
  const index = q === undefined ? placeOf(nth!) : Number(q) - 1
  const when = yearFor(year, today, index * 3)
  if (when === undefined) return undefined
  return latest(months(when, index * 3, 3), `Q${index + 1} ${when}`, `Q${index + 1}`, year)
}

function half({ h, nth, year }: Groups, today: string): Found | undefined {
  const index = h === undefined ? (nth!.toLowerCase() === 'first' ? 0 : 1) : Number(h) - 1
  const when = yearFor(year, today)
  return when === undefined ? undefined : named(months(when, index * 6, 6), `H${index + 1} ${when}`)
}

function endOfYear({ end, unit, year }: Groups, today: string): Found | undefined {
  const isLast = end!.toLowerCase() === 'last'
  if (unit!.toLowerCase() === 'quarter') return quarter({ q: isLast ? '4' : '1', year }, today)
  return month({ month: MONTH_NAMES[isLast ? 11 : 0], year }, today, '')
}

function calendarWeek({ week, year }: Groups, today: string): Found | undefined {
  const this_ = year === undefined && isDay(today) ? Number(today.slice(0, 4)) : undefined
  const years = this_ === undefined ? [yearFor(year, today)] : [this_, this_ - 1]
  const mondays = years.map((one) => (one === undefined ? undefined : mondayOfWeek(one, Number(week))))
  const place = mondays.findIndex((monday) => monday !== undefined && (this_ === undefined || monday <= today))
  const monday = mondays[place]
  if (monday === undefined) return undefined
  const span = { from: monday, before: addDays(monday, 7) }
  const found = latest(span, `week ${Number(week)} of ${years[place]}`, `week ${Number(week)}`, year)
  return year === undefined ? { ...found, bare: 'month' } : found
}

function month({ month: name, year, last }: Groups, today: string, said: string): Found | undefined {
  const index = monthIndex(name!)
  const begun = yearFor(year, today, index)
  if (begun === undefined) return undefined
  // “Last November”, said in November, is a year ago.
  const when = last !== undefined && year === undefined && index + 1 === Number(today.slice(5, 7)) ? begun - 1 : begun
  const text = capital(MONTH_NAMES[index]!)
  const found = latest(months(when, index, 1), `${text} ${when}`, said.trim(), year)
  return year === undefined && last === undefined ? { ...found, bare: 'month' } : found
}

function dayOfMonth({ day, month: name, year }: Groups, today: string, said: string): Found | undefined {
  const index = monthIndex(name!)
  const thisYear = yearFor(year, today)
  if (thisYear === undefined && !isDay(today)) return undefined
  const inYear = (when: number): string => `${when}-${padded(index + 1)}-${padded(Number(day))}`
  if (thisYear !== undefined) return singleDay(inYear(thisYear))
  // The latest such day; the 29th of February may be years ago.
  const now = Number(today.slice(0, 4))
  const found = Array.from({ length: 9 }, (_, back) => inYear(now - back)).find((one) => isDay(one) && one <= today)
  if (found === undefined) return undefined
  return latest({ from: found, before: addDays(found, 1) }, found, said.trim(), undefined)
}

function daysOfMonth({ first, ...groups }: Groups, today: string, said: string): Found | undefined {
  const last = dayOfMonth(groups, today, said)
  const from = last === undefined ? undefined : `${last.from.slice(0, 8)}${padded(Number(first))}`
  if (last === undefined || !isDay(from) || from > last.from) return undefined
  return { ...last, from, text: `${from} to ${last.from}`, isRange: true }
}

function weekday({ weekday: name, last }: Groups, today: string, said: string): Found | undefined {
  if (!isDay(today)) return undefined
  const place = WEEKDAY_NAMES.indexOf(name!.toLowerCase())
  const day = addDays(today, -(((weekdayOf(today) - place + 6) % 7) + 1))
  const found = counted({ from: day, before: addDays(day, 1) }, day, said)
  return last === undefined ? { ...found, bare: 'weekday' } : found
}

/** Today is the last of “the last 30 days”; “the last 3 full months” end with the month before this one. */
function lastSeveral({ count, unit, whole }: Groups, today: string, said: string): Found | undefined {
  const n = numberOf(count!)!
  if (!isDay(today) || n < 1 || n > 10_000) return undefined
  const name = unit!.toLowerCase()
  const text = `the last ${n}${whole === undefined ? '' : ` ${whole.toLowerCase()}`} ${name}${n === 1 ? '' : 's'}`
  if (whole !== undefined && name !== 'day') {
    const end = calendarDays(name, 0, today)
    const back = name === 'week' ? addDays(end.from, -7 * n) : addMonths(end.from, -n * monthsIn(name))
    return counted({ from: back, before: end.from }, text, said)
  }
  return counted({ from: daysBack(name, n, today), before: addDays(today, 1) }, text, said)
}

function daysBack(unit: string, n: number, today: string): string {
  if (unit === 'day' || unit === 'week') return addDays(today, 1 - n * (unit === 'week' ? 7 : 1))
  return addDays(addMonths(today, -n * monthsIn(unit)), 1)
}

function nextSeveral({ count, unit }: Groups, today: string, said: string): Found | undefined {
  const n = numberOf(count!)!
  if (!isDay(today) || n < 1 || n > 10_000) return undefined
  const name = unit!.toLowerCase()
  const isShort = name === 'day' || name === 'week'
  const last = isShort ? addDays(today, n * (name === 'week' ? 7 : 1)) : addMonths(today, n * monthsIn(name))
  return counted({ from: addDays(today, 1), before: addDays(last, 1) }, `the next ${n} ${name}s`, said)
}

/** “Last week” is the one before this one; “the past week” are the seven days up to today. */
function calendar(groups: Groups, today: string, said: string): Found | undefined {
  if (!isDay(today)) return undefined
  const [which, unit] = [groups['which']!.toLowerCase(), groups['unit']!.toLowerCase()]
  if (groups['soFar'] !== undefined) return /^(?:this|current)$/.test(which) ? toDate({ unit }, today, said) : undefined
  if (which === 'past' && groups['whole'] === undefined) {
    return counted({ from: daysBack(unit, 1, today), before: addDays(today, 1) }, `the past ${unit}`, said)
  }
  const shift = /^(?:this|current)$/.test(which) ? 0 : /^(?:next|coming)$/.test(which) ? 1 : -1
  const days = calendarDays(unit, shift, today)
  return counted(days, unit === 'year' ? days.from.slice(0, 4) : said.toLowerCase().replaceAll(/\s+/g, ' '), said)
}

function toDate({ unit, short }: Groups, today: string, said: string): Found | undefined {
  if (!isDay(today)) return undefined
  const name =
    unit?.toLowerCase() ?? ['week', 'month', 'quarter', 'year'].find((one) => one[0] === short!.toLowerCase())!
  return counted({ from: calendarDays(name, 0, today).from, before: addDays(today, 1) }, `this ${name} to date`, said)
}

/** The calendar's week, month, quarter, half-year or year, so many before or after the one of today. */
function calendarDays(unit: string, shift: number, today: string): Days {
  if (unit === 'week') {
    const monday = addDays(mondayOf(today), 7 * shift)
    return { from: monday, before: addDays(monday, 7) }
  }
  const [year, index, length] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1, monthsIn(unit)]
  return months(year, index - (index % length) + shift * length, length)
}

function monthsIn(unit: string): number {
  return { month: 1, quarter: 3, year: 12 }[unit] ?? 6
}

function months(year: number, first: number, length: number): Days {
  return { from: isoDay(year, first), before: isoDay(year, first + length) }
}

/** The year that was said, in digits or counted from today; else the latest in which that month has begun. */
function yearFor(said: string | undefined, today: string, month?: number): number | undefined {
  if (said !== undefined && /^\d/.test(said)) return Number(said)
  if (!isDay(today)) return undefined
  const year = Number(today.slice(0, 4))
  if (said === undefined) return month === undefined ? undefined : month < Number(today.slice(5, 7)) ? year : year - 1
  return /last|previous/i.test(said) ? year - 1 : /next/i.test(said) ? year + 1 : year
}

function latest(days: Days, text: string, said: string, year: string | undefined): Found {
  return year === undefined ? { ...named(days, text, `“${said}” is ${text}`), isYearless: true } : named(days, text)
}

function placeOf(ordinal: string): number {
  const place = ORDINALS.indexOf(ordinal.toLowerCase())
  return place < 0 ? Number(ordinal[0]) - 1 : place
}

export function monthIndex(name: string): number {
  return MONTH_NAMES.findIndex((one) => one.startsWith(name.toLowerCase().slice(0, 3)))
}

function capital(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`
}

function padded(number: number): string {
  return String(number).padStart(2, '0')
}
