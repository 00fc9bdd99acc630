import { detectLanguage } from './detect-language.ts'
import { foldText, searchTerms, indexTerms, tokens, writtenWords } from './analysis.ts'

/** Languages with stemming, in addition to English and Arabic. */
export const LANGUAGES = ['de', 'fr', 'es', 'it', 'pt', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

/** How a language's words are compared. */
export interface Words {
  /** Absent for English and unknown languages. */
  readonly language?: Language
  /** The terms of a text in order, without the words that say nothing. */
  terms(text: string): string[]
  /** Stems of words whose term differs without the language. */
  stems(text: string): string[]
  /** For each content word, the terms by which the index may contain it: its stem first, then the word itself. */
  alternatives(text: string): string[][]
}

/** Those of `searchTerms`. */
export const ENGLISH: Words = {
  terms: searchTerms,
  stems: () => [],
  alternatives: (text) => searchTerms(text).map((term) => [term]),
}

type Package = readonly [{ stemmer(word: string): string }, { readonly stopwords: readonly string[] }]

/** Snowball's stemmers and stop words, loaded for texts in the language. Other stems in a later version need a new version of the store. */
const PACKAGES: Readonly<Record<Language, () => Promise<Package>>> = {
  de: () => Promise.all([import('@orama/stemmers/german'), import('@orama/stopwords/german')]),
  fr: () => Promise.all([import('@orama/stemmers/french'), import('@orama/stopwords/french')]),
  es: () => Promise.all([import('@orama/stemmers/spanish'), import('@orama/stopwords/spanish')]),
  it: () => Promise.all([import('@orama/stemmers/italian'), import('@orama/stopwords/italian')]),
  pt: () => Promise.all([import('@orama/stemmers/portuguese'), import('@orama/stopwords/portuguese')]),
  nl: () => Promise.all([import('@orama/stemmers/dutch'), import('@orama/stopwords/dutch')]),
}

const LATIN = /^\p{Script=Latin}+$/u

/** The words of one of the languages. */
export async function languageWords(language: Language): Promise<Words> {
  const [{ stemmer }, { stopwords }] = await PACKAGES[language]()
  const stops = new Set(stopwords.map(foldText))
  // Stems of words as they are written: an accent tells one ending from another. Without it they are found by the word itself.
  const stemOf = (word: string): string | undefined => {
    if (!LATIN.test(word)) return indexTerms(tokens(word)).at(-1)
    return stops.has(foldText(word)) ? undefined : foldText(stemmer(word.toLowerCase()))
  }
  const formsOf = (word: string): { stem: string; plain: string[] }[] => {
    const stem = stemOf(word)
    return stem === undefined ? [] : [{ stem, plain: indexTerms(tokens(word)) }]
  }
  return {
    language,
    terms: (text) =>
      writtenWords(text)
        .map(stemOf)
        .filter((term) => term !== undefined),
    stems(text) {
      // Compatibility forms in the text around a word may have changed where it ends.
      const indexed = new Set(searchTerms(text))
      const forms = writtenWords(text).flatMap(formsOf)
      return forms.flatMap(({ stem, plain }) => (plain.includes(stem) && indexed.has(stem) ? [] : [stem]))
    },
    alternatives: (text) =>
      writtenWords(text)
        .flatMap(formsOf)
        .map(({ stem, plain }) => [...new Set([stem, ...plain])]),
  }
}

/** The language of a text, if it is one of these. */
export function knownLanguage(text: string): Language | undefined {
  const language = detectLanguage(text)
  return LANGUAGES.find((known) => known === language)
}

/**
 * Returns the word comparison for a question: that of the language shared by the question and the texts. For a question
 * in another language, words and numbers are compared as in English.
 * @param shares fraction of the texts in each language
 */
export async function wordsForQuestion(question: string, shares: ReadonlyMap<Language, number>): Promise<Words> {
  const all = await Promise.all([...shares.keys()].map(languageWords))
  const count = ({ terms }: Words): number => tokens(question).filter((word) => terms(word).length === 0).length
  const small = count(ENGLISH)
  const [best] = all
    .map((words) => ({ words, small: count(words), share: shares.get(words.language!)! }))
    .toSorted((a, b) => b.small - a.small || b.share - a.share)
  if (best === undefined || best.small < small) return ENGLISH
  return best.small > small || best.share > 0.5 ? best.words : ENGLISH
}

/** The same for passages that were found. */
export async function wordsForPassages(
  question: string,
  passages: readonly { readonly chunk: { readonly text: string } }[],
): Promise<Words> {
  const shares = new Map<Language, number>()
  for (const { chunk } of passages) {
    const language = knownLanguage(chunk.text)
    if (language !== undefined) shares.set(language, (shares.get(language) ?? 0) + 1 / passages.length)
  }
  return wordsForQuestion(question, shares)
}
