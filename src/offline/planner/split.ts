import { ruleText } from '../../shared/rule-text.ts'
import { mask } from '../tools/mask.ts'

/** Maximum number of parts; a question with more parts is not split. */
const MAX_PARTS = 8

/** Openings of an independent clause. Other text belongs to the words before it (“Germany and Ireland together”). */
const CLAUSE =
  'how|what|which|who|whom|whose|when|where|why|by (?:what|which|when)|at (?:what|which)|up to|(?:with)?in (?:what|which|how)|from|is|are|was|do|does|did|can|could|must|should|will|has|' +
  'list|show|give|tell|say|find|search|look|get|fetch|count|compute|calculate|add|run|call|use|read|open|e?-?mail|send|write|draft|reply|answer|forward|archive|move|delete|mark|' +
  'make|create|draw|plot|remind|remember|note|summari[sz]e|explain|describe|compare|translate|please|wie|was|welche|wer|wann|wo|warum|zeig|schreib|sende|schick|finde'
/** Ends of sentences, semicolons, and commas and “and” before a clause. */
const JOINT = new RegExp(
  String.raw`(?<=[.?!])\s+(?=\S)|\s*;\s+|(?:,?\s+(?:and|und|then|also)(?:\s+(?:and|then|also))*|,)\s+(?=(?:${CLAUSE})\b)`,
  'giu',
)

/** A stretch of the question, by places of its characters. */
export interface Piece {
  readonly start: number
  readonly end: number
}

/** Where a question could be cut. Quotes, code, addresses and numbers are not cut. */
export function splitQuestion(question: string): readonly Piece[] {
  const text = mask(ruleText(question))
  const pieces: Piece[] = []
  let start = 0
  for (const { index, 0: joint } of text.matchAll(JOINT)) {
    if (index > start) pieces.push({ start, end: index })
    start = index + joint.length
  }
  if (start < text.length) pieces.push({ start, end: question.length })
  return pieces.length > MAX_PARTS ? [{ start: 0, end: question.length }] : pieces
}
