import { TuttiError } from '../../core/errors.ts'
import type { HttpClient } from '../../http/client.ts'
import type { Api, Credential } from './api.ts'
import { readCatalogue } from './catalogue/load.ts'

/** An API as it stands in the configuration. */
export interface ApiConfig {
  readonly name?: string | undefined
  /** File or URL of an OpenAPI document or a catalogue in YAML. */
  readonly catalogue: string
  readonly baseUrl?: string | undefined
  readonly trusted?: boolean | undefined
  /** By name of the security scheme. `${NAME}` stands for an environment variable. */
  readonly credentials?: Readonly<Record<string, Credential>> | undefined
}

export interface OpenApisParts {
  readonly http: HttpClient
  /** Where relative paths are looked up. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Reads the catalogues of all configured APIs.
 * @throws TuttiError `ConfigurationError` for a catalogue that cannot be read, an unset variable, or two APIs of one name
 */
export async function openApis(configs: readonly ApiConfig[], { http, cwd, env }: OpenApisParts): Promise<Api[]> {
  const apis = await Promise.all(
    configs.map(async ({ name, catalogue: location, baseUrl, trusted, credentials = {} }): Promise<Api> => {
      const catalogue = await readCatalogue(location, { http, cwd, ...(name === undefined ? {} : { name }) })
      return {
        catalogue,
        credentials: withVariables(credentials, env, catalogue.name),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(trusted === undefined ? {} : { trusted }),
      }
    }),
  )
  const names = apis.map(({ catalogue }) => catalogue.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined)
    throw new TuttiError('ConfigurationError', `Two APIs are named "${twice}"; give one another name.`)
  return apis
}

function withVariables(
  credentials: Readonly<Record<string, Credential>>,
  env: OpenApisParts['env'],
  api: string,
): Readonly<Record<string, Credential>> {
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = env[name]
      if (value !== undefined && value !== '') return value
      throw new TuttiError(
        'ConfigurationError',
        `The credentials of the API "${api}" need the environment variable ${name}, which is not set.`,
      )
    })
  return Object.fromEntries(
    Object.entries(credentials).map(([scheme, credential]) => [
      scheme,
      Object.fromEntries(Object.entries(credential).map(([key, value]) => [key, fill(String(value))])) as Credential,
    ]),
  )
}
