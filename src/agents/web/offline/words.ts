import { ASKING_WORDS, plainWords } from '../../../language/asking-words.ts'
import { stem } from '../../../language/tokens.ts'

/** Words that say how something is asked, and those that only say where to look: “web”, “news”, “page”. */
const STOP_WORDS = new Set([
  ...ASKING_WORDS,
  ...(
    'why search web internet online website site look up page read open url say says said summarise summarize ' +
    'according google news headlines headline today depth research'
  ).split(' '),
])

/** The stems of the words that count. Those of addresses do not. */
export function contentWords(text: string): string[] {
  return plainWords(text.replace(/https?:\/\/\S+|\bwww\.\S+/gi, ' '))
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem)
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase())
}
