import { TIME_ZONE } from './request.ts'
import { isSecretName } from '../shared/secret-names.ts'
import { createSecrets, secretsIn } from './secrets.ts'

const TODAY = 'current_date'
/** Time fields other than the day; they add nothing to it. */
const OF_THE_CLOCK = new Set(['current_datetime_utc', 'current_date_start_hour', 'current_date_end_hour', TIME_ZONE])

/** The request's context for a prompt: the day, then `key: value`. Secrets and settings stay out; plain words and numbers go in. */
export function contextLines(context: Readonly<Record<string, unknown>>): string[] {
  const secrets = createSecrets(secretsIn(context))
  const zone = typeof context[TIME_ZONE] === 'string' ? ` (${context[TIME_ZONE]})` : ''
  return Object.entries(context).flatMap(([key, value]) => {
    if (key === TODAY) return [`today: ${withWeekday(String(value))}${zone}`]
    if (OF_THE_CLOCK.has(key) || isSecretName(key) || /header|url|firebase/i.test(key)) return []
    return typeof value === 'string' || typeof value === 'number' ? [secrets.text(`${key}: ${value}`)] : []
  })
}

function withWeekday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return date
  return `${day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })}, ${date}`
}
