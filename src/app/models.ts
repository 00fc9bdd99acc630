import type { Config } from '../config.ts'
import type { Agent } from '../core/actor.ts'
import { TuttiError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { normalizeActor, type ModelsConfig } from '../models/config.ts'
import { modelsConfigFromEnv, type Environment } from '../models/environment.ts'
import { defined } from './options.ts'

/** The environment says which providers there are; the file may name models and prices, agents their own models. */
export function modelsConfig(
  env: Environment,
  { models }: Config,
  ofAgents: Readonly<Record<string, string>>,
  onTrouble: (error: TuttiError) => void,
): ModelsConfig {
  const fromEnv = modelsConfigFromEnv(env)
  const asDeclared = fromEnv.providers.length === 0 ? {} : ofAgents
  const entries = Object.entries(models.actors).map(
    ([actor, own]) => [actor, typeof own === 'string' ? { model: own } : own] as const,
  )
  const named = Object.fromEntries(
    entries.flatMap(([actor, { model }]) => (model === undefined ? [] : [[actor, model]])),
  )
  return {
    ...fromEnv,
    ...(fromEnv.default !== undefined || models.default === undefined ? {} : { default: models.default }),
    actors: usable({ ...normalised(asDeclared), ...normalised(named), ...fromEnv.actors }, fromEnv, onTrouble),
    settings: Object.fromEntries(entries.map(([actor, { model: _model, ...own }]) => [actor, defined(own)])),
    prices: models.prices,
    timeouts: defined(models.timeouts),
  }
}

/** @throws TuttiError `ConfigurationError` for settings of an agent or role that there is not, with the nearest name */
export function assertActors({ models }: Config, known: readonly string[]): void {
  const names = new Set(known.map(normalizeActor))
  const stranger = Object.keys(models.actors).find((actor) => !names.has(normalizeActor(actor)))
  if (stranger === undefined) return
  const near = nearest(stranger, known)
  const hint = near === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${near}"?`
  throw new TuttiError('ConfigurationError', `models.actors: there is no agent or role "${stranger}". ${hint}`)
}

/** The models that agents would like, by their names. */
export function modelsOf(agents: readonly Agent[]): Readonly<Record<string, string>> {
  return Object.fromEntries(agents.flatMap(({ name, model }) => (model === undefined ? [] : [[name, model]])))
}

/** One actor's model of a provider that is not there is put aside: the others work, and this one uses the default. */
function usable(
  actors: Readonly<Record<string, string>>,
  { providers }: ModelsConfig,
  onTrouble: (error: TuttiError) => void,
): Record<string, string> {
  const known = providers.map((provider) => provider.name)
  const entries = Object.entries(actors).filter(([actor, text]) => {
    const [provider = ''] = text.split(':')
    if (known.includes(provider.trim())) return true
    const there = known.length === 0 ? 'None is configured' : `Configured are: ${known.join(', ')}`
    const message = `The model "${text}" of ${actor} is put aside, since it is of no configured provider. ${there}.`
    onTrouble(new TuttiError('ConfigurationError', message))
    return false
  })
  return Object.fromEntries(entries)
}

/** Names as variables spell them, so that a later entry for the same actor replaces an earlier one. */
function normalised(actors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(actors).map(([actor, text]) => [normalizeActor(actor), text]))
}
