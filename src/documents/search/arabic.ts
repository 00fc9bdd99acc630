/** Vowel signs and the stroke that only makes a word longer. */
const SIGNS = /[\u0610-\u061a\u064b-\u065f\u0670\u0640]/g
/** Articles and the prefixes joined with them; “and” and “for” alone only before a longer word. */
const PREFIX = /^(?:وال|بال|كال|فال|لل|ال|و(?=.{3}))(?=.{2})/u
const SUFFIX = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|ه|ي)$/u

/** Whether a word is written in Arabic letters. */
export const ARABIC = /^[\u0600-\u06ff]+$/

/**
 * A light stem of an Arabic word: without vowel signs, its letters in one spelling, without article and ending (after Larkey,
 * Ballesteros and Connell, “Light stemming for Arabic information retrieval”, 2007).
 */
export function arabicStem(word: string): string {
  const plain = word
    .replace(SIGNS, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
  let stem = plain.replace(PREFIX, '')
  for (let before = ''; before !== stem;) {
    before = stem
    stem = stem.replace(SUFFIX, '')
  }
  return stem
}
