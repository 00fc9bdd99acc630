import { omitUndefined } from '../../shared/json.ts'
import { basename } from 'node:path'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import type { HttpClient } from '../../http/client.ts'
import { readCatalogue } from './catalogue/load.ts'
import type { Catalogue } from './catalogue/types.ts'
import type { FirebaseSettings } from './sign-in/firebase.ts'

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
  readonly onError?: (error: TuttiError) => void
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

async function openApi(config: ApiConfig, { http, cwd, onError }: OpenApisParts): Promise<Api> {
  const { name, catalogue: location, baseUrl, trusted, credentials = {}, key } = config
  const catalogue = await readCatalogue(location, { http, cwd, ...omitUndefined({ name, onUnreadable: onError }) })
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

/** The operator's credential for one of an API's sign-ins. */
export type Credential =
  | { readonly token: string }
  | { readonly username: string; readonly password: string }
  | { readonly key: string }

/** An API as the operator set it up. */
export interface Api {
  readonly catalogue: Catalogue
  /** In place of the catalogue's own server. */
  readonly baseUrl?: string
  /**
   * Whether its answers count as the operator's own data, and other sources' data may be sent to it. Otherwise its
   * answers are labelled as outside data, since anybody may have written the texts in them.
   */
  readonly trusted?: boolean
  /** By name of the security scheme; for a catalogue that declares none, under any name. */
  readonly credentials?: Readonly<Record<string, Credential>>
}

/** The operator's settings for all APIs. */
export interface ApiSettings {
  /** Server of the first API, in place of its document's own. */
  readonly baseUrl?: string
  /** An account of Firebase for APIs that take a bearer token, or a file with such a token. */
  readonly firebase?: Omit<FirebaseSettings, 'contextFile'>
}
