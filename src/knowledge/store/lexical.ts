import { countTerms, searchTerms } from '../search/analysis.ts'
import { rankBm25, type ScoredChunk } from '../search/bm25.ts'
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

/** The best chunks for the words of a query; see `KnowledgeStore.lexical`. */
export async function searchLexical(sql: Sql, owner: OwnerRow, query: LexicalQuery): Promise<readonly ScoredChunk[]> {
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
  if (!query.expand) return rank(terms, query.limit)
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
  return rank(expandQuery(terms, feedback), query.limit)
}
