import { isSecretName } from '../core/secret-names.ts'
import { createSecrets, secretsIn } from '../core/secrets.ts'

/** The request's context for a prompt, as `key: value`. Secrets and settings stay out; dates and plain words go in. */
export function contextLines(context: Readonly<Record<string, unknown>>): string[] {
  const secrets = createSecrets(secretsIn(context))
  return Object.entries(context).flatMap(([key, value]) => {
    if (isSecretName(key) || /header|url|firebase/i.test(key)) return []
    return typeof value === 'string' || typeof value === 'number' ? [secrets.text(`${key}: ${value}`)] : []
  })
}
