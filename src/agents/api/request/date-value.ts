/** A day in the form that a parameter wants; times are the day's first or last second in UTC. */
export function dateValue(day: string, end: 'from' | 'to', format: string | undefined): string {
  if (format !== 'date-time') return day
  return end === 'from' ? `${day}T00:00:00Z` : `${day}T23:59:59Z`
}
