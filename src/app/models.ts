import { omitUndefined } from '../shared/json.ts'
import type { Agent } from '../domain/actor.ts'
import { TuttiError } from '../domain/errors.ts'
import { nearest } from '../shared/nearest.ts'
import { portOf } from '../http/check-url.ts'
import { createFetch } from '../http/fetch.ts'
import { DEFAULT_MODELS, normalizeActor, type ModelsConfig } from '../models/config.ts'
import { createModels, type Models } from '../models/registry.ts'
import type { Settings } from './check-options.ts'
import { listedHosts } from './network.ts'
import { isModelPort, type ModelOptions } from './config/options.ts'

/** The models of this installation. @param agents their files may name a model */
export function openModels(options: Settings, agents: readonly Agent[] = []): Models {
  const { models, config, clock, onError } = options
  if (!isModelPort(models))
    return createModels(guardFetch(modelsConfig(models, config, agentModels(agents), onError), options), { clock })
  return {
    ...omitUndefined({ patience: models.patience }),
    ask: (prompt, input, asked) => models.ask(prompt, input, asked),
    ...(models.turn === undefined ? {} : { turn: (turn, asked) => models.turn!(turn, asked) }),
    ...(models.modelOf === undefined ? {} : { modelOf: (asked) => models.modelOf!(asked) }),
    ...(models.contextWindow === undefined ? {} : { contextWindow: (ref) => models.contextWindow!(ref) }),
    describe: () => ({ providers: [], default: 'one of this program', actors: {} }),
    check: async () => [],
    probe: async () => [],
  }
}

/** Providers that may be anywhere on the public internet are reached by checked addresses. */
function guardFetch({ providers, ...config }: ModelsConfig, options: Settings): ModelsConfig {
  const allowHosts = listedHosts(options)
  const guard = (provider: ModelsConfig['providers'][number]): typeof provider => {
    const { publicOnly, baseUrl } = provider
    if (publicOnly !== true || baseUrl === undefined) return provider
    return { ...provider, fetch: createFetch({ allowHosts, ports: [portOf(new URL(baseUrl))] }) }
  }
  return { ...config, providers: providers.map(guard) }
}

/** The configured providers; none if the models are a custom port. */
export function providersOf({ models }: Pick<Settings, 'models'>): ModelsConfig['providers'] {
  return models === undefined || isModelPort(models) ? [] : models.providers.map(withDefaults)
}

function withDefaults(provider: ModelOptions['providers'][number], at: number): ModelsConfig['providers'][number] {
  const { kind } = provider
  const defaultModel = DEFAULT_MODELS[kind]
  return {
    name: kind,
    source: `models.providers.${at}`,
    ...omitUndefined({ defaultModel }),
    ...provider,
  }
}

/** The options say which providers there are; the configuration may name models and prices, agents their own models. */
export function modelsConfig(
  given: ModelOptions | undefined,
  { models }: Pick<Settings['config'], 'models'>,
  ofAgents: Readonly<Record<string, string>>,
  onError: (error: TuttiError) => void,
): ModelsConfig {
  const providers = providersOf(given === undefined ? {} : { models: given })
  const declaredActors = providers.length === 0 ? {} : ofAgents
  const entries = Object.entries(models.actors).map(
    ([actor, own]) => [actor, typeof own === 'string' ? { model: own } : own] as const,
  )
  const named = Object.fromEntries(
    entries.flatMap(([actor, { model }]) => (model === undefined ? [] : [[actor, model]])),
  )
  const actors = { ...byActor(declaredActors), ...byActor(named), ...byActor(given?.actors ?? {}) }
  const settings = Object.fromEntries(entries.map(([actor, { model: _model, ...own }]) => [actor, omitUndefined(own)]))
  const seconds = { ...byActor(models.seconds), ...byActor(given?.seconds ?? {}) }
  return {
    providers,
    seconds: dropUnknown(seconds, providers, onError),
    ...omitUndefined({ default: given?.default ?? models.default }),
    actors: dropUnknown(actors, providers, onError),
    settings: { ...settings, ...given?.settings },
    prices: { ...models.prices, ...given?.prices },
    timeouts: { ...omitUndefined(models.timeouts), ...given?.timeouts },
    contextWindows: { ...models.contextWindows, ...given?.contextWindows },
  }
}

/**
 * Reports a model of an agent or role that there is not, such as one of a misspelt variable.
 * @throws TuttiError `ConfigurationError` for such settings in the configuration, with the nearest name
 */
export function assertActors(
  { config: { models }, models: given, onError }: Pick<Settings, 'config' | 'models' | 'onError'>,
  known: readonly string[],
): void {
  const names = new Set(known.map(normalizeActor))
  const isStranger = (actor: string): boolean => !names.has(normalizeActor(actor))
  const hintFor = (actor: string): string => {
    const near = nearest(actor, known)
    return near === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${near}"?`
  }
  const named = given === undefined || isModelPort(given) ? {} : (given.actors ?? {})
  for (const actor of Object.keys(named).filter(isStranger)) {
    const message = `The model of "${actor}" is ignored: there is no such agent or role. ${hintFor(actor)}`
    onError(new TuttiError('ConfigurationError', message))
  }
  const ofSeconds = Object.keys(models.seconds).filter((actor) => actor !== 'default')
  const stranger = Object.keys(models.actors).find(isStranger) ?? ofSeconds.find(isStranger)
  if (stranger === undefined) return
  const field = stranger in models.actors ? 'actors' : 'seconds'
  throw new TuttiError(
    'ConfigurationError',
    `models.${field}: there is no agent or role "${stranger}". ${hintFor(stranger)}`,
  )
}

/** The models that agents would like, by their names. */
function agentModels(agents: readonly Agent[]): Readonly<Record<string, string>> {
  return Object.fromEntries(agents.flatMap(({ name, model }) => (model === undefined ? [] : [[name, model]])))
}

/** Drops the models of actors whose provider is not configured, with a warning: these actors use the default model. */
function dropUnknown(
  actors: Readonly<Record<string, string>>,
  providers: ModelsConfig['providers'],
  onError: (error: TuttiError) => void,
): Record<string, string> {
  const names = providers.map((provider) => provider.name)
  const entries = Object.entries(actors).filter(([actor, text]) => {
    const [provider = ''] = text.split(':')
    if (names.includes(provider.trim())) return true
    const configured = names.length === 0 ? 'None is configured' : `Configured are: ${names.join(', ')}`
    const message = `The model "${text}" of ${actor} is ignored, since its provider is not configured. ${configured}.`
    onError(new TuttiError('ConfigurationError', message))
    return false
  })
  return Object.fromEntries(entries)
}

/** Names as variables spell them, so that a later entry for the same actor replaces an earlier one. */
function byActor(actors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(actors).map(([actor, text]) => [normalizeActor(actor), text]))
}

/** @throws TuttiError with this code if a request names a model whose provider is not configured */
export function assertProviders(
  models: Pick<Models, 'describe'>,
  named: Readonly<Record<string, string>>,
  code: 'ConfigurationError' | 'InvalidRequest',
): void {
  const names = models.describe().providers.map(({ name }) => name)
  for (const text of Object.values(named)) {
    const provider = text.split(':', 1)[0]!.trim()
    if (names.includes(provider)) continue
    const hint = names.length === 0 ? 'No provider is; set its API key or URL.' : `Configured: ${names.join(', ')}.`
    throw new TuttiError(code, `The model provider "${provider}" is not configured. ${hint}`)
  }
}
