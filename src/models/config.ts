import { TuttiError } from '../domain/errors.ts'
import type { Price } from './prices.ts'

/** The protocol that a provider speaks. `compatible` is any server with OpenAI's chat completions: vLLM, LM Studio, a gateway. */
export type ProviderKind = 'openai' | 'anthropic' | 'google' | 'azure' | 'compatible' | 'ollama'

export interface ProviderConfig {
  /** First part of a model reference: `name:model`. */
  readonly name: string
  readonly kind: ProviderKind
  /** Source of the configuration, such as an environment variable; messages contain its name, but not its value. */
  readonly source: string
  readonly apiKey?: string
  readonly baseUrl?: string
  /** Used when the provider is named without a model. Absent: the first model that the server lists. */
  readonly defaultModel?: string
  /** Whether the server takes a JSON schema as response format. All kinds but `compatible` do. */
  readonly structuredOutputs?: boolean
  /** Connect only to addresses of the public internet, and to the hosts of `http.allowHosts`. */
  readonly publicOnly?: boolean
  /** The function that sends requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Time limits in milliseconds. Each is shorter than the next, so that a call's fallback comes before the end of its
 * job.
 */
export interface Timeouts {
  /** Until the first event of a request. */
  readonly firstChunkMs: number
  /** Between two events of a request. */
  readonly idleMs: number
  /** Of one whole request. */
  readonly totalMs: number
  /** Of all requests made for one answer, with the waits between them. */
  readonly answerMs: number
}

/** How an actor's model is to answer. */
export interface ActorSettings {
  readonly temperature?: number
  readonly maxOutputTokens?: number
}

export interface ModelsConfig {
  /** In order of preference: without a default, the first one is used. */
  readonly providers: readonly ProviderConfig[]
  /** `provider:model` for every actor without one of its own. */
  readonly default?: string
  /** `provider:model` by actor name. */
  readonly actors?: Readonly<Record<string, string>>
  /** `provider:model` to use after an actor's model has failed, by actor name or `default`. */
  readonly seconds?: Readonly<Record<string, string>>
  /** By actor name, for any model of the actor; wins over the prompt's settings. */
  readonly settings?: Readonly<Record<string, ActorSettings>>
  /** US dollars per million tokens by `provider:model`; wins over the built-in table. */
  readonly prices?: Readonly<Record<string, Price>>
  readonly timeouts?: Partial<Timeouts>
  /** Tokens by `provider:model`; wins over the built-in table and measured values. */
  readonly contextWindows?: Readonly<Record<string, number>>
}

/**
 * Default models per provider if a key is set and no model is named: capable, not the most expensive, listed by the SDK
 * in use.
 */
export const DEFAULT_MODELS: Readonly<Partial<Record<ProviderKind, string>>> = {
  openai: 'gpt-5.4-mini',
  anthropic: 'claude-sonnet-4-6',
  google: 'gemini-3.5-flash',
}

/** Given to the SDK in every case, since it would otherwise take addresses from variables that Tutti does not show. */
export const DEFAULT_URLS: Readonly<Partial<Record<ProviderKind, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434/v1',
}

export const DEFAULT_TIMEOUTS: Timeouts = { firstChunkMs: 60_000, idleMs: 60_000, totalMs: 120_000, answerMs: 150_000 }

/**
 * The default limits with an operator's overrides; an outer limit is at least as long as the limits that it contains.
 */
export function timeoutsOf(given: Partial<Timeouts> = {}): Timeouts {
  const { firstChunkMs, idleMs, totalMs, answerMs } = { ...DEFAULT_TIMEOUTS, ...given }
  const longestMs = Math.max(totalMs, ...[given.firstChunkMs, given.idleMs].filter((ms) => ms !== undefined))
  return { firstChunkMs, idleMs, totalMs: longestMs, answerMs: Math.max(answerMs, longestMs) }
}

/** How much longer these limits are than the usual ones; jobs that ask models get that much more time. */
export function maxWaitMs({ answerMs }: Timeouts): number {
  return Math.max(1, answerMs / DEFAULT_TIMEOUTS.answerMs)
}

export interface ModelRef {
  readonly provider: ProviderConfig
  /** Absent: the provider's own default, or the first model it lists. */
  readonly model?: string
}

/**
 * Parses `provider:model`. Only the first colon separates, since names of models may contain one (`llama3.1:8b`).
 * @param where named in the message, such as `TUTTI_MODEL` or `models.sql of the request`
 * @throws TuttiError `ConfigurationError` if the text is no reference or its provider is not configured
 */
export function parseModelRef(text: string, providers: readonly ProviderConfig[], where: string): ModelRef {
  const colon = text.indexOf(':')
  const name = (colon === -1 ? text : text.slice(0, colon)).trim()
  const model = colon === -1 ? '' : text.slice(colon + 1).trim()
  const provider = providers.find((candidate) => candidate.name === name)
  if (provider !== undefined && colon === -1) return { provider, ...modelOf(provider.defaultModel) }
  if (provider !== undefined && model !== '') return { provider, model }
  const known = providers.map((candidate) => candidate.name).join(', ')
  const hint = known === '' ? 'No provider is configured; set its API key or URL.' : `Configured providers: ${known}.`
  throw new TuttiError(
    'ConfigurationError',
    `${where} is "${text}", which names no model of a configured provider. Write provider:model. ${hint}`,
  )
}

function modelOf(model: string | undefined): { model?: string } {
  return model === undefined ? {} : { model }
}

/** Actor names as variables spell them: `memory-extractor` and `MEMORY_EXTRACTOR` are one. */
export function normalizeActor(actor: string): string {
  return actor.toLowerCase().replace(/[^a-z0-9]+/g, '_')
}

/**
 * The base URL of a provider, without a trailing slash.
 * @throws TuttiError `ConfigurationError` for a provider that needs an address and has none
 */
export function baseUrlOf(provider: ProviderConfig): string {
  const url = provider.baseUrl ?? DEFAULT_URLS[provider.kind]
  if (url !== undefined) return url.replace(/\/+$/, '')
  throw new TuttiError(
    'ConfigurationError',
    `The model provider "${provider.name}" (${provider.source}) has no base URL.`,
  )
}

/**
 * Validates a configuration before the first request.
 * @throws TuttiError `ConfigurationError`
 */
export function checkProviders(providers: readonly ProviderConfig[]): void {
  const names = new Set<string>()
  for (const provider of providers) {
    const { name, kind, source } = provider
    baseUrlOf(provider)
    if (name === '' || name.includes(':')) {
      throw new TuttiError('ConfigurationError', `"${name}" (${source}) cannot name a model provider: use no colon.`)
    }
    if (names.has(name)) {
      throw new TuttiError(
        'ConfigurationError',
        `Two model providers are named "${name}"; give each a name of its own.`,
      )
    }
    names.add(name)
    // The SDK would look for a key in variables of its own.
    if (provider.apiKey === undefined && kind !== 'compatible' && kind !== 'ollama') {
      throw new TuttiError('ConfigurationError', `The model provider "${name}" (${source}) has no API key.`)
    }
  }
}
