import { TuttiError } from '../../domain/errors.ts'
import type { DocumentRecord, Embedder, Hit, KnowledgeStore, SearchFilter, OwnerScope } from '../types.ts'
import { ownersOf } from '../collections.ts'
import { confidenceOf } from './confidence.ts'
import {
  deriveFilter,
  isEmptyFilter,
  joinFilters,
  withoutFileNames,
  withoutTopic,
  type Entities,
} from './derive-filter.ts'
import { fuse, withoutNearCopies } from './fuse.ts'
import { wordsForPassages } from './languages.ts'
import { withNeighbours, type HitInContext } from './neighbours.ts'
import { describedDocuments, findDocumentsByName, parseOverview, type Overview } from './overview.ts'
import { rerankByWords } from './rerank.ts'

/** Each search returns this many; twenty are reranked, eight are returned. */
const FOUND_PER_ARM = 50
const CANDIDATES = 20
const WANTED = 8

const NONE_YET = 'There are no documents yet. Add some, then ask again.'
const NOTHING_CHOSEN = 'The selected collections no longer exist. Ask without them.'

/** Below this confidence, filters derived from the question are dropped and all documents are searched. */
const POOR = 0.3

export interface RetrieverDeps {
  readonly store: KnowledgeStore
  /** If absent, passages are found by their words only. */
  readonly embedder?: Embedder
}

export interface PassageOptions {
  readonly filter?: SearchFilter
  /** Maximum number of passages. Default: 8. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

export interface SearchOptions extends PassageOptions {
  /** Entities that a planner found in the question. They can only narrow the filter further. */
  readonly entities?: Entities
}

export interface SearchResult {
  readonly query: string
  /** Best first. */
  readonly hits: readonly HitInContext[]
  /** 0 to 1; see `confidenceOf`. */
  readonly confidence: number
  readonly method: 'lexical' | 'hybrid'
  /** Sentences about how the search was done. */
  readonly notes: readonly string[]
  /** The final filter. */
  readonly filter: SearchFilter
  /** For a question about the documents themselves: the description of each hit's document. */
  readonly descriptions?: readonly string[]
}

export interface Retriever {
  /** Finds the passages closest to a query. Query and filter are used unchanged. */
  passages(scope: OwnerScope, query: string, options?: PassageOptions): Promise<SearchResult>
  /** Finds the passages that answer a question; see `SearchResult`. */
  search(scope: OwnerScope, question: string, options?: SearchOptions): Promise<SearchResult>
}

/**
 * Finds passages by words (BM25 with RM3) and by vectors, fuses both by rank, drops near-duplicates, and reranks them
 * by the words of the query. `search` also derives filters from question and entities, and adds the text around each
 * passage.
 */
export function createRetriever(deps: RetrieverDeps): Retriever {
  return {
    passages: (scope, query, options = {}) => searchPassages(deps, scope, query, options),
    search: (scope, question, options = {}) => searchKnowledge(deps, scope, question, options),
  }
}

async function searchPassages(
  deps: RetrieverDeps,
  scope: OwnerScope,
  query: string,
  { filter = {}, limit = WANTED, signal }: PassageOptions,
): Promise<SearchResult> {
  const documents = await deps.store.documents(scope)
  if (documents.length === 0) return nothing(query, filter, emptyReason(scope))
  const vector = await questionVector(deps.embedder, query, signal)
  const found = await findPassages(deps, scope, query, vector, filter)
  const ranked = await rankPassages(query, found)
  const hits = ranked.hits.slice(0, limit)
  return resultOf(query, { ...ranked, hits }, found, filter, [...vector.notes], vector, documents)
}

async function searchKnowledge(
  deps: RetrieverDeps,
  scope: OwnerScope,
  question: string,
  options: SearchOptions,
): Promise<SearchResult> {
  const { limit = WANTED, signal } = options
  const documents = await deps.store.documents(scope)
  const given = withoutTopic(options.filter ?? {}, documents)
  if (documents.length === 0) return nothing(question, given, emptyReason(scope))
  const derived = deriveFilter(question, options.entities ?? {}, documents)
  const joined = joinFilters(given, derived)
  const asked = parseOverview(question)
  // If no document has this name, the question is about content.
  const isOverview = asked?.called === undefined || findDocumentsByName(asked.called, documents).length > 0
  const overview = isOverview ? asked : undefined
  if (overview !== undefined) return tellOf(overview, deps.store, scope, documents, joined, question)
  const wanted = withoutFileNames(
    question,
    documents.map(({ name }) => name),
  )
  const vector = await questionVector(deps.embedder, wanted, signal)
  const find = (filter: SearchFilter): Promise<Found> => findPassages(deps, scope, wanted, vector, filter)

  let filter = joined
  let found = await find(filter)
  const notes = [...vector.notes]
  if (!isEmptyFilter(derived) && found.confidence < POOR) {
    const wider = await find(given)
    if (wider.confidence > found.confidence) {
      notes.push('The places that the question seems to name hold little on it, so all documents were searched.')
      filter = given
      found = wider
    }
  }
  signal?.throwIfAborted()
  const ranked = await rankPassages(wanted, found)
  const hits = await withNeighbours(deps.store, scope, ranked.hits.slice(0, limit))
  return resultOf(question, { ...ranked, hits }, found, filter, notes, vector, documents)
}

