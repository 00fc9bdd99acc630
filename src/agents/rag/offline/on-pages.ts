import { given } from '../../../core/given.ts'
import { pageAt } from '../../../knowledge/chunking/pages.ts'
import { wordsForPassages } from '../../../knowledge/search/languages.ts'
import { firstPart, lastPart, type HitInContext } from '../../../knowledge/search/neighbours.ts'
import { pagesOfHit } from '../passages.ts'
import { quotesFor, type Quote } from './quotes.ts'

export interface QuotesOnPages {
  readonly hits: readonly HitInContext[]
  readonly quotes: readonly Quote[]
}

/**
 * What the passages say to a question, and the passages page by page: a citation is of one page. Sentences and how well they
 * answer are those of whole passages.
 */
export async function quotesOnPages(question: string, hits: readonly HitInContext[]): Promise<QuotesOnPages> {
  const quotes = quotesFor(question, hits, await wordsForPassages(question, hits))
  const parted = hits.map(hitsByPage)
  const firsts = parted.map((_, place) => parted.slice(0, place).flat().length)
  return {
    hits: parted.flat(),
    quotes: quotes.map((quote) => {
      const { chunk } = hits[quote.passage]!
      const { start } = pageAt(chunk, chunk.start + quote.at)
      const page = parted[quote.passage]!.findIndex((part) => part.chunk.start === start)
      return { ...quote, passage: firsts[quote.passage]! + Math.max(0, page) }
    }),
  }
}

/** The pages of a passage, each as a passage with the text around it. */
export function hitsByPage(hit: HitInContext): readonly HitInContext[] {
  const parts = pagesOfHit(hit)
  return parts.map((part, i) => ({
    ...part,
    ...given({
      before: i === 0 ? hit.before : lastPart(parts[i - 1]!.chunk.text),
      after: i === parts.length - 1 ? hit.after : firstPart(parts[i + 1]!.chunk.text),
    }),
  }))
}

/** Whether two are the same page of the same passage. */
export function isSamePlace(one: HitInContext['chunk'], other: HitInContext['chunk']): boolean {
  return one.chunkId === other.chunkId && one.start === other.start
}
