import { setupDe } from '../../words/pages/setup-de.ts'
import { setupEn } from '../../words/pages/setup-en.ts'
import { useWords, type Language } from '../../words/words.tsx'

const WORDS = { en: setupEn, de: setupDe } satisfies Record<Language, typeof setupEn>

/** Words of this page in the person's language. */
export function useSetupWords(): typeof setupEn {
  return WORDS[useWords().language]
}
