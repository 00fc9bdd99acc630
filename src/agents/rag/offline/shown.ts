import { cutAtWord } from '../../../core/outside.ts'
import { pageInWords } from '../../../core/sheets.ts'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'
import type { Nearest } from './outcomes.ts'
import type { Quote } from './quotes.ts'

/** Characters of a passage that does not answer. */
const MOST_SHOWN = 160

/** The sentences that fit best, each with where it stands. */
export function quoted(quotes: readonly Quote[], hits: readonly HitInContext[]): string {
  if (quotes.length === 0) return 'The passages that were found do not answer this in so many words.'
  return quotes.map(({ passage, text }) => `${placeOf(hits[passage]!)}: ${text} [${passage + 1}]`).join('\n\n')
}

/** A person may see from the nearest passage how else to ask. */
export function nearestOf([nearest]: readonly Quote[], hits: readonly HitInContext[]): Nearest | undefined {
  if (nearest === undefined) return undefined
  const text = cutAtWord(nearest.text, MOST_SHOWN).replaceAll('\n', ' ')
  return { place: placeOf(hits[nearest.passage]!), text }
}

function placeOf({ chunk, document }: HitInContext): string {
  const { page, section } = chunk
  const where = [
    ...(page === undefined ? [] : [pageInWords(document.name, page)]),
    ...(section === undefined ? [] : [section.split(' › ').at(-1)!]),
  ]
  return where.length === 0 ? document.name : `${document.name} (${where.join(', ')})`
}
