import type { Catalogue, Endpoint, Snippet } from '../catalogue/types.ts'
import { inverseDocumentFrequency, stemmedTokens } from '../../../shared/tokens.ts'

const TOP_K = 8
const TOP_SNIPPETS = 4
/** Only the beginning of a description states the purpose of an endpoint. */
const DESCRIPTION_CHARS = 400

/** Weights of matches by place. */
const WEIGHTS = { path: 3, summary: 2.5, tag: 1.5, params: 0.8, values: 0.8, description: 0.7 }

export interface Ranked {
  /** The catalogue's place in the list that the index was made of. */
  readonly api: number
  readonly endpoint: Endpoint
  readonly score: number
}

export interface EndpointIndex {
  /**
   * The endpoints that share words with a text, best first; equal scores in the order of the catalogue.
   * @param factorOf multiplies the score
   */
  rank(text: string, factorOf?: (endpoint: Endpoint) => number): readonly Ranked[]
  /** As `rank`, filled up with other endpoints to the number that can be shown. */
  nearest(text: string): readonly Ranked[]
  snippets(question: string): readonly Snippet[]
}

interface Entry {
  readonly api: number
  readonly endpoint: Endpoint
  readonly weights: ReadonlyMap<string, number>
  /** Words of the path's fixed parts: the endpoint's subject. */
  readonly subject: ReadonlySet<string>
}

/**
 * An index over all endpoints, made once. Scores are token overlap weighted by rarity (inverse document frequency) and by
 * place, times how much of the endpoint's own path the question speaks of; deterministic.
 */
export function createEndpointIndex(catalogues: readonly Catalogue[]): EndpointIndex {
  const entries = catalogues.flatMap(({ endpoints }, api) => endpoints.map((endpoint) => entryOf(endpoint, api)))
  const rarity = inverseDocumentFrequency(entries.map(({ weights }) => weights.keys()))
  const texts = catalogues.flatMap(({ snippets }) => snippets)
  const snippetTokens = texts.map(({ title, text }) => new Set(stemmedTokens(`${title} ${text}`)))
  const snippetRarity = inverseDocumentFrequency(snippetTokens)
  const rank = (text: string, factorOf: (endpoint: Endpoint) => number = () => 1): readonly Ranked[] => {
    const tokens = new Set(stemmedTokens(text))
    const ranked = entries.flatMap((entry) => {
      const score = scoreOf(entry, tokens, rarity)
      return score === 0 ? [] : [{ api: entry.api, endpoint: entry.endpoint, score: score * factorOf(entry.endpoint) }]
    })
    return ranked.sort((a, b) => b.score - a.score).slice(0, TOP_K)
  }
  return {
    rank,
    nearest(text) {
      const ranked = rank(text)
      const unranked = entries.filter(({ endpoint }) => ranked.every((one) => one.endpoint !== endpoint))
      return [...ranked, ...unranked.map(({ api, endpoint }) => ({ api, endpoint, score: 0 }))].slice(0, TOP_K)
    },
    snippets(question) {
      const tokens = new Set(stemmedTokens(question))
      const ranked = texts.map((snippet, i) => {
        const shared = [...tokens].filter((token) => snippetTokens[i]!.has(token))
        return { snippet, score: shared.reduce((sum, token) => sum + snippetRarity(token), 0) }
      })
      const found = ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
      return found.slice(0, TOP_SNIPPETS).map(({ snippet }) => snippet)
    },
  }
}

function scoreOf({ weights, subject }: Entry, tokens: ReadonlySet<string>, rarity: (token: string) => number): number {
  let score = 0
  for (const token of tokens) score += (weights.get(token) ?? 0) * rarity(token)
  const spoken = [...subject].filter((token) => tokens.has(token))
  const coverage = subject.size === 0 ? 0.5 : spoken.length / subject.size
  return score * (0.4 + 0.6 * coverage)
}

function entryOf(endpoint: Endpoint, api: number): Entry {
  const { path, summary, operationId, description, tags, params } = endpoint
  const fixed = path.replace(/\{[^{}]*\}/g, ' ')
  const weights = new Map<string, number>()
  const add = (text: string, weight: number): void => {
    for (const token of new Set(stemmedTokens(text))) weights.set(token, Math.max(weights.get(token) ?? 0, 0) + weight)
  }
  add(fixed, WEIGHTS.path)
  add(`${summary} ${operationId}`, WEIGHTS.summary)
  add(tags.join(' '), WEIGHTS.tag)
  add(params.map(({ name }) => name).join(' '), WEIGHTS.params)
  add(params.flatMap(({ type }) => type.enum ?? type.items?.enum ?? []).join(' '), WEIGHTS.values)
  add(description.slice(0, DESCRIPTION_CHARS), WEIGHTS.description)
  const isVersion = (token: string): boolean => /^v\d/.test(token) || /^\d+$/.test(token)
  return {
    api,
    endpoint,
    weights,
    subject: new Set(stemmedTokens(fixed).filter((token) => !isVersion(token))),
  }
}
