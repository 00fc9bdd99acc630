import type { ModelCallOptions } from '../domain/model.ts'
import { normalizeActor, parseModelRef, type ModelRef, type ModelsConfig, type ProviderConfig } from './config.ts'

export interface ChosenRefs {
  readonly default: ModelRef | undefined
  /** By normalised actor name. */
  readonly actors: ReadonlyMap<string, ModelRef>
  /** Used after the first model failed; `default` for actors without one of their own. */
  readonly seconds: ReadonlyMap<string, ModelRef>
}

/** @throws TuttiError `ConfigurationError` when a reference names no configured provider */
export function chosenRefs(config: ModelsConfig): ChosenRefs {
  const [first] = config.providers
  const defaultRef = config.default
  const refs = (texts: Readonly<Record<string, string>> = {}, what: string): ReadonlyMap<string, ModelRef> =>
    new Map(
      Object.entries(texts).map(([actor, text]) => [
        normalizeActor(actor),
        parseModelRef(text, config.providers, `The ${what} of ${actor}`),
      ]),
    )
  return {
    default:
      defaultRef !== undefined
        ? parseModelRef(defaultRef, config.providers, 'The default model')
        : first === undefined
          ? undefined
          : ownRef(first),
    actors: refs(config.actors, 'model'),
    seconds: refs(config.seconds, 'second model'),
  }
}

/** Every model that an actor may be given, each once; for a provider that none of them belongs to, its default model. */
export function refsInUse(chosen: ChosenRefs, providers: readonly ProviderConfig[]): readonly ModelRef[] {
  const assigned = [chosen.default, ...chosen.actors.values(), ...chosen.seconds.values()].filter(
    (ref) => ref !== undefined,
  )
  const idle = providers.filter((provider) => assigned.every((ref) => ref.provider !== provider))
  const refs = [...assigned, ...idle.map(ownRef)]
  return [...new Map(refs.map((ref) => [`${ref.provider.name}:${ref.model ?? ''}`, ref])).values()]
}

/** The model of a provider that was named without one. */
function ownRef(provider: ModelRef['provider']): ModelRef {
  return provider.defaultModel === undefined ? { provider } : { provider, model: provider.defaultModel }
}

/**
 * The model for one ask: named by the request, for the actor or by default, else by the configuration, likewise.
 * Undefined when nothing is configured.
 * @throws TuttiError `ConfigurationError` when the request names a model of no configured provider
 */
export function refFor(
  { actor, models }: Pick<ModelCallOptions, 'actor' | 'models'>,
  chosen: ChosenRefs,
  providers: readonly ProviderConfig[],
): ModelRef | undefined {
  const name = normalizeActor(actor)
  const own = Object.keys(models).find((one) => one !== 'default' && normalizeActor(one) === name)
  const key = own ?? (Object.hasOwn(models, 'default') ? 'default' : undefined)
  if (key !== undefined) return parseModelRef(models[key] ?? '', providers, `models.${key} of the request`)
  return chosen.actors.get(name) ?? chosen.default
}

/** The model to use after the first one failed; undefined if none is configured, or it is the same. */
export function secondFor(actor: string, first: ModelRef | undefined, chosen: ChosenRefs): ModelRef | undefined {
  const second = chosen.seconds.get(normalizeActor(actor)) ?? chosen.seconds.get('default')
  const isSame = second?.provider === first?.provider && second?.model === first?.model
  return first === undefined || isSame ? undefined : second
}
