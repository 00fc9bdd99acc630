import { baseUrlOf, type ModelRef, type ProviderConfig, type ProviderKind } from './config.ts'
import type { ChosenRefs } from './choice.ts'

export interface ProviderDescription {
  readonly name: string
  readonly kind: ProviderKind
  /** The variable or setting that configured it. */
  readonly source: string
  /** The host that receives questions and data. */
  readonly host: string
}

export interface ModelsDescription {
  readonly providers: readonly ProviderDescription[]
  /** `provider:model`; undefined if all answers come from fallbacks. */
  readonly default: string | undefined
  /** `provider:model` of actors that have one of their own. */
  readonly actors: Readonly<Record<string, string>>
  /** `provider:model` to use after the first one failed, by actor or `default`; absent if there is none. */
  readonly seconds?: Readonly<Record<string, string>>
}

/** Describes the configured models, from the configuration only; keys are never included. */
export function describeModels(providers: readonly ProviderConfig[], chosen: ChosenRefs): ModelsDescription {
  return {
    providers: providers.map((provider) => {
      const { name, kind, source } = provider
      return { name, kind, source, host: new URL(baseUrlOf(provider)).host }
    }),
    default: chosen.default === undefined ? undefined : refText(chosen.default),
    actors: refTexts(chosen.actors),
    ...(chosen.seconds.size === 0 ? {} : { seconds: refTexts(chosen.seconds) }),
  }
}

function refTexts(refs: ReadonlyMap<string, ModelRef>): Record<string, string> {
  return Object.fromEntries([...refs].map(([actor, ref]) => [actor, refText(ref)]))
}

function refText(ref: ModelRef): string {
  return `${ref.provider.name}:${ref.model ?? '(first model it lists)'}`
}
