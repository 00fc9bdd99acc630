import { z } from 'zod'
import { sleep, type Clock } from '../shared/clock.ts'
import { type ModelPort, NO_MODEL } from '../domain/model.ts'
import { TuttiError } from '../domain/errors.ts'
import { ask } from './ask.ts'
import type { AskDeps, AskTarget } from './attempts.ts'
import { checkModel, type ModelCheck } from './check.ts'
import { chosenRefs, refFor, refsInUse, secondFor } from './choice.ts'
import {
  checkProviders,
  normalizeActor,
  maxWaitMs,
  timeoutsOf,
  baseUrlOf,
  type ActorSettings,
  type ModelRef,
  type ModelsConfig,
  type ProviderConfig,
  type Timeouts,
} from './config.ts'
import { modelContextWindow } from './context-window.ts'
import { describeModels, type ModelsDescription } from './describe.ts'
import { priceOf } from './prices.ts'
import { measureContextWindow, probeModel, type ModelProbe, type Trial } from './probe.ts'
import { loadModel, type LanguageModel } from './provider.ts'
import { backoffMs } from './retry.ts'
import { turn } from './turn/turn.ts'
import { startRequestWatchdog } from './watchdog.ts'
import type { Quirk } from './wire/quirks.ts'

export interface ModelsDeps {
  readonly clock: Clock
  /** 0 to below 1; spreads retries. */
  readonly random?: () => number
  readonly fetch?: typeof globalThis.fetch
}

export interface Models extends ModelPort {
  /** The configured models, without a request. */
  describe(): ModelsDescription
  /** Makes one small request to every model in use. */
  check(signal: AbortSignal): Promise<readonly ModelCheck[]>
  /**
   * Tests the abilities of every model in use, with three small requests each.
   * @param withContext also measures the context window, which costs up to 200,000 tokens each
   */
  probe(signal: AbortSignal, withContext: boolean): Promise<readonly ModelProbe[]>
}

/**
 * The configured models. Nothing is loaded or requested before the first ask.
 * @throws TuttiError `ConfigurationError` for a provider without address or key, or a model of an unconfigured provider
 */
