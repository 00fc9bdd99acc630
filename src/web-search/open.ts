import type { HttpClient } from '../http/client.ts'
import type { WebSearchConfig } from './config.ts'
import { braveSearch } from './brave.ts'
import { searxngSearch } from './searxng.ts'
import { tavilySearch } from './tavily.ts'
import type { WebSearch } from './types.ts'

/**
 * Returns the configured search service: Tavily if it has a key, else Brave if it has one, else SearXNG; undefined if
 * there is none. Does not connect.
 */
export function openWebSearch(
  { tavily, brave, searxng }: WebSearchConfig,
  { http }: { http: HttpClient },
): WebSearch | undefined {
  if (tavily !== undefined) return tavilySearch(tavily, http)
  if (brave !== undefined) return braveSearch(brave, http)
  return searxng === undefined ? undefined : searxngSearch(searxng, http)
}
