import type { SearchKind } from '../../../web-search/types.ts'
import { isStopWord } from './words.ts'

const DEEP = /\b(in[- ]depth|thorough(ly)?|comprehensive(ly)?|compar(e|es|ing|ison)|research)\b/i
const NEWS = /\b(news|headlines?|latest|today|breaking|this week)\b/i
const LONGEST_QUERY = 300

/** How to search, by the words of the question. */
export function kindByWords(question: string): SearchKind {
  if (DEEP.test(question)) return 'deep'
  return NEWS.test(question) ? 'news' : 'basic'
}

/** What to search for: the question's words that count, as they were written; without any, the question itself. */
export function queryByWords(question: string): string {
  const text = question.replace(/https?:\/\/\S+|\bwww\.\S+/gi, ' ')
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}.+#'’&/-]*/gu) ?? []
  const kept = words.map((word) => word.replace(/[.'’/-]+$/, '')).filter((word) => !isStopWord(word))
  return (kept.length > 0 ? kept.join(' ') : text.trim()).slice(0, LONGEST_QUERY)
}
