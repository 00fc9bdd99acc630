import { lastDayOf, periodOf } from '../../language/periods.ts'

/** Days, ISO 8601, both inclusive. */
export interface DateRange {
  readonly from?: string
  readonly to?: string
}

/**
 * Reads a span of days: an object with `from` and `to` (or `start` and `end`), a list of two, or a text such as
 * `2025-01-01 to 2025-03-31`, `2025-03`, `March 2025`, `2025`, `Q1 2025`. Relative words ("last quarter") are the planner's to turn into days.
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

/** Years may be numbers. Without today, nothing is read that is counted from it. */
function spanOf(value: unknown): DateRange | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const period = periodOf(String(value), '')
  const to = period === undefined ? undefined : lastDayOf(period)
  if (period === undefined) return undefined
  return { ...(period.from === undefined ? {} : { from: period.from }), ...(to === undefined ? {} : { to }) }
}