function resultOf(
  query: string,
  { hits, confidence }: Pick<SearchResult, 'hits' | 'confidence'>,
  found: Found,
  filter: SearchFilter,
  notes: string[],
  vector: QuestionVector,
  documents: readonly DocumentRecord[],
): SearchResult {
  if (found.trouble !== undefined) notes.push(found.trouble)
  if (hits.length === 0) notes.push(`Nothing on this was found in ${howMany(documents.length)}.`)
  return {
    query,
    hits,
    confidence: hits.length === 0 ? 0 : confidence,
    method: found.byVectors ? 'hybrid' : 'lexical',
    notes: [
      ...notes,
      ...pendingNote(vector, documents, found.byVectors || hits.length === 0, found.trouble !== undefined),
    ],
    filter,
  }
}

/** Answers questions about the documents themselves, which no passage can. */
async function tellOf(
  overview: Overview,
  store: KnowledgeStore,
  scope: OwnerScope,
  documents: readonly DocumentRecord[],
  filter: SearchFilter,
  query: string,
): Promise<SearchResult> {
  const { types, documentIds } = filter
  const meant = documents.filter(
    ({ documentId, type }) => (types?.includes(type) ?? true) && (documentIds?.includes(documentId) ?? true),
  )
  const described = await describedDocuments(store, scope, meant, overview)
  if (described.length === 0)
    return nothing(query, filter, `Nothing on this was found in ${howMany(documents.length)}.`)
  const more = overview.topic === undefined ? meant.length - described.length : 0
  return {
    query,
    hits: described.map(({ hit }) => hit),
    confidence: 1,
    method: 'lexical',
    notes: more > 0 ? [`These are ${described.length} of ${howMany(meant.length)}.`] : [],
    filter,
    descriptions: described.map(({ description }) => description),
  }
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
  readonly confidence: number
  /** Why vectors were not used although they are configured, in one sentence. */
  readonly trouble?: string
}

async function findPassages(
  { store }: RetrieverDeps,
  scope: OwnerScope,
  question: string,
  { model, vector }: QuestionVector,
  filter: SearchFilter,
): Promise<Found> {
  const [byWords, { hits: byVector, ...trouble }] = await Promise.all([
    store.lexical(scope, question, FOUND_PER_ARM, filter),
    model === undefined || vector === undefined
      ? { hits: [] }
      : findByVector(store.dense(scope, model, vector, FOUND_PER_ARM, filter)),
  ])
  const inVector = new Set(byVector.map(({ chunk }) => chunk.chunkId))
  const inBoth = new Set(byWords.map(({ chunk }) => chunk.chunkId).filter((id) => inVector.has(id)))
  const hits = withoutNearCopies(fuse([byWords, byVector]), CANDIDATES)
  return { hits, inBoth, byVectors: byVector.length > 0, confidence: confidenceOf(hits, inBoth), ...trouble }
}

const OTHER_VECTORS =
  'The documents have vectors of another embedding model, so passages were found by their words alone; ' +
  'run `tutti docs reindex` to make them anew.'

/** Vectors may be on a separate server; without it the search by words still works. */
async function findByVector(
  search: Promise<readonly Hit[]>,
): Promise<{ readonly hits: readonly Hit[]; readonly trouble?: string }> {
  try {
    return { hits: await search }
  } catch (error) {
    if (TuttiError.is(error, 'InvalidRequest')) return { hits: [], trouble: OTHER_VECTORS }
    if (!TuttiError.is(error, 'StorageError')) throw error
    return {
      hits: [],
      trouble: `The vectors cannot be searched (${error.message}), so passages were found by their words alone.`,
    }
  }
}

async function rankPassages(
  question: string,
  { hits, inBoth }: Found,
): Promise<{ readonly hits: readonly Hit[]; readonly confidence: number }> {
  const ordered = rerankByWords(question, hits, await wordsForPassages(question, hits))
  return { hits: ordered, confidence: confidenceOf(ordered, inBoth) }
}

/** A note if vectors are still being created: until then passages are found by their words only. */
function pendingNote(
  { vector }: QuestionVector,
  documents: readonly DocumentRecord[],
  byVectors: boolean,
  hasTrouble: boolean,
): string[] {
  const pending = documents.filter(({ embedded, chunks }) => embedded < chunks).length
  if (vector === undefined) return []
  if (pending === 0) return byVectors || hasTrouble ? [] : [OTHER_VECTORS]
  return [`${howMany(pending)} of ${documents.length} are not embedded yet and were found by their words alone.`]
}

function nothing(query: string, filter: SearchFilter, note: string): SearchResult {
  return { query, hits: [], confidence: 0, method: 'lexical', notes: [note], filter }
}

function emptyReason(scope: OwnerScope): string {
  return ownersOf(scope).length === 0 ? NOTHING_CHOSEN : NONE_YET
}

function howMany(documents: number): string {
  return documents === 1 ? '1 document' : `${documents} documents`
}
