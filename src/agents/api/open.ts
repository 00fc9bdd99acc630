import { basename } from 'node:path'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { HttpClient } from '../../http/client.ts'
import type { Api, Credential } from './api.ts'
import { readCatalogue } from './catalogue/load.ts'
import type { Catalogue } from './catalogue/types.ts'
import { omitUndefined } from '../../shared/json.ts'

/** An API in the configuration. */
export interface ApiConfig {
  readonly name?: string | undefined
  /** File or URL of an OpenAPI document or a catalogue in YAML. */
  readonly catalogue: string
  readonly baseUrl?: string | undefined
  readonly trusted?: boolean | undefined
  /** By name of the security scheme. */
  readonly credentials?: Readonly<Record<string, Credential>> | undefined
  /** For all its sign-ins by key or token that have no credentials of their own. */
  readonly key?: string | undefined
  /** Called if it cannot be read, and it is then left out; without it, that is an error. */
  readonly onUnreadable?: (error: TuttiError, name: string) => void
}

export interface OpenApisParts {
  readonly http: HttpClient
  /** Where relative paths are looked up. */
  readonly cwd: string
  /** Called for an unreadable file that a catalogue refers to: see `readCatalogue`. */
  readonly onTrouble?: (error: TuttiError) => void
}

/**
 * Reads the catalogues of all APIs.
 * @throws TuttiError `ConfigurationError` for a catalogue that cannot be read, or two APIs of one name
 */
export async function openApis(configs: readonly ApiConfig[], parts: OpenApisParts): Promise<Api[]> {
  const opened = await Promise.all(
    configs.map(async (config) => {
      try {
        return [await openApi(config, parts)]
      } catch (thrown) {
        if (config.onUnreadable === undefined) throw thrown
        // The full address is not shown, because it may contain a key.
        config.onUnreadable(toTuttiError(thrown), config.name ?? basename(config.catalogue.split(/[?#]/, 1)[0]!))
        return []
      }
    }),
  )
  const apis = opened.flat()
  const names = apis.map(({ catalogue }) => catalogue.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return apis
  throw new TuttiError('ConfigurationError', `Two APIs are named "${twice}"; give one another name.`)
}

async function openApi(config: ApiConfig, { http, cwd, onTrouble }: OpenApisParts): Promise<Api> {
  const { name, catalogue: location, baseUrl, trusted, credentials = {}, key } = config
  const catalogue = await readCatalogue(location, { http, cwd, ...omitUndefined({ name, onUnreadable: onTrouble }) })
  return {
    catalogue,
    credentials: { ...keyForAll(catalogue, key), ...credentials },
    ...omitUndefined({ baseUrl, trusted }),
  }
}

/** One key for every sign-in of an API that takes a single one. */
function keyForAll({ securitySchemes }: Catalogue, key: string | undefined): Record<string, Credential> {
  if (key === undefined) return {}
  const takesOne = Object.entries(securitySchemes).filter(([, { kind }]) => kind !== 'basic')
  return Object.fromEntries(takesOne.map(([name, { kind }]) => [name, kind === 'bearer' ? { token: key } : { key }]))
}
