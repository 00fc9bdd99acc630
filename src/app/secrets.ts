import type { Config } from '../config.ts'
import type { ExecutionStore } from '../core/execution.ts'
import { createSecrets, secretsIn } from '../core/secrets.ts'
import type { Environment } from '../models/environment.ts'

/** Shorter ones, such as "true" or "demo", are words of every answer. */
const MIN_LENGTH = 8

/** What the configuration and the environment of this process declare as secret. */
export function secretsOf(config: Config, env: Environment): string[] {
  const found = [...secretsIn({ ...config, agents: [] }), ...secretsIn(env)]
  return [...new Set(found)].filter((secret) => secret.length >= MIN_LENGTH)
}

/** The audit is a way out of the log, too. */
export function maskedExecutions(store: ExecutionStore, known: readonly string[]): ExecutionStore {
  const secrets = createSecrets(known)
  return { executions: async (...asked) => secrets.value(await store.executions(...asked)) }
}
