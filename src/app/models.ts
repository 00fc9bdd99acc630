import type { Config } from '../config.ts'
import { normalizeActor, type ModelsConfig } from '../models/config.ts'
import { modelsConfigFromEnv, type Environment } from '../models/environment.ts'
import { defined } from './options.ts'

/** The environment says which providers there are; the file may name models and prices, agents their own models. */
export function modelsConfig(
  env: Environment,
  { models }: Config,
  ofAgents: Readonly<Record<string, string>>,
): ModelsConfig {
  const fromEnv = modelsConfigFromEnv(env)
  const asDeclared = fromEnv.providers.length === 0 ? {} : ofAgents
  return {
    ...fromEnv,
    ...(fromEnv.default !== undefined || models.default === undefined ? {} : { default: models.default }),
    actors: { ...normalised(asDeclared), ...normalised(models.actors), ...fromEnv.actors },
    prices: models.prices,
    timeouts: defined(models.timeouts),
  }
}

/** Names as variables spell them, so that a later entry for the same actor replaces an earlier one. */
function normalised(actors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(actors).map(([actor, text]) => [normalizeActor(actor), text]))
}
