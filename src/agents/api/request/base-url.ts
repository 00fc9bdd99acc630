import { operatorValue } from '../../../domain/context.ts'
import { TuttiError } from '../../../domain/errors.ts'
import type { Api } from '../open.ts'
import type { Endpoint } from '../catalogue/types.ts'

export interface BaseUrl {
  readonly url: URL
  /** Whether the operator named it; only then are the operator's credentials sent there. */
  readonly isOperators: boolean
}

export interface BaseUrlPlaces {
  readonly context: Readonly<Record<string, unknown>>
  /** In place of the first API's own server. */
  readonly baseUrl?: string | undefined
}

/**
 * The base URL of a call: context `api_base_url`, then `base_url`, then `baseUrl`, then the API's own server. There is
 * no built-in host. The context values apply to the first configured API, `isFirst`.
 * @throws TuttiError `ConfigurationError` if there is none, or if it is not an absolute http(s) URL
 */
export function resolveBaseUrl(
  api: Api,
  endpoint: Endpoint | undefined,
  isFirst: boolean,
  places: BaseUrlPlaces,
): BaseUrl {
  const { context, baseUrl } = places
  const own = ownServers(api, endpoint)
  const operators = [...own, ...(isFirst ? [baseUrl] : [])].flatMap((text) => urlOf(text) ?? [])
  const overrides = isFirst ? [operatorValue(context, 'api_base_url'), operatorValue(context, 'base_url'), baseUrl] : []
  const baseUrlText = [...overrides, ...own].find((text) => typeof text === 'string' && text.trim() !== '')
  const url = urlOf(baseUrlText)
  if (url === undefined) throw missing(api.catalogue.name, baseUrlText)
  return { url, isOperators: operators.some(({ origin }) => origin === url.origin) }
}

function ownServers({ baseUrl, catalogue }: Api, endpoint: Endpoint | undefined): readonly string[] {
  return [baseUrl, endpoint?.server, ...catalogue.servers].filter((server) => server !== undefined)
}

function urlOf(text: unknown): URL | undefined {
  if (typeof text !== 'string') return undefined
  const absolute = text.trim().startsWith('//') ? `https:${text.trim()}` : text.trim()
  if (!/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) return undefined
  return new URL(absolute)
}

function missing(name: string, given: unknown): TuttiError {
  const problem =
    given === undefined ? 'has no base URL' : `has the base URL "${String(given)}", which is not a whole URL`
  return new TuttiError(
    'ConfigurationError',
    `The API "${name}" ${problem}. Give one as context "api_base_url", as API_AGENT_BASE_URL, or in its configuration.`,
  )
}
