/** A span of days, `YYYY-MM-DD`; `before` is the first day that no longer counts. */
export interface DaySpan {
  readonly since?: string
  readonly before?: string
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const MONTH = `(?:${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})`
const DAY = String.raw`\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?${MONTH}(?:,?\s+\d{4})?|${MONTH}\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|${MONTH}(?:\s+\d{4})?|(?:last\s+)?(?:${WEEKDAYS.join('|')})|yesterday|today`

const SINCE = new RegExp(String.raw`\b(?:since|after|from)\s+(${DAY})\b`, 'i')
const BEFORE = new RegExp(String.raw`\b(?:before|until|till)\s+(${DAY})\b`, 'i')
const IN_MONTH = new RegExp(String.raw`\b(?:in|of|during)\s+(${MONTH})(?:\s+(\d{4}))?\b`, 'i')
const LAST_N =
  /\b(?:in\s+)?the\s+(?:last|past)\s+(\d{1,3})\s+(day|week|month)s?\b|\b(?:last|past)\s+(\d{1,3})\s+(day|week|month)s\b/i
const NAMED = /\b(today|yesterday|this week|last week|this month|last month|this year|last year)\b/i

/**
 * Reads the days that a question speaks of, in English words.
 * @param today `YYYY-MM-DD`
 * @returns the span, and the question without the words that named it
 */
export function readDays(question: string, today: string): DaySpan & { readonly rest: string } {
  const found: { since?: string; before?: string } = {}
  let rest = question
  const take = (pattern: RegExp, use: (match: RegExpExecArray) => void): void => {
    const match = pattern.exec(rest)
    if (match === null) return
    use(match)
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
  }
  take(SINCE, ([, day]) => (found.since = dayOf(day!, today)))
  take(BEFORE, ([, day]) => (found.before = dayOf(day!, today)))
  if (found.since === undefined && found.before === undefined) {
    take(LAST_N, ([, n, unit, m, other]) => (found.since = back(today, Number(n ?? m), (unit ?? other)!.toLowerCase())))
  }
  if (found.since === undefined && found.before === undefined) {
    take(IN_MONTH, ([, month, year]) => Object.assign(found, monthSpan(month!, year, today)))
  }
  if (found.since === undefined && found.before === undefined) {
    take(NAMED, ([, name]) => Object.assign(found, namedSpan(name!.toLowerCase(), today)))
  }
  return { ...found, rest: rest.replaceAll(/\s+/g, ' ').trim() }
}

function dayOf(text: string, today: string): string {
  const lower = text.toLowerCase().replace(/^last\s+/, '')
  if (/^\d{4}-/.test(lower)) return lower
  if (lower === 'today') return today
  if (lower === 'yesterday') return plus(today, -1)
  const weekday = WEEKDAYS.indexOf(lower)
  if (weekday >= 0) return plus(today, -(((dateOf(today).getUTCDay() - weekday + 6) % 7) + 1))
  const [, year] = /\b(\d{4})\b/.exec(lower) ?? []
  const [, day = '1'] = /\b(\d{1,2})(?!\d)/.exec(lower) ?? []
  return latest(monthOf(lower), Number(day), year, today)
}

/** Without a year, the latest such day that is not in the future. */
function latest(month: number, day: number, year: string | undefined, today: string): string {
  const inYear = (y: number): string => iso(new Date(Date.UTC(y, month, day)))
  if (year !== undefined) return inYear(Number(year))
  const thisYear = inYear(Number(today.slice(0, 4)))
  return thisYear <= today ? thisYear : inYear(Number(today.slice(0, 4)) - 1)
}

function monthSpan(month: string, year: string | undefined, today: string): DaySpan {
  const since = latest(monthOf(month.toLowerCase()), 1, year, today)
  const start = dateOf(since)
  return { since, before: iso(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))) }
}

function namedSpan(name: string, today: string): DaySpan {
  const date = dateOf(today)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const first = (y: number, m: number): string => iso(new Date(Date.UTC(y, m, 1)))
  const monday = plus(today, -((date.getUTCDay() + 6) % 7))
  switch (name) {
    case 'today':
      return { since: today }
    case 'yesterday':
      return { since: plus(today, -1), before: today }
    case 'this week':
      return { since: monday }
    case 'last week':
      return { since: plus(monday, -7), before: monday }
    case 'this month':
      return { since: first(year, month) }
    case 'last month':
      return { since: first(year, month - 1), before: first(year, month) }
    case 'this year':
      return { since: first(year, 0) }
    default:
      return { since: first(year - 1, 0), before: first(year, 0) }
  }
}

function back(today: string, count: number, unit: string): string {
  if (unit === 'month') {
    const date = dateOf(today)
    return iso(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, date.getUTCDate())))
  }
  return plus(today, -count * (unit === 'week' ? 7 : 1))
}

function monthOf(text: string): number {
  return MONTHS.findIndex((name) => new RegExp(`\\b${name.slice(0, 3)}`).test(text))
}

function plus(day: string, days: number): string {
  return iso(new Date(dateOf(day).getTime() + days * 86_400_000))
}

function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

function iso(date: Date): string {
  return date.toISOString().slice(0, 10)
}
