import { TuttiError } from '../core/errors.ts'
import { readServerUrl } from '../core/server-url.ts'

export const TAVILY_URL = 'https://api.tavily.com'

/** Which search services are set up; both parts may be absent. */
export interface WebSearchConfig {
  readonly tavily?: { readonly apiKey: string; readonly url: string }
  readonly searxng?: { readonly url: string }
}

/**
 * Reads `TAVILY_API_KEY`, `TUTTI_TAVILY_URL` (another address of the same API) and `TUTTI_SEARXNG_URL`.
 * @throws TuttiError `ConfigurationError` for an address that is not valid
 */
export function webSearchConfig(env: Readonly<Record<string, string | undefined>>): WebSearchConfig {
  const apiKey = env['TAVILY_API_KEY']?.trim()
  const tavilyUrl = addressIn(env, 'TUTTI_TAVILY_URL')
  const searxngUrl = addressIn(env, 'TUTTI_SEARXNG_URL')
  return {
    ...(apiKey ? { tavily: { apiKey, url: tavilyUrl ?? TAVILY_URL } } : {}),
    ...(searxngUrl === undefined ? {} : { searxng: { url: searxngUrl } }),
  }
}

/** Hosts that the operator named here; they may be reached even when they are internal. */
export function searchHosts({ tavily, searxng }: WebSearchConfig): string[] {
  const named = [...(tavily === undefined || tavily.url === TAVILY_URL ? [] : [tavily.url]), searxng?.url]
  return named.flatMap((url) => (url === undefined ? [] : [new URL(url).host]))
}

function addressIn(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const text = env[name]?.trim()
  if (!text) return undefined
  const url = readServerUrl(text, name)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const message = `${name} is not the address of a search service; write it as https://host or http://host:port, without user name and password.`
    throw new TuttiError('ConfigurationError', message)
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
