import type { ScoredChunk } from '../search/top-k.ts'
import { inverseFrequency, type PostingBlock, rankBm25 } from '../search/bm25.ts'
import { type Words, wordsForQuestion } from '../search/languages.ts'
import type { SearchFilter } from '../types.ts'
import { selectChunks, type Selection } from './filter.ts'
import type { OwnerRow } from './owners.ts'
import { markedLanguages, markOf } from './language-marks.ts'
import { BLOCK_SIZE, Postings } from './postings.ts'
import { chunkOfKey, ownerOfKey, vectorKey } from './schema.ts'
import type { Sql } from './sql.ts'

/** Terms of a query that are looked at: a whole page given as a question is cut here. */
const MAX_TERMS = 64

/** Weight of a word's original form, in addition to its stem, which matches it as well. */
const AS_WRITTEN = 0.5

export interface LexicalQuery {
  readonly text: string
  readonly limit: number
  readonly filter: SearchFilter | undefined
}

export interface CoveredChunk extends ScoredChunk {
  /** See `Hit.coverage`. */
  readonly coverage: number
}

/**
 * The best chunks for the words of a query, by their keys; see `KnowledgeStore.lexical`. Words count as often as all of these
 * owners have them.
 */
export async function searchLexical(
  sql: Sql,
  owners: readonly OwnerRow[],
  query: LexicalQuery,
): Promise<readonly CoveredChunk[]> {
  const postings = new JoinedPostings(sql, owners)
  const chunks = owners.reduce((sum, owner) => sum + owner.chunks, 0)
  const words = await wordsAsked(query.text, postings, chunks)
  const forms = formsOf(words, query.text)
  if (forms.size === 0) return []
  const terms = new Map<string, number>()
  for (const [form, count] of [...forms.values()].flatMap((counts) => [...counts])) {
    terms.set(form, (terms.get(form) ?? 0) + count)
  }
  const selections = new Map<number, Selection>()
  for (const { owner_id } of owners) {
    const selection = await selectChunks(sql, owner_id, query.filter)
    if (selection !== undefined) selections.set(owner_id, selection)
  }
  const isAllowed = (key: number): boolean => selections.get(ownerOfKey(key))?.has(chunkOfKey(key)) ?? true
  const statistics = {
    chunks,
    totalLength: owners.reduce((sum, owner) => sum + owner.total_length, 0),
    frequency: (term: string) => postings.frequency(term),
  }
  await postings.load(terms.keys())
  const blocks = postings.blocks(terms.keys())
  const scored = rankBm25(terms, blocks, BLOCK_SIZE, statistics, query.limit, isAllowed)
  const weights = [...forms.values()].map((counts) => {
    const ofWord = [...counts.keys()]
    const frequency = Math.max(...ofWord.map((term) => postings.frequency(term)))
    return { ofWord, weight: inverseFrequency(chunks, frequency) }
  })
  const total = weights.reduce((sum, { weight }) => sum + weight, 0)
  return scored.map(({ chunk, score }) => {
    const isHeld = (term: string): boolean => postings.holds(term, chunk)
    const coveredWeight = weights.reduce((sum, { ofWord, weight }) => sum + (ofWord.some(isHeld) ? weight : 0), 0)
    return { chunk, score, coverage: coveredWeight / total }
  })
}

/** Analyses the words of a question in the language that it shares with the documents. */
async function wordsAsked(question: string, postings: JoinedPostings, chunks: number): Promise<Words> {
  const languages = await markedLanguages(postings, (mark) => postings.frequency(mark) > 0)
  const shares = languages.map((language) => [language, postings.frequency(markOf(language)) / chunks] as const)
  return wordsForQuestion(question, new Map(shares))
}

/** The search words by their first form, with the forms in the index and their weights. */
function formsOf(words: Words, text: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const forms of words.alternatives(text)) {
    const counts = found.get(forms[0]!) ?? new Map<string, number>()
    if (counts.size === 0 && found.size === MAX_TERMS) continue
    found.set(forms[0]!, counts)
    for (const [place, form] of forms.entries()) {
      counts.set(form, (counts.get(form) ?? 0) + (place === 0 ? 1 : AS_WRITTEN))
    }
  }
  return found
}

/** Postings of several owners, combined. Chunks are identified by their keys, see `vectorKey`. */
class JoinedPostings {
  readonly #byOwner: ReadonlyMap<number, Postings>

  constructor(sql: Sql, owners: readonly Pick<OwnerRow, 'owner_id'>[]) {
    this.#byOwner = new Map(owners.map(({ owner_id }) => [owner_id, new Postings(sql, owner_id)]))
  }

  /** Loads the lists of these terms, unless they are loaded. */
  async load(terms: Iterable<string>): Promise<void> {
    const requested = [...terms]
    for (const postings of this.#byOwner.values()) await postings.load(requested)
  }

  /** Number of chunks with the term. */
  frequency(term: string): number {
    let chunks = 0
    for (const postings of this.#byOwner.values()) chunks += postings.frequency(term)
    return chunks
  }

  /** Whether the chunk contains the term. */
  holds(term: string, key: number): boolean {
    return this.#byOwner.get(ownerOfKey(key))?.holds(term, chunkOfKey(key)) ?? false
  }

  /** The lists of these terms by block, in key order. */
  blocks(terms: Iterable<string>): PostingBlock[] {
    const requested = [...terms]
    return [...this.#byOwner].flatMap(([ownerId, postings]) =>
      postings.blocks(requested).map((block) => ({ ...block, first: vectorKey(ownerId, block.first) })),
    )
  }
}
