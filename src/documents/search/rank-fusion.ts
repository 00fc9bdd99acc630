import type { Hit } from '../types.ts'

/** As in Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (2009). */
const K = 60

/**
 * Merges rankings: a chunk's score is the sum of 1 / (60 + rank). A chunk that several rankings found is listed once,
 * with what each knows about it; equal scores keep the order of the first ranking.
 */
export function fuseRankings(rankings: readonly (readonly Hit[])[]): Hit[] {
  const fused = new Map<string, Hit>()
  for (const ranking of rankings) {
    for (const [index, hit] of ranking.entries()) {
      const { chunkId } = hit.chunk
      const earlier = fused.get(chunkId)
      fused.set(chunkId, { ...hit, ...earlier, score: (earlier?.score ?? 0) + 1 / (K + index + 1) })
    }
  }
  return [...fused.values()].toSorted((a, b) => b.score - a.score)
}
