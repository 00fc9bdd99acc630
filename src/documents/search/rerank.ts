import type { Hit } from '../types.ts'
import { ENGLISH, type Words } from './languages.ts'

/** Words between two of the question's words that still belong together. */
const WINDOW = 8

/** How much closeness of the words can add to a score from the ranks; measured on Cranfield, see `npm run bench:retrieval`. */
const CLOSENESS_WEIGHT = 0.15
const COVERAGE_WEIGHT = 0.15
/** A heading in the words of the question: the section is about just that, where others only mention it. */
const HEADING_WEIGHT = 0.4

/**
 * The order of the ranks, where passages that hold more of the question's words, and hold them
 * close together, move up a little.
 */
export function rerankByWords(question: string, hits: readonly Hit[], words: Words = ENGLISH): Hit[] {
  const terms = new Set(words.terms(question))
  const best = hits[0]?.score ?? 1
  return hits
    .map((hit) => {
      const closeness = termCloseness(terms, words.placed(hit.chunk.text))
      const heading = likeness(lastHeadingOf(hit.chunk, words), terms)
      const bonus = COVERAGE_WEIGHT * (hit.coverage ?? 0) + CLOSENESS_WEIGHT * closeness + HEADING_WEIGHT * heading
      return { hit, value: hit.score / best + bonus }
    })
    .toSorted((a, b) => b.value - a.value)
    .map(({ hit }) => hit)
}

/** The terms of the heading right above a passage. */
export function lastHeadingOf({ section = '' }: Hit['chunk'], words: Words): ReadonlySet<string> {
  return new Set(words.terms(section.split(' › ').at(-1)!))
}

/** Word overlap of a heading and a question, 0 to 1: the product of the shared fractions of both. */
export function likeness(heading: ReadonlySet<string>, terms: Pick<ReadonlySet<string>, 'has' | 'size'>): number {
  const shared = [...heading].filter((term) => terms.has(term)).length
  return shared === 0 ? 0 : (shared * shared) / (heading.size * terms.size)
}

/** The largest share of the terms within `WINDOW` consecutive words. */
function termCloseness(terms: ReadonlySet<string>, placed: readonly (string | undefined)[]): number {
  if (terms.size === 0) return 0
  const found: { readonly term: string; readonly place: number }[] = []
  for (const [place, term] of placed.entries()) {
    if (term !== undefined && terms.has(term)) found.push({ term, place })
  }
  let best = 0
  for (const [index, { place }] of found.entries()) {
    const near = new Set<string>()
    for (let at = index; at < found.length && found[at]!.place - place <= WINDOW; at++) near.add(found[at]!.term)
    best = Math.max(best, near.size)
  }
  return best / terms.size
}
