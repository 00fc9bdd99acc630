import { TuttiError } from '../../domain/errors.ts'
import type { DocumentRecord, Embedder, Hit, KnowledgeStore, OwnerScope, SearchFilter } from '../types.ts'
import { ownersOf } from '../collections.ts'
import { searchTerms } from './analysis.ts'
import { fuseRankings } from './rank-fusion.ts'

/** Each search returns this many; eight are returned. */
const FOUND_PER_ARM = 50
const WANTED = 8

const NONE_YET = 'There are no documents yet. Add some, then ask again.'
const NOTHING_CHOSEN = 'The selected collections no longer exist. Ask without them.'

export interface RetrieverDeps {
  readonly store: KnowledgeStore
  /** If absent, passages are found by their words only. */
  readonly embedder?: Embedder
}

export interface SearchOptions {
  readonly filter?: SearchFilter
  /** Maximum number of passages. Default: 8. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

export interface SearchResult {
  readonly query: string
  /** Best first. */
  readonly hits: readonly Hit[]
  /** 0 to 1; see `confidenceOf`. */
  readonly confidence: number
  readonly method: 'lexical' | 'hybrid'
  /** Sentences about how the search was done. */
  readonly notes: readonly string[]
  /** The final filter. */
  readonly filter: SearchFilter
}

export interface Retriever {
  /** Finds the passages closest to a query. */
  search(scope: OwnerScope, query: string, options?: SearchOptions): Promise<SearchResult>
}

/**
 * Finds passages by words (BM25) and by vectors, and fuses both by rank.
 */
export function createRetriever(deps: RetrieverDeps): Retriever {
  return { search: (scope, query, options = {}) => searchPassages(deps, scope, query, options) }
}

async function searchPassages(
  deps: RetrieverDeps,
  scope: OwnerScope,
  query: string,
  { filter: given = {}, limit = WANTED, signal }: SearchOptions,
): Promise<SearchResult> {
  const documents = await deps.store.documents(scope)
  const filter = withoutTopic(given, documents)
  if (documents.length === 0) {
    return { query, hits: [], confidence: 0, method: 'lexical', notes: [emptyReason(scope)], filter }
  }
  const vector = await questionVector(deps.embedder, query, signal)
  const found = await findPassages(deps, scope, query, vector, filter)
  signal?.throwIfAborted()
  const hits = found.hits.slice(0, limit)
  const notes = [...vector.notes]
  if (found.warning !== undefined) notes.push(found.warning)
  if (hits.length === 0) notes.push(`Nothing on this was found in ${howMany(documents.length)}.`)
  return {
    query,
    hits,
    confidence: confidenceOf(hits, found.inBoth),
    method: found.byVectors ? 'hybrid' : 'lexical',
    notes: [
      ...notes,
      ...pendingNote(vector, documents, found.byVectors || hits.length === 0, found.warning !== undefined),
    ],
    filter,
  }
}

/** A topic as the documents that have it in their name or among their topics. */
function withoutTopic({ topic, ...filter }: SearchFilter, documents: readonly DocumentRecord[]): SearchFilter {
  if (topic === undefined) return filter
  const topicTerms = searchTerms(topic)
  const have = documents.filter(({ name, topics }) =>
    [name.replaceAll(/[_.-]/g, ' '), ...topics].some((one) => {
      const terms = searchTerms(one)
      return topicTerms.length > 0 && topicTerms.every((term) => terms.includes(term))
    }),
  )
  const ids = have.map(({ documentId }) => documentId)
  return { ...filter, documentIds: filter.documentIds?.filter((id) => ids.includes(id)) ?? ids }
}

interface QuestionVector {
  readonly model?: string
  readonly vector?: Float32Array
  readonly notes: readonly string[]
}

async function questionVector(
  embedder: Embedder | undefined,
  question: string,
  signal: AbortSignal | undefined,
): Promise<QuestionVector> {
  if (embedder === undefined) {
    return { notes: ['No embedding model is configured, so passages were found by their words alone.'] }
  }
  try {
    const [vector] = await embedder.embed([question], 'query', signal)
    return vector === undefined ? { notes: [] } : { model: embedder.model, vector, notes: [] }
  } catch (error) {
    signal?.throwIfAborted()
    const reason = TuttiError.isInstance(error) ? error.message : 'it failed'
    return { notes: [`The embedding model cannot be used (${reason}), so passages were found by their words alone.`] }
  }
}