export function createModels(config: ModelsConfig, deps: ModelsDeps): Models {
  const { clock, random = Math.random, fetch = globalThis.fetch } = deps
  const timeouts = timeoutsOf(config.timeouts)
  checkProviders(config.providers)
  const chosen = chosenRefs(config)
  const settings = new Map(Object.entries(config.settings ?? {}).map(([actor, own]) => [normalizeActor(actor), own]))
  const quirks = new Map<string, Set<Quirk>>()
  const loaded = new Map<string, Promise<LanguageModel>>()
  const found = new Map<string, string>()

  async function targetOf(ref: ModelRef, signal: AbortSignal): Promise<AskTarget | { reason: string }> {
    const { provider } = ref
    let model = ref.model ?? found.get(provider.name)
    if (model === undefined) {
      const isListed = provider.kind === 'compatible' || provider.kind === 'ollama'
      if (!isListed)
        return { reason: `${provider.name} (${provider.source}) needs a model: write ${provider.name}:model` }
      const io = { fetch: provider.fetch ?? fetch, clock, timeouts, signal }
      let names = await listModels(provider, io)
      if ('reason' in names && names.mayPass) {
        await sleep(clock, backoffMs(1, random), signal)
        names = await listModels(provider, io)
      }
      if ('reason' in names) return names
      model = names[0]!
      found.set(provider.name, model)
    }
    const name = `${provider.name}:${model}`
    return {
      ref: name,
      provider,
      model,
      price: priceOf(provider, model, config.prices),
      quirks: getOrCreate(quirks, name, () => new Set<Quirk>()),
      load(quirks) {
        const key = [name, ...[...quirks].sort()].join(' ')
        return getOrCreate(loaded, key, () => loadModel(provider, model, new Set(quirks), provider.fetch ?? fetch))
      },
    }
  }

  const askDeps: AskDeps = {
    clock,
    random,
    timeouts,
    async choose(options) {
      const ref = refFor(options, chosen, config.providers)
      return ref === undefined ? { reason: NO_MODEL } : targetOf(ref, options.signal)
    },
    async chooseSecond(options) {
      const ref = secondFor(options.actor, refFor(options, chosen, config.providers), chosen)
      return ref === undefined ? undefined : targetOf(ref, options.signal)
    },
  }
  const measured: Record<string, number> = {}
  const kindOf = (name: string) => config.providers.find((provider) => provider.name === name)?.kind

  async function probeTarget(target: AskTarget, signal: AbortSignal, withContext: boolean): Promise<ModelProbe> {
    const own: AskDeps = { ...askDeps, choose: async () => target, chooseSecond: async () => undefined }
    const trial: Trial = async (request) => {
      let pieces = 0
      const onText = (): void => void pieces++
      return {
        turn: await turn(own, request, { actor: 'probe', models: {}, signal, reserve: () => () => {}, onText }),
        pieces,
      }
    }
    const probe = await probeModel(target.ref, trial)
    const contextWindow = withContext ? await measureContextWindow(trial) : undefined
    if (contextWindow === undefined) return probe
    measured[target.ref] = contextWindow
    return { ...probe, contextWindow }
  }
  const settingsOf = (actor: string): ActorSettings => settings.get(normalizeActor(actor)) ?? {}

  return {
    patience: maxWaitMs(timeouts),
    ask: (prompt, input, options) => ask(askDeps, { ...prompt, ...settingsOf(options.actor) }, input, options),
    turn: (request, options) => turn(askDeps, { ...request, ...settingsOf(options.actor) }, options),
    async modelOf(options) {
      const ref = refFor(options, chosen, config.providers)
      if (ref === undefined) return undefined
      const target = await targetOf(ref, new AbortController().signal)
      if ('ref' in target) return target.ref
      throw new TuttiError('ModelUnavailable', `No model can be asked: ${target.reason}.`)
    },
    contextWindow: (ref) => modelContextWindow(ref, kindOf, { ...measured, ...config.contextWindows }),
    async probe(signal, withContext) {
      const targets = await Promise.all(refsInUse(chosen, config.providers).map((ref) => targetOf(ref, signal)))
      const probed = targets.flatMap((target) => ('ref' in target ? [probeTarget(target, signal, withContext)] : []))
      return Promise.all(probed)
    },
    describe: () => describeModels(config.providers, chosen),
    async check(signal) {
      const refs = refsInUse(chosen, config.providers)
      const checks = refs.map((ref) => checkModel(ref, targetOf(ref, signal), { clock, timeouts, signal }))
      return Promise.all(checks)
    },
  }
}

function getOrCreate<T>(map: Map<string, T>, key: string, create: () => T): T {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = create()
  map.set(key, created)
  return created
}

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/**
 * Lists the chat models of an OpenAI-compatible server. Embedding models are excluded by their names, since the list
 * does not state a model's purpose.
 * @returns the names in the server's order, or why there are none, and whether a retry may succeed
 */
async function listModels(
  provider: ProviderConfig,
  io: Pick<Required<ModelsDeps>, 'fetch' | 'clock'> & { readonly timeouts: Timeouts; readonly signal: AbortSignal },
): Promise<readonly string[] | { readonly reason: string; readonly mayPass: boolean }> {
  const { name, apiKey, source } = provider
  const baseUrl = baseUrlOf(provider)
  io.signal.throwIfAborted()
  const watchdog = startRequestWatchdog(io.clock, { ...io.timeouts, leftMs: io.timeouts.answerMs }, io.signal)
  const failed = (what: string, mayPass = false) => ({ reason: `${name} (${source}) ${what} at ${baseUrl}`, mayPass })
  try {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    const response = await io.fetch(`${baseUrl}/models`, {
      headers,
      redirect: 'manual',
      signal: watchdog.signal,
    })
    if (!response.ok) return failed(`does not list its models (${response.status})`, response.status >= 500)
    const list = listSchema.safeParse(await response.json())
    if (!list.success) return failed('does not answer as an OpenAI-compatible server')
    const names = list.data.data.map((model) => model.id).filter((id) => !/embed/i.test(id))
    return names.length === 0 ? failed('has no chat model') : names
  } catch (error) {
    if (io.signal.aborted) throw io.signal.reason
    const isOther = error instanceof SyntaxError
    return failed(isOther ? 'does not answer as an OpenAI-compatible server' : 'does not answer', !isOther)
  } finally {
    watchdog.stop()
  }
}
