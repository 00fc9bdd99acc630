import { stem, splitWords } from '../../shared/tokens.ts'
import type { Catalogue } from './catalogue/types.ts'

const GENERAL = 'api|endpoint|route|http|/api/|get /|post /|put /|delete /|patch /|status code|request body'.split('|')

const MAX_NOUNS = 30
const MIN_LENGTH = 5
/** Nouns of paths that questions of every kind use, other agents' keywords among them. */
const TOO_COMMON = new Set(
  'table tables list report group count search status export import upload download login logout health version batch items values stats summary details config settings query events current default public private internal admin system metrics average total trend price number month today year'
    .split(' ')
    .map(stem),
)

/**
 * Keywords of the API agent: general API words, the names of the APIs, and the resources of the catalogues (`order` for
 * `/orders`). Resources with most endpoints come first, at most 30, so that a huge catalogue does not match every
 * question. Keywords match parts of words: `order` matches "orders".
 */
export function keywordsOf(catalogues: readonly Catalogue[]): string[] {
  const counts = new Map<string, number>()
  for (const { endpoints } of catalogues) {
    for (const { path } of endpoints) {
      for (const noun of new Set(path.split('/').flatMap(nounOf))) counts.set(noun, (counts.get(noun) ?? 0) + 1)
    }
  }
  const nouns = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_NOUNS)
  const names = catalogues.map(({ name }) => name.toLowerCase()).filter((name) => name.length >= MIN_LENGTH)
  return [...new Set([...GENERAL, ...names, ...nouns.map(([noun]) => noun)])]
}

/** Only plural segments of one word name collections: `/orders`, not `/order-lines/{id}/recalculate`. */
function nounOf(segment: string): string[] {
  const words = splitWords(segment)
  const [word = ''] = words
  const singular = stem(word)
  const isPlural = words.length === 1 && /[^su]s$/.test(word)
  return isPlural && singular.length >= MIN_LENGTH && !TOO_COMMON.has(singular) ? [singular] : []
}
