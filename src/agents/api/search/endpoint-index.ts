import type { Catalogue, Endpoint, Snippet } from '../catalogue/types.ts'
import { askedKind, kindOf, type Kind } from './verbs.ts'
import { bindPlaceholders, placeholdersOf, type Placeholder } from './placeholders.ts'
import { isValueLike, readQuestion, type Word } from './question.ts'
import { rarityOf, tokensOf } from '../../../language/tokens.ts'

/** Candidates that a model is shown (SPEC P6, "top k"). */
const TOP_K = 8
const TOP_SNIPPETS = 4
/** Only the beginning of a description says what an endpoint is for. */
const DESCRIPTION_CHARS = 400

/** What a match in each place is worth. */
const WEIGHTS = { path: 3, summary: 2.5, tag: 1.5, params: 0.8, values: 0.8, description: 0.7 }

export interface Ranked {
  /** The catalogue's place in the list that the index was made of. */
  readonly api: number
  readonly endpoint: Endpoint
  readonly score: number
}

export interface EndpointIndex {
  /** The endpoints that share words with a question, best first; equal scores in the order of the catalogue. */
  rank(question: string, limit?: number): readonly Ranked[]
  snippets(question: string): readonly Snippet[]
}

interface Entry {
  readonly api: number
  readonly endpoint: Endpoint
  readonly weights: ReadonlyMap<string, number>
  /** Words of the path's fixed parts: what the endpoint is about. */
  readonly subject: ReadonlySet<string>
  readonly placeholders: readonly Placeholder[]
}

/**
 * An index over all endpoints, made once. Scores are token overlap weighted by rarity (inverse document frequency) and by
 * place, times how much of the endpoint's own path the question speaks of; deterministic.
 */
export function createEndpointIndex(catalogues: readonly Catalogue[]): EndpointIndex {
  const entries = catalogues.flatMap(({ endpoints }, api) => endpoints.map((endpoint) => entryOf(endpoint, api)))
  const rarity = rarityOf(entries.map(({ weights }) => weights.keys()))
  const texts = catalogues.flatMap(({ snippets }) => snippets)
  const snippetTokens = texts.map(({ title, text }) => new Set(tokensOf(`${title} ${text}`)))
  const snippetRarity = rarityOf(snippetTokens)
  return {
    rank(question, limit = TOP_K) {
      const asked = {
        tokens: withShortForms(tokensOf(question)),
        kind: askedKind(question),
        words: readQuestion(question),
      }
      const ranked = entries.flatMap((entry) => {
        const score = scoreOf(entry, asked, rarity)
        return score === 0 ? [] : [{ api: entry.api, endpoint: entry.endpoint, score }]
      })
      return ranked.sort((a, b) => b.score - a.score).slice(0, limit)
    },
    snippets(question) {
      const tokens = new Set(tokensOf(question))
      const ranked = texts.map((snippet, i) => {
        const shared = [...tokens].filter((token) => snippetTokens[i]!.has(token))
        return { snippet, score: shared.reduce((sum, token) => sum + snippetRarity(token), 0) }
      })
      const found = ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
      return found.slice(0, TOP_SNIPPETS).map(({ snippet }) => snippet)
    },
  }
}

/** Paths use short forms, `org` for organisation; a question's longer word speaks for them, too. */
function withShortForms(tokens: readonly string[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap((token) => (token.length >= 7 ? [token, token.slice(0, 3), token.slice(0, 4)] : [token])),
  )
}

interface Asked {
  readonly tokens: ReadonlySet<string>
  readonly kind: Kind
  readonly words: readonly Word[]
}

function scoreOf(entry: Entry, { tokens, kind, words }: Asked, rarity: (token: string) => number): number {
  const { endpoint, weights, subject, placeholders } = entry
  let score = 0
  for (const token of tokens) score += (weights.get(token) ?? 0) * rarity(token)
  if (score === 0) return 0
  const spoken = [...subject].filter((token) => tokens.has(token))
  const coverage = subject.size === 0 ? 0.5 : spoken.length / subject.size
  return score * (0.4 + 0.6 * coverage) * kindFactor(endpoint, kind) * shapeFactor(placeholders, words)
}

/** "Delete order 7" is not about reading, and "list the orders" not about creating. */
function kindFactor(endpoint: Endpoint, kind: Kind): number {
  return kindOf(endpoint) === kind ? 1 : 0.35
}

/** "Order 17" fills the placeholder of `/orders/{id}`; one that the question leaves open speaks against an endpoint. */
function shapeFactor(placeholders: readonly Placeholder[], words: readonly Word[]): number {
  const bound = bindPlaceholders(words, placeholders)
  const open = placeholders.length - bound.size
  const unused = words.filter(isValueLike).length - bound.size
  // A value that no placeholder takes may be meant for one that goes by another name.
  const stray = Math.max(0, open - Math.max(0, unused))
  return 0.7 ** stray * 0.85 ** (open - stray) * (open === 0 && bound.size > 0 ? 1.1 : 1)
}

function entryOf(endpoint: Endpoint, api: number): Entry {
  const { path, summary, operationId, description, tags, params } = endpoint
  const fixed = path.replace(/\{[^{}]*\}/g, ' ')
  const weights = new Map<string, number>()
  const add = (text: string, weight: number): void => {
    for (const token of new Set(tokensOf(text))) weights.set(token, Math.max(weights.get(token) ?? 0, 0) + weight)
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
    subject: new Set(tokensOf(fixed).filter((token) => !isVersion(token))),
    placeholders: placeholdersOf(path),
  }
}
