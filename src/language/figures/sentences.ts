import { ABBREVIATIONS } from '../abbreviations.ts'

const SHORT = new RegExp(String.raw`(?:^|[\s(])(?:\p{L}|${ABBREVIATIONS})\.$`, 'iu')
/** “the 3. quarter”: in several languages a full stop makes an ordinal. */
const ORDINAL = /\b(?:im|am|der|die|das|dem|den|des|zum|vom|bis|seit|und|jede[mnrs]?|dieses)\s\d{1,2}\.$/iu
/** “1. First”: the number of a list is no sentence. */
const LIST_NUMBER = /^[ \t>*_-]*\d{1,2}\.$/
const END = /[.!?…。！？؟।][)\]"'”’»]*(?:\s*\[\d+(?:\s*,\s*\d+)*\])*(?:\s+|$)|\n+|[。！？।]/gu

/**
 * A text in its sentences, lines and rows of tables, each with the space behind it: joined they are the text again. With
 * `isOpen` the last one may go on and is left out unless it is certainly whole.
 */
export function sentencesOf(text: string, isOpen = false): string[] {
  const sentences: string[] = []
  let from = 0
  for (const { 0: end, index } of text.matchAll(END)) {
    const at = index + end.length
    const next = text.slice(at, at + 40)
    // What comes next decides; a mark or a closing quote may still belong to it.
    if (isOpen && /^(?:\[[\d\s,]*)?$/.test(next)) break
    if (!/\n|[。！？।]/u.test(end) && goesOn(text.slice(from, index + 1), next)) continue
    sentences.push(text.slice(from, at))
    from = at
  }
  if (from < text.length && !isOpen) sentences.push(text.slice(from))
  return sentences
}

/** A mark [n] behind the space belongs to the sentence before. */
function goesOn(said: string, next: string): boolean {
  return (
    /^(?:\p{Ll}|\[\d)/u.test(next) ||
    (said.endsWith('.') && (SHORT.test(said) || ORDINAL.test(said) || LIST_NUMBER.test(said)))
  )
}
