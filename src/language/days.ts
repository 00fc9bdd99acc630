/** Days as ISO dates, `YYYY-MM-DD`, without clock and time zone. */

/** Whether a text is a day that exists: `2026-02-30` is none. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return false
  return addDays(text, 0) === text
}

/** Months count from 0; months and days beyond the end are carried over. */
export function isoDay(year: number, month: number, day = 1): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The same day some months off, or the last day of that month where it is shorter. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoDay(year, month - 1 + months, Math.min(date, last))
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(Date.parse(day)).getUTCDay()
}

/** The Monday of its week. */
export function mondayOf(day: string): string {
  return addDays(day, -((weekdayOf(day) + 6) % 7))
}

/** The Monday of an ISO week; undefined where the year has no such week. */
export function mondayOfWeek(year: number, week: number): string | undefined {
  const first = mondayOf(isoDay(year, 0, 4))
  const monday = addDays(first, 7 * (week - 1))
  return week >= 1 && monday < mondayOf(isoDay(year + 1, 0, 4)) ? monday : undefined
}
