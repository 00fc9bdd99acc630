import { TIME_ZONE } from './request.ts'
import { isSecretName } from '../shared/secret-names.ts'
import { createSecrets, secretsIn } from './secrets.ts'
import { TuttiError } from './errors.ts'

/**
 * Context keys with credentials, and those that choose a server or a file. The command line and the library accept
 * them; over HTTP each needs the operator's permission (`server.allowContextKeys`).
 */
export const OPERATOR_CONTEXT_KEYS = [
  'api_base_url',
  'base_url',
  'api_headers',
  'api_bearer_token',
  'api_token_file',
  'firebase_id_token',
  'firebase_web_api_key',
  'firebase_email',
  'firebase_password',
] as const
export type OperatorContextKey = (typeof OPERATOR_CONTEXT_KEYS)[number]

/** The value under such a key: agents read them by this alone, so that the list above is complete. */
export function operatorValue(context: Readonly<Record<string, unknown>>, key: OperatorContextKey): unknown {
  return context[key]
}

/**
 * Checks every object named `context` in a JSON value, at any depth, so that no protocol or endpoint is left out.
 * @throws TuttiError `NotAllowed` that names the first key which the operator does not allow
 */
export function assertContextAllowed(json: unknown, allowed: readonly OperatorContextKey[]): void {
  const refused = OPERATOR_CONTEXT_KEYS.filter((key) => !allowed.includes(key))
  const open = [json]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    const { context } = value as { readonly context?: unknown }
    const key = refused.find((one) => typeof context === 'object' && context !== null && Object.hasOwn(context, one))
    if (key !== undefined) throw notAllowed(key)
    open.push(...Object.values(value))
  }
}

function notAllowed(key: OperatorContextKey): TuttiError {
  return new TuttiError(
    'NotAllowed',
    `The context key "${key}" is not accepted over HTTP. The operator can allow it with server.allowContextKeys in the configuration.`,
  )
}

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
