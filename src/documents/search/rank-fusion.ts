import type { Hit } from '../types.ts'
import { tokens } from './analysis.ts'

/** As in Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (2009). */
const K = 60

/** Words in a row that are compared, and how many of them two texts must share to count as one. */
const SHINGLE = 4
const SAME = 0.85

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

/**
 * Drops a passage whose text is, except for a few words, contained in a passage of another document ranked before it.
 */
export function removeNearDuplicates(hits: readonly Hit[], limit: number): Hit[] {
  const uniqueHits: { readonly hit: Hit; readonly shingles: ReadonlySet<string> }[] = []
  for (const hit of hits) {
    if (uniqueHits.length >= limit) break
    const own = shinglesOf(hit.chunk.text)
    const isCopy = uniqueHits.some(
      ({ hit: other, shingles }) =>
        other.document.documentId !== hit.document.documentId && similarity(own, shingles) >= SAME,
    )
    if (!isCopy) uniqueHits.push({ hit, shingles: own })
  }
  return uniqueHits.map(({ hit }) => hit)
}

function shinglesOf(text: string): ReadonlySet<string> {
  const words = tokens(text)
  if (words.length <= SHINGLE) return new Set([words.join(' ')])
  return new Set(words.slice(SHINGLE - 1).map((_, at) => words.slice(at, at + SHINGLE).join(' ')))
}

/** Jaccard's: shared parts by all parts. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  if (small.size < large.size * SAME) return 0
  let shared = 0
  for (const shingle of small) if (large.has(shingle)) shared += 1
  return shared / (a.size + b.size - shared)
}
