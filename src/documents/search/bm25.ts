import { Best, type ScoredChunk } from './top-k.ts'

/** Parameters of BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
const K1 = 1.2
const B = 0.75

/** Occurrences of one term: pairs of a place inside the block and a count, in no order. */
export type PostingList = Uint16Array

/** The posting lists of a range of `size` chunks that starts at chunk `first`. */
export interface PostingBlock {
  readonly first: number
  readonly lengths: PostingList
  readonly byTerm: ReadonlyMap<string, PostingList>
}

/** Statistics of all chunks of an owner, independent of the filter. */
export interface Statistics {
  readonly chunks: number
  readonly totalLength: number
  /** Chunks that hold the term. */
  readonly frequency: (term: string) => number
}

/** Weight of a term by the number of chunks that contain it. Lucene's form, which is never negative. */
export function inverseFrequency(chunks: number, holding: number): number {
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5))
}

/**
 * The best chunks by BM25 for a weighted query, best first; ties in the order of the chunks. Terms are summed in the
 * query's order, so that equal postings give exactly equal scores in every database.
 */
export function rankBm25(
  query: ReadonlyMap<string, number>,
  blocks: readonly PostingBlock[],
  blockSize: number,
  statistics: Statistics,
  limit: number,
  isAllowed: (chunk: number) => boolean,
): ScoredChunk[] {
  const best = new Best(limit, 0)
  const { chunks, totalLength } = statistics
  const perUnit = chunks === 0 ? 0 : (K1 * B * chunks) / Math.max(1, totalLength)
  const weights = [...query].map(([term, weight]) => {
    return { term, weight: weight * (K1 + 1) * inverseFrequency(chunks, statistics.frequency(term)) }
  })
  const norms = new Float64Array(blockSize)
  const scores = new Float64Array(blockSize)
  for (const { first, lengths, byTerm } of blocks) {
    for (let at = 0; at < lengths.length; at += 2) norms[lengths[at]!] = K1 * (1 - B) + perUnit * lengths[at + 1]!
    scores.fill(0)
    for (const { term, weight } of weights) {
      const list = byTerm.get(term)
      if (list === undefined) continue
      for (let at = 0; at < list.length; at += 2) {
        const place = list[at]!
        const count = list[at + 1]!
        scores[place]! += (weight * count) / (count + norms[place]!)
      }
    }
    for (let place = 0; place < blockSize; place++) {
      const score = scores[place]!
      if (score > best.floor && isAllowed(first + place)) best.add({ chunk: first + place, score })
    }
  }
  return best.sorted()
}
