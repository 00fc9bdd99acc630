import type { Source } from '../../domain/result.ts'
import type { SearchHit, SearchKind } from '../../web-search/types.ts'

/** The data of a result of this agent. */
export interface Searched {
  readonly query: string
  readonly kind: SearchKind
  readonly serviceAnswer?: string | undefined
  readonly hits: readonly SearchHit[]
  readonly fetchedPages: number
  readonly sources: readonly Source[]
  readonly answer: string
}

/** `data` of a result of the web agent. */
export function webData({ query, kind, serviceAnswer, hits, fetchedPages, sources, answer }: Searched) {
  const scores = new Map(hits.map(({ url, score }) => [url, score]))
  return {
    search_query: query,
    search_type: kind,
    tavily_answer: serviceAnswer ?? null,
    search_results: hits.map(({ title, url, snippet, score }) => ({ title, url, snippet, score })),
    fetched_pages: fetchedPages,
    sources: sources.map(({ name, url = '', excerpt = '' }) => ({
      type: 'web',
      source: name,
      url,
      excerpt,
      relevance_score: scores.get(url) ?? 1,
    })),
    result: answer,
  }
}
