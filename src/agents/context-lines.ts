import { isSecretName } from '../core/secret-names.ts'
import { createSecrets, secretsIn } from '../core/secrets.ts'

const TODAY = 'current_date'
/** The rest of the temporal context (SPEC P2), which says no more than the day. */
const OF_THE_CLOCK = new Set(['current_datetime_utc', 'current_date_start_hour', 'current_date_end_hour'])

/** The request's context for a prompt: the day, then `key: value`. Secrets and settings stay out; plain words and numbers go in. */
export function contextLines(context: Readonly<Record<string, unknown>>): string[] {
  const secrets = createSecrets(secretsIn(context))
  return Object.entries(context).flatMap(([key, value]) => {
    if (key === TODAY) return [`today: ${withWeekday(String(value))}`]
    if (OF_THE_CLOCK.has(key) || isSecretName(key) || /header|url|firebase/i.test(key)) return []
    return typeof value === 'string' || typeof value === 'number' ? [secrets.text(`${key}: ${value}`)] : []
  })
}

function withWeekday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return date
  return `${day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })}, ${date}`
}
