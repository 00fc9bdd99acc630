/** Days, ISO 8601, both inclusive. */
export interface DateRange {
  readonly from?: string
  readonly to?: string
}

/**
 * Reads a span of days: an object with `from` and `to` (or `start` and `end`), a list of two, or a text such as
 * `2025-01-01 to 2025-03-31`, `2025-01-01/2025-03-31`, `2025-03`, `March 2025`, `2025`, `Q1 2025`. Relative words ("last quarter") are the planner's to turn into days.
 * Undefined for anything else.
 */
export function dateRangeOf(value: unknown): DateRange | undefined {
  if (Array.isArray(value)) return joined(spanOf(value[0]), spanOf(value[1] ?? value[0]))
  if (typeof value === 'object' && value !== null) {
    const { from, to, start, end, gte, lte } = value as Readonly<Record<string, unknown>>
    return joined(spanOf(from ?? start ?? gte), spanOf(to ?? end ?? lte))
  }
  if (typeof value !== 'string') return undefined
  return spanOf(value)
}

function joined(first: DateRange | undefined, second: DateRange | undefined): DateRange | undefined {
  const [from, to] = [first?.from, second?.to]
  if ((from === undefined && to === undefined) || (from !== undefined && to !== undefined && from > to))
    return undefined
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** Years may be numbers. */
function spanOf(value: unknown): DateRange | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const [first = '', last = first, ...others] = String(value)
    .trim()
    .split(/\s+(?:to|-|–)\s+|\/|\.\./i)
  const [from, to] = [daysOf(first), daysOf(last)]
  if (others.length > 0 || from === undefined || to === undefined || from[0] > to[1]) return undefined
  return { from: from[0], to: to[1] }
}

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month)).toLowerCase(),
)

/** First and last day of `2025`, `2025-03`, `2025-03-31`, `Q1 2025`, `2025-Q1`, `March 2025`. */
function daysOf(text: string): readonly [string, string] | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return isDay(text) ? [text, text] : undefined
  const [, isoYear, part] = /^(\d{4})(?:-(\d{2}|q[1-4]))?$/i.exec(text) ?? []
  if (isoYear !== undefined) {
    if (part === undefined) return months(isoYear, 1, 12)
    return /^q/i.test(part) ? months(isoYear, 3 * Number(part[1]) - 2, 3) : months(isoYear, Number(part), 1)
  }
  const [, name = '', year = ''] = /^([a-z]+|q[1-4]) (\d{4})$/i.exec(text) ?? []
  if (/^q\d$/i.test(name)) return months(year, 3 * Number(name[1]) - 2, 3)
  const month = name.length < 3 ? -1 : MONTHS.findIndex((one) => one.startsWith(name.toLowerCase()))
  return month < 0 ? undefined : months(year, month + 1, 1)
}

function months(year: string, first: number, count: number): readonly [string, string] | undefined {
  if (first < 1 || first + count > 13) return undefined
  const iso = (at: Date): string => at.toISOString().slice(0, 10)
  return [iso(new Date(Date.UTC(+year, first - 1))), iso(new Date(Date.UTC(+year, first - 1 + count, 0)))]
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
