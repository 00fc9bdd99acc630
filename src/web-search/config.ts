export const TAVILY_URL = 'https://api.tavily.com'

/** Which search services are set up; both parts may be absent. */
export interface WebSearchConfig {
  readonly tavily?: { readonly apiKey: string; readonly url: string }
  readonly searxng?: { readonly url: string }
}

/** Hosts that the operator named here; they may be reached even when they are internal. */
export function searchHosts({ tavily, searxng }: WebSearchConfig): string[] {
  const hosts = [...(tavily === undefined || tavily.url === TAVILY_URL ? [] : [tavily.url]), searxng?.url]
  return hosts.flatMap((url) => (url === undefined ? [] : [new URL(url).host]))
}
