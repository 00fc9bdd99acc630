import { LANGUAGES, type Language } from '../search/languages.ts'
import type { Postings } from './postings.ts'

/** The term that marks the language of a chunk's stems; no word contains this character. */
export function markOf(language: Language): string {
  return `:${language}`
}

/** The languages of the indexed documents: those whose mark, a term such as `:de`, has postings. */
export async function markedLanguages(
  postings: Pick<Postings, 'load'>,
  has: (mark: string) => boolean,
): Promise<readonly Language[]> {
  await postings.load(LANGUAGES.map(markOf))
  return LANGUAGES.filter((language) => has(markOf(language)))
}
