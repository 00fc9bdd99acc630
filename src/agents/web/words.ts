import { ASKING_WORDS, plainWords } from '../../language/asking-words.ts'

/** Words that say how something is asked, and those that only say where to look: “web”, “news”, “page”. */
const STOP_WORDS = new Set([
  ...ASKING_WORDS,
  ...(
    'why search web internet online website site look up page read open url say says said summarise summarize ' +
    'according google news headlines headline today depth research'
  ).split(' '),
])

/** The words that count, in a form in which singular and plural meet. Those of addresses do not. */
export function contentWords(text: string): string[] {
  return plainWords(text.replace(/https?:\/\/\S+|\bwww\.\S+/gi, ' '))
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => (word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '') : word))
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase())
}
