import type { Api } from '../agents/api/api.ts'
import { openApis } from '../agents/api/open.ts'
import type { Config } from '../config.ts'
import { readServerUrl } from '../core/server-url.ts'
import type { HttpClient } from '../http/client.ts'
import { proxyFromEnv, type HttpPolicyOptions } from '../http/policy.ts'
import { qdrantHost, type QdrantConfig } from '../knowledge/qdrant/config.ts'
import { searchHosts, type WebSearchConfig } from '../web-search/config.ts'
import type { AppOptions } from './options.ts'

/** The host of an address that the operator wrote down is one that the operator wants to be reached. */
export function httpPolicy(config: Config, options: AppOptions, web: WebSearchConfig): HttpPolicyOptions {
  const { apis } = config
  const { apis: named = [], env } = options
  const addresses = [...named, ...apis].flatMap(({ catalogue }) => catalogue)
  const baseUrls = apis.flatMap(({ baseUrl }) => baseUrl ?? [])
  const hosts = [...addresses, ...baseUrls].flatMap((text) =>
    /^https?:/i.test(text) ? (readServerUrl(text, 'The address of an API')?.host ?? []) : [],
  )
  return {
    allowHosts: [...listedHosts(config, options), ...hosts, ...searchHosts(web)],
    ...publicPolicy(config, env),
  }
}

/** Hosts that the operator calls internal. */
export function listedHosts({ http }: Config, { allowHosts = [] }: Pick<AppOptions, 'allowHosts'>): readonly string[] {
  return [...http.allowHosts, ...allowHosts]
}

/** For addresses that strangers chose: no internal host may be reached, whatever the operator allows to others. */
export function publicPolicy({ http }: Config, env: AppOptions['env']): HttpPolicyOptions {
  return http.proxyFromEnv ? { proxy: proxyFromEnv(env) } : {}
}

/** For Qdrant alone: it holds the documents of all owners, so no agent's request may get there. */
export function qdrantPolicy(config: Config, env: AppOptions['env'], qdrant: QdrantConfig): HttpPolicyOptions {
  return { allowHosts: [qdrantHost(qdrant)], ...publicPolicy(config, env) }
}

/** A named API that cannot be read is an error; a configured one is left out with a word, since most work needs none. */
export function openAllApis({ apis }: Config, options: AppOptions, http: HttpClient): Promise<Api[]> {
  const { apis: named = [], cwd, onTrouble: onUnreadable } = options
  const key = keyOf(options)
  const configs = [...apis.map((api) => ({ ...api, onUnreadable })), ...named.map((api) => ({ ...api, key }))]
  return openApis(configs, { http, cwd })
}

/** Key or token for the sign-ins of APIs that were named by hand. */
export function keyOf({ apiKey, env }: AppOptions): string | undefined {
  return apiKey || env['TUTTI_API_KEY'] || undefined
}
