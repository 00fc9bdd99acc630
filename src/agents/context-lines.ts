import { isSecretName } from '../core/secrets.ts'

/** The request's context for a prompt, as `key: value`. Secrets and settings stay out; dates and plain words go in. */
export function contextLines(context: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(context).flatMap(([key, value]) => {
    if (isSecretName(key) || /header|url|firebase/i.test(key)) return []
    return typeof value === 'string' || typeof value === 'number' ? [`${key}: ${value}`] : []
  })
}
