/** Days, ISO 8601, both inclusive. */
export interface DateRange {
  readonly from?: string
  readonly to?: string
}

/**
 * Reads a span of days: an object with `from` and `to` (or `start` and `end`), a list of two, or a text such as
 * `2025-01-01 to 2025-03-31`, `2025-03`, `2025`, `Q1 2025`. Relative words ("last quarter") are the planner's to turn into days.
 * Undefined for anything else.
 */
export function dateRangeOf(value: unknown): DateRange | undefined {
  if (Array.isArray(value)) return joined(spanOf(value[0]), spanOf(value[1] ?? value[0]))
  if (typeof value === 'object' && value !== null) {
    const { from, to, start, end, gte, lte } = value as Readonly<Record<string, unknown>>
    return joined(spanOf(from ?? start ?? gte), spanOf(to ?? end ?? lte))
  }
  if (typeof value !== 'string') return undefined
  const [first, second] = value.split(/\s+(?:to|until|through|–|-)\s+|\s*(?:–|\.\.|\/(?=\d{4}))\s*/)
  return joined(spanOf(first), spanOf(second ?? first))
}

function joined(
  first: Required<DateRange> | undefined,
  second: Required<DateRange> | undefined,
): DateRange | undefined {
  if (first === undefined && second === undefined) return undefined
  if (first !== undefined && second !== undefined && first.from > second.to) return undefined
  return {
    ...(first === undefined ? {} : { from: first.from }),
    ...(second === undefined ? {} : { to: second.to }),
  }
}

/** The first and the last day of a day, month, quarter or year. */
function spanOf(value: unknown): Required<DateRange> | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  const day = /^(\d{4})-(\d\d)-(\d\d)(?:T.*)?$/.exec(text)
  if (day !== null) return { from: text.slice(0, 10), to: text.slice(0, 10) }
  const month = /^(\d{4})-(\d\d)$/.exec(text)
  if (month !== null) return months(Number(month[1]), Number(month[2]), 1)
  const quarter = /^Q([1-4])[\s/-]*(\d{4})$/i.exec(text) ?? undefined
  if (quarter !== undefined) return months(Number(quarter[2]), Number(quarter[1]) * 3 - 2, 3)
  const turned = /^(\d{4})[\s/-]*Q([1-4])$/i.exec(text)
  if (turned !== null) return months(Number(turned[1]), Number(turned[2]) * 3 - 2, 3)
  return /^(?:19|20)\d\d$/.test(text) ? months(Number(text), 1, 12) : undefined
}

function months(year: number, first: number, count: number): Required<DateRange> | undefined {
  if (first < 1 || first > 12) return undefined
  const last = new Date(Date.UTC(year, first - 1 + count, 0))
  return { from: `${year}-${String(first).padStart(2, '0')}-01`, to: last.toISOString().slice(0, 10) }
}
