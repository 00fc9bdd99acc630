import { unavailableSource } from '../domain/error-text.ts'
import { type Api, openApis } from '../agents/api/open.ts'
import type { TuttiError } from '../domain/errors.ts'
import { readServerUrl, serverHost } from '../domain/server-url.ts'
import type { HttpClient } from '../http/client.ts'
import { createFetch } from '../http/fetch.ts'
import type { HttpPolicyOptions } from '../http/policy.ts'
import { searchHosts } from '../web-search/config.ts'
import type { Settings } from './check-options.ts'

type Named = Pick<Settings, 'config' | 'apis' | 'apiSettings' | 'allowHosts' | 'webSearch' | 'proxy'>

/** Hosts of addresses that the operator configured are allowed. */
export function httpPolicy(options: Named): HttpPolicyOptions {
  const { config, apis: named = [], apiSettings = {}, webSearch = {} } = options
  const { baseUrl, firebase: { emulatorHost } = {} } = apiSettings
  const addresses = [...named, ...config.apis].flatMap(({ catalogue }) => catalogue)
  const baseUrls = [baseUrl, ...config.apis.map((api) => api.baseUrl)].flatMap((url) => url ?? [])
  const hosts = [...addresses, ...baseUrls].flatMap((text) =>
    /^https?:/i.test(text) ? (readServerUrl(text, 'The address of an API')?.host ?? []) : [],
  )
  return {
    allowHosts: [...listedHosts(options), ...hosts, ...searchHosts(webSearch), emulatorHost ?? []].flat(),
    ...publicPolicy(options),
  }
}

/** Hosts that the operator calls internal. */
export function listedHosts({ config, allowHosts = [] }: Named): readonly string[] {
  return [...config.http.allowHosts, ...allowHosts]
}

/**
 * For addresses chosen by third parties: no internal host may be reached, not even those allowed for other purposes.
 */
export function publicPolicy({ proxy }: Pick<Settings, 'proxy'>): HttpPolicyOptions {
  return proxy === undefined ? {} : { proxy }
}

/**
 * For one internal server of the operator, such as the vector store with the documents of all owners. Agents' requests
 * must not reach it.
 */
export function serverPolicy(options: Pick<Settings, 'proxy'>, address: string): HttpPolicyOptions {
  return { allowHosts: [serverHost(address)], ...publicPolicy(options) }
}

/** Maximum size of responses of the single sign-on provider, in bytes. */
const MAX_PROVIDER_BYTES = 1_000_000

/** A fetch for the single sign-on provider. Addresses that it names may be internal hosts only if they are allowed. */
export function providerFetch(options: Named): typeof fetch | undefined {
  const { oidc } = options.config.people
  if (oidc === undefined) return undefined
  const allowHosts = [...listedHosts(options), serverHost(oidc.issuer)]
  return createFetch({ allowHosts, ...publicPolicy(options) }, MAX_PROVIDER_BYTES)
}

/** A service that could not be read, and the reason as a sentence. */
export interface UnavailableService {
  readonly name: string
  readonly why: string
}

/** A named API that cannot be read is an error; a configured one is left out with a word, since most work needs none. */
export async function openAllApis(
  options: Settings,
  http: HttpClient,
): Promise<{ readonly apis: readonly Api[]; readonly lacking: readonly UnavailableService[] }> {
  const { config, apis: named = [], cwd, apiKey: key, onError } = options
  const lacking: UnavailableService[] = []
  const onUnreadable = (error: TuttiError, name: string): void => {
    onError(error)
    lacking.push({ name, why: unavailableSource(`The service “${name}”`, error) })
  }
  const configs = [...config.apis.map((api) => ({ ...api, onUnreadable })), ...named.map((api) => ({ ...api, key }))]
  return { apis: await openApis(configs, { http, cwd, onError }), lacking }
}