interface Found {
  readonly hits: readonly Hit[]
  readonly inBoth: ReadonlySet<string>
  /** Whether vectors were used. */
  readonly byVectors: boolean
  /** Why vectors were not used although they are configured, in one sentence. */
  readonly warning?: string
}

async function findPassages(
  { store }: RetrieverDeps,
  scope: OwnerScope,
  question: string,
  { model, vector }: QuestionVector,
  filter: SearchFilter,
): Promise<Found> {
  const [byWords, { hits: byVector, ...warning }] = await Promise.all([
    store.lexical(scope, question, FOUND_PER_ARM, filter),
    model === undefined || vector === undefined
      ? { hits: [] }
      : findByVector(store.dense(scope, model, vector, FOUND_PER_ARM, filter)),
  ])
  const vectorIds = new Set(byVector.map(({ chunk }) => chunk.chunkId))
  const inBoth = new Set(byWords.map(({ chunk }) => chunk.chunkId).filter((id) => vectorIds.has(id)))
  return { hits: fuseRankings([byWords, byVector]), inBoth, byVectors: byVector.length > 0, ...warning }
}

const OTHER_VECTORS =
  'The documents have vectors of another embedding model, so passages were found by their words alone; ' +
  'run `tutti docs reindex` to create them again.'

/** Vectors may be on a separate server; without it the search by words still works. */
async function findByVector(
  search: Promise<readonly Hit[]>,
): Promise<{ readonly hits: readonly Hit[]; readonly warning?: string }> {
  try {
    return { hits: await search }
  } catch (error) {
    if (TuttiError.is(error, 'InvalidRequest')) return { hits: [], warning: OTHER_VECTORS }
    if (!TuttiError.is(error, 'StorageError')) throw error
    return {
      hits: [],
      warning: `The vectors cannot be searched (${error.message}), so passages were found by their words alone.`,
    }
  }
}

/** A note if vectors are still being created: until then passages are found by their words only. */
function pendingNote(
  { vector }: QuestionVector,
  documents: readonly DocumentRecord[],
  byVectors: boolean,
  hasFailed: boolean,
): string[] {
  const pending = documents.filter(({ embedded, chunks }) => embedded < chunks).length
  if (vector === undefined) return []
  if (pending === 0) return byVectors || hasFailed ? [] : [OTHER_VECTORS]
  return [`${howMany(pending)} of ${documents.length} are not embedded yet and were found by their words alone.`]
}

function emptyReason(scope: OwnerScope): string {
  return ownersOf(scope).length === 0 ? NOTHING_CHOSEN : NONE_YET
}

function howMany(documents: number): string {
  return documents === 1 ? '1 document' : `${documents} documents`
}

/** Passages that an answer mostly rests on. */
const TOP = 3

/** What the arms' agreement on the best passages can add. */
const AGREEMENT = 0.2

/** A cosine similarity close to the best of its search. Alone it means little, since models differ in scale. */
const DENSE_ALONE = 0.3

/**
 * How well the passages seem to answer, 0 to 1, without a model's judgement:
 *
 *     best coverage among the first three × (0.8 + 0.2 × share of the first three that both searches found)
 *
 * Coverage is the part of the question's words, weighted by their rarity, that a passage holds; a question about
 * something that the documents do not speak of has words that no chunk has, so that it stays near 0. A lexical search
 * alone cannot agree with anything and reaches 0.8. With passages found by vectors alone it is at most 0.3.
 */
function confidenceOf(hits: readonly Hit[], inBoth: ReadonlySet<string>): number {
  const top = hits.slice(0, TOP)
  if (top.length === 0) return 0
  const coverage = Math.max(...top.map((hit) => hit.coverage ?? 0))
  const agreement = top.filter(({ chunk }) => inBoth.has(chunk.chunkId)).length / top.length
  const wordConfidence = coverage * (1 - AGREEMENT + AGREEMENT * agreement)
  const vectorConfidence = top.every((hit) => hit.coverage === undefined) ? DENSE_ALONE : 0
  return Math.round(Math.max(wordConfidence, vectorConfidence) * 100) / 100
}
