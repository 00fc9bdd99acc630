export const TAVILY_URL = 'https://api.tavily.com'
export const BRAVE_URL = 'https://api.search.brave.com'

interface SearchAccount {
  readonly apiKey: string
  readonly url: string
}

/** Which search services are set up; all parts may be absent. */
export interface WebSearchConfig {
  readonly tavily?: SearchAccount
  readonly brave?: SearchAccount
  readonly searxng?: { readonly url: string }
}

/** The service that is used: Tavily if it has a key, else Brave if it has one, else SearXNG. */
export function chosenService({ tavily, brave, searxng }: WebSearchConfig): { name: string; url: string } | undefined {
  if (tavily !== undefined) return { name: 'Tavily', url: tavily.url }
  if (brave !== undefined) return { name: 'Brave', url: brave.url }
  return searxng && { name: 'SearXNG', url: searxng.url }
}

/** Hosts that the operator named here; they may be reached even when they are internal. */
export function searchHosts({ tavily, brave, searxng }: WebSearchConfig): string[] {
  return [tavily, brave, searxng].flatMap((service) =>
    service === undefined || service.url === TAVILY_URL || service.url === BRAVE_URL ? [] : [new URL(service.url).host],
  )
}
