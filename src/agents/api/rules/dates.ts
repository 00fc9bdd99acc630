import type { Word } from '../search/question.ts'

/** Days from and to, both included, as ISO dates; and how many words say so. */
export interface Span {
  readonly from: string
  readonly to: string
  readonly length: number
}

/** Reads a day, month or year written as a date, or one named relative to today, beginning at a word. */
export function spanAt(words: readonly Word[], at: number, today: string): Span | undefined {
  const [first, second, third] = [words[at]?.lower ?? '', words[at + 1]?.lower ?? '', words[at + 2]?.lower ?? '']
  const written = /^(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(first)
  if (written?.[3] !== undefined) return { from: written[0], to: written[0], length: 1 }
  if (written !== null) return { ...monthOf(`${written[0]}-01`), length: 1 }
  if (today === '') return undefined
  if (first === 'today') return { from: today, to: today, length: 1 }
  if (first === 'yesterday') return { from: shifted(today, -1), to: shifted(today, -1), length: 1 }
  const count = /^\d{1,3}$/.test(second) ? Number(second) : undefined
  if (/^(last|past)$/.test(first) && count !== undefined && /^(day|week)s?$/.test(third)) {
    const days = third.startsWith('week') ? count * 7 : count
    return { from: shifted(today, -days), to: today, length: 3 }
  }
  const back = first === 'last' ? 1 : first === 'this' ? 0 : undefined
  if (back === undefined) return undefined
  const date = new Date(`${today}T00:00:00Z`)
  if (second === 'year') {
    const year = date.getUTCFullYear() - back
    return { from: `${year}-01-01`, to: `${year}-12-31`, length: 2 }
  }
  if (second === 'month') {
    date.setUTCDate(1)
    date.setUTCMonth(date.getUTCMonth() - back)
    return { ...monthOf(isoDate(date)), length: 2 }
  }
  if (second !== 'week') return undefined
  const monday = shifted(today, -((date.getUTCDay() + 6) % 7) - 7 * back)
  return { from: monday, to: shifted(monday, 6), length: 2 }
}

/** A day in the form that a parameter wants; times are the day's first or last second in UTC. */
export function dateValue(day: string, end: 'from' | 'to', format: string | undefined): string {
  if (format !== 'date-time') return day
  return end === 'from' ? `${day}T00:00:00Z` : `${day}T23:59:59Z`
}

function monthOf(first: string): { from: string; to: string } {
  const date = new Date(`${first}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 1, 0)
  return { from: first, to: isoDate(date) }
}

/** A day so many days later, as an ISO date. */
export function shifted(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return isoDate(date)
}

function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}
