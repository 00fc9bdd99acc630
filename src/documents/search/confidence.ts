import type { Hit } from '../types.ts'

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
export function confidenceOf(hits: readonly Hit[], inBoth: ReadonlySet<string>): number {
  const top = hits.slice(0, TOP)
  if (top.length === 0) return 0
  const coverage = Math.max(...top.map((hit) => hit.coverage ?? 0))
  const agreement = top.filter(({ chunk }) => inBoth.has(chunk.chunkId)).length / top.length
  const byWords = coverage * (1 - AGREEMENT + AGREEMENT * agreement)
  const byVectors = top.every((hit) => hit.coverage === undefined) ? DENSE_ALONE : 0
  return Math.round(Math.max(byWords, byVectors) * 100) / 100
}
