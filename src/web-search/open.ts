import type { HttpClient } from '../http/client.ts'
import type { WebSearchConfig } from './config.ts'
import { searxngSearch } from './searxng.ts'
import { tavilySearch } from './tavily.ts'
import type { WebSearch } from './types.ts'

/** The search service that is set up, or undefined: Tavily when there is a key for it, else SearXNG. Connects to nothing. */
export function openWebSearch(
  { tavily, searxng }: WebSearchConfig,
  { http }: { http: HttpClient },
): WebSearch | undefined {
  if (tavily !== undefined) return tavilySearch(tavily, http)
  return searxng === undefined ? undefined : searxngSearch(searxng, http)
}
