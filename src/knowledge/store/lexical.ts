import { countTerms, searchTerms } from '../search/analysis.ts'
import type { ScoredChunk } from '../search/best.ts'
import { inverseFrequency, rankBm25 } from '../search/bm25.ts'
import { expandQuery, FEEDBACK_CHUNKS } from '../search/rm3.ts'
import type { SearchFilter } from '../types.ts'
import { selectChunks } from './filter.ts'
import { readChunks } from './hits.ts'
import type { OwnerRow } from './owners.ts'
import { BLOCK_SIZE, Postings } from './postings.ts'
import type { Sql } from './sql.ts'

/** Terms of a query that are looked at: a whole page given as a question is cut here. */
const MOST_TERMS = 64

export interface LexicalQuery {
  readonly text: string
  readonly limit: number
  readonly filter: SearchFilter | undefined
  /** By pseudo-relevance feedback. */
  readonly expand: boolean
}

export interface CoveredChunk extends ScoredChunk {
  /** See `Hit.coverage`. */
  readonly coverage: number
}

/** The best chunks for the words of a query; see `KnowledgeStore.lexical`. */
export async function searchLexical(sql: Sql, owner: OwnerRow, query: LexicalQuery): Promise<readonly CoveredChunk[]> {
  const terms = new Map([...countTerms(searchTerms(query.text))].slice(0, MOST_TERMS))
  if (terms.size === 0) return []
  const selection = await selectChunks(sql, owner.owner_id, query.filter)
  const isAllowed = selection?.has ?? (() => true)
  const postings = new Postings(sql, owner.owner_id)
  const statistics = {
    chunks: owner.chunks,
    totalLength: owner.total_length,
    frequency: (term: string) => postings.frequency(term),
  }
  const rank = async (weighted: ReadonlyMap<string, number>, limit: number): Promise<ScoredChunk[]> => {
    await postings.load(weighted.keys())
    return rankBm25(weighted, postings.blocks(weighted.keys()), BLOCK_SIZE, statistics, limit, isAllowed)
  }
  const covered = (scored: readonly ScoredChunk[]): CoveredChunk[] => {
    const weights = [...terms.keys()].map((term) => {
      return { term, weight: inverseFrequency(owner.chunks, postings.frequency(term)) }
    })
    const total = weights.reduce((sum, { weight }) => sum + weight, 0)
    return scored.map(({ chunk, score }) => {
      const held = weights.reduce((sum, { term, weight }) => sum + (postings.holds(term, chunk) ? weight : 0), 0)
      return { chunk, score, coverage: held / total }
    })
  }
  if (!query.expand) return covered(await rank(terms, query.limit))
  const first = await rank(terms, FEEDBACK_CHUNKS)
  const texts = await readChunks(
    sql,
    owner.owner_id,
    first.map(({ chunk }) => chunk),
  )
  const feedback = first.flatMap(({ chunk, score }) => {
    const text = texts.get(chunk)?.text
    return text === undefined ? [] : [{ score, counts: countTerms(searchTerms(text)) }]
  })
  return covered(await rank(expandQuery(terms, feedback), query.limit))
}
