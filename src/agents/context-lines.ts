import type { AgentTask } from '../core/actor.ts'
import { isSecretName } from '../core/secret-names.ts'
import { createSecrets, secretsIn } from '../core/secrets.ts'
import { lastDayOf } from '../language/periods.ts'

/** The request's context for a prompt, as `key: value`. Secrets and settings stay out; dates and plain words go in. */
export function contextLines(context: Readonly<Record<string, unknown>>): string[] {
  const secrets = createSecrets(secretsIn(context))
  return Object.entries(context).flatMap(([key, value]) => {
    if (isSecretName(key) || /header|url|firebase/i.test(key)) return []
    return typeof value === 'string' || typeof value === 'number' ? [secrets.text(`${key}: ${value}`)] : []
  })
}

/** The days that a planner read, for a prompt: models reckon badly with dates. */
export function factLines({ facts: { period } }: AgentTask): string[] {
  if (period === undefined) return []
  const last = lastDayOf(period)
  const from = period.from === undefined ? '' : ` from ${period.from}`
  return [`days that are meant:${from}${last === undefined ? '' : ` up to and including ${last}`}`]
}
