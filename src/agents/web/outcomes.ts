import type { Outcome, Source } from '../../core/result.ts'
import type { SearchHit, SearchKind } from '../../web-search/types.ts'
import { citedSources } from '../citations.ts'
import type { Evidence } from './evidence.ts'

export interface Answered {
  readonly query: string
  readonly kind: SearchKind
  readonly serviceAnswer?: string
  readonly hits: readonly SearchHit[]
  readonly evidence: readonly Evidence[]
  /** With [n] for the n-th evidence. */
  readonly answer: string
  readonly by: 'model' | 'fallback'
}

/** `data` in the form of SPEC R6; the answer's [n] are the places of `sources`. */
export function success({ query, kind, serviceAnswer, hits, evidence, answer, by }: Answered): Outcome {
  const cited = citedSources(answer, evidence)
  return {
    answer: cited.answer,
    data: {
      search_query: query,
      search_type: kind,
      tavily_answer: serviceAnswer ?? null,
      search_results: hits.map(({ title, url, snippet, score }) => ({ title, url, snippet, score })),
      fetched_pages: evidence.filter(({ isRead }) => isRead).length,
      sources: cited.sources.map(({ title, url, excerpt, score }) => ({
        type: 'web',
        source: title,
        url,
        excerpt,
        relevance_score: score,
      })),
      result: cited.answer,
    },
    sources: cited.sources.map(sourceOf),
    confidence: confidenceOf(evidence, by),
  }
}

function sourceOf({ title, url, excerpt }: Evidence): Source {
  return { kind: 'web', name: title, url, ...(excerpt === '' ? {} : { excerpt }) }
}

function confidenceOf(evidence: readonly Evidence[], by: 'model' | 'fallback'): number {
  if (evidence.length === 0) return 0.2
  return by === 'model' ? 0.8 : 0.6
}
