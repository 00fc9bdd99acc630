import { LANGUAGES, type Language } from '../search/languages.ts'
import type { Postings } from './postings.ts'

/** The term that marks a chunk whose stems are those of a language; no word has such a sign. */
export function markOf(language: Language): string {
  return `:${language}`
}

/** The languages whose mark the postings have, as asked. */
export async function markedLanguages(
  postings: Pick<Postings, 'load'>,
  has: (mark: string) => boolean,
): Promise<readonly Language[]> {
  await postings.load(LANGUAGES.map(markOf))
  return LANGUAGES.filter((language) => has(markOf(language)))
}
