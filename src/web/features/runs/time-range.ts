/** The time that is looked at, ISO 8601; nothing where it is not narrowed. */
export interface TimeRange {
  readonly from?: string
  readonly until?: string
}

/** Start of a local day, or of the day `n` days later. */
export function isoOf(day: string, after = 0): string {
  const at = new Date(`${day}T00:00`)
  if (Number.isNaN(at.getTime())) return ''
  at.setDate(at.getDate() + after)
  return at.toISOString()
}

/** The first and the last day of it. */
export function dayRange({ from = '', until = '' }: TimeRange): readonly [string, string] {
  // It is looked at to the end of the day.
  return [dayOf(new Date(from)), dayOf(new Date(Date.parse(until) - 1))]
}

function dayOf(at: Date): string {
  if (Number.isNaN(at.getTime())) return ''
  const digits = (value: number, length = 2): string => String(value).padStart(length, '0')
  return `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`
}
