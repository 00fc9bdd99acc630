/** A date as the number of days since 1970-01-01. Everything in the demo happens on whole UTC days. */
export type Day = number

const MS_PER_DAY = 86_400_000

export const FIRST_DAY = parseDay('2023-11-01')
export const LAST_DAY = parseDay('2026-10-31')

export function parseDay(iso: string): Day {
  return Date.parse(`${iso}T00:00:00Z`) / MS_PER_DAY
}

export function isoDay(day: Day): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
}

/** 1 (January) to 12. */
export function monthOf(day: Day): number {
  return new Date(day * MS_PER_DAY).getUTCMonth() + 1
}

export function isWorkday(day: Day): boolean {
  return weekday(day) >= 1 && weekday(day) <= 5
}

export function isMonday(day: Day): boolean {
  return weekday(day) === 1
}

/** The given day, or the Monday after it when it falls on a weekend. */
export function workdayFrom(day: Day): Day {
  let result = day
  while (!isWorkday(result)) result++
  return result
}

/** 0 (Sunday) to 6. */
function weekday(day: Day): number {
  return new Date(day * MS_PER_DAY).getUTCDay()
}
