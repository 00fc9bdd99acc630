import { detectLanguage, SMALL_WORDS } from '../../documents/search/detect-language.ts'

/** Further German words of short messages. */
const GERMAN = new Set(
  'alle zeige liste suche sende schreibe rechne rechnung rechnungen bestellung anzahl anteil ohne wurde wird du danke hallo offene offenen'.split(
    ' ',
  ),
)
/** Words that exist in both languages. */
const SHARED = new Set('die war hat im in was'.split(' '))

/** Like `languageOf` for a few words, with weaker evidence. */
export function likelyLanguageOf(text: string): string | undefined {
  return detectLanguage(text) ?? (seemsGerman(text) ? 'de' : undefined)
}

/** Whether a text has a sign of German and none of English. */
function seemsGerman(text: string): boolean {
  const words = (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !SHARED.has(word))
  const isOf = (language: string): boolean => words.some((word) => SMALL_WORDS[language]!.includes(word))
  // In English, names can contain these letters, too.
  const hasLetter = /(?<!\p{L})\p{Ll}*[äöüß]/u.test(text)
  return (hasLetter || isOf('de') || words.some((word) => GERMAN.has(word))) && !isOf('en')
}
