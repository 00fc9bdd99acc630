import { ruleText } from '../core/rule-text.ts'
import { maskForeign } from './mask.ts'

/** How a question asks for an answer that is checked, and what it asks for besides. */
export interface Care {
  /** Its own words for it; undefined where it does not ask. */
  readonly words?: string
  /** The question without clauses that say nothing but this. No word goes that stands inside another clause. */
  readonly rest: string
}

const CHECK = '(?:double[- ]?check|cross[- ]?check|re-?check|verify)'
const ANSWER = String.raw`(?:it|this|that|them|(?:the|your|this|that|each|every) (?:answers?|results?|figures?|numbers?|work|calculations?|steps?|sums?|totals?))`
const BY_STEPS = String.raw`(?:think|reason|work|go|calculate|compute|answer|explain|do)(?:\s+(?:it|this|that))?(?:\s+(?:out|through))?(?:\s+(?:it|this|that))?,?\s+step by step`

/** A clause that says how to work, and nothing of what is asked for. */
const ASIDE = String.raw`(?<aside>${BY_STEPS}|step by step|(?:${CHECK}|check)\s+${ANSWER}(?:\s+(?:twice|again|carefully|thoroughly))?|double[- ]?check(?:\s+(?:twice|carefully|thoroughly))?|(?:make|be) sure(?: that)? ${ANSWER} (?:is|are) (?:right|correct|accurate|true))`
const JOINING = String.raw`(?:(?:and|then|please)\b[\s,]*)*`

/** At the beginning, before the question itself, which loses nothing: “Verify how many …”. An explanation is more than its question. */
const BEFORE = String.raw`(?<before>${CHECK}|(?!explain|answer|do\b|go\b)${BY_STEPS})\s+(?=(?:how|what|which|who|when|where)\b)`
const FIRST = new RegExp(String.raw`^\s*(?:please\s+)?(?:${ASIDE}\s*[.!;:,]\s*(?=\S)|${BEFORE})`, 'iu')
const LAST = new RegExp(String.raw`(?<end>[.!?;,])\s*${JOINING}${ASIDE}(?<mark>[\s.!?]*)$`, 'iu')

/** At the beginning of a sentence it asks for care, but what follows depends on it. */
const LEADING = new RegExp(
  String.raw`(?<=^|[.!?;]\s+)(?:${BY_STEPS}\b|${CHECK}(?=\s+(?:how|what|which|who|when|where)\b))`,
  'iu',
)
/** A claim to be held against what is found. */
const CLAIM = new RegExp(
  String.raw`(?<=^|[.!?:;,]\s*|\b(?:and|then|please)\s+)(?:${CHECK}|check|prove)\s+(?:that|whether|if)\b`,
  'iu',
)

/** Something is to be done with words that may be dictated: none of them is for us. */
const ACT =
  /(?<=^|[.!?:;,]\s*|\b(?:and|then|please|you|to)\s+)(?:draft|compose|write|prepare|send|e-?mail|mail|message|reply|respond|forward|notify|inform|remind|let|ask|tell(?!\s+(?:me|us)\b)|post|publish|share|upload|save|create|add|update|change|rename|move|remove|delete|cancel|book|schedule)\b/iu
/** Behind such a word what follows may be somebody's words, or a name. Who is told to read something is told no words. */
const NAMING =
  /\b(?:say(?:s|ing)?|said|(?<!(?:^|[.!?;,]|\b(?:and|then|otherwise|please|(?:can|could|would|will) you))\s*)read|reads|reading|call(?:s|ed)|named?|titled?|entitled|subject)\b|:/iu
const INNER = /\b(?:that|to)\b/iu

/** Reads what a question says of how carefully it is to be answered. Text in quotes or code is not looked at. */
export function careIn(question: string): Care {
  const masked = maskForeign(ruleText(question))
  if (ACT.test(masked)) return { rest: question }
  const words: string[] = []
  let [from, to, mark] = [0, question.length, '']
  const first = FIRST.exec(masked)
  const said = first?.groups!['aside'] ?? first?.groups!['before']
  if (isLower(said) && isWorded(masked.slice(first![0].length))) {
    words.push(said)
    from = first![0].length
  }
  const isWhole = masked.length === question.length
  for (let last = isWhole ? LAST.exec(masked) : null; last !== null; last = LAST.exec(masked.slice(0, to) + mark)) {
    const { aside = '', end = '', mark: final = '' } = last.groups!
    if (!isCut(masked.slice(from, last.index), end, aside)) break
    words.unshift(aside)
    to = last.index + (/[.!?]/.test(end) ? 1 : 0)
    mark = to > last.index ? '' : final.trim()
  }
  if (words.length > 0) return { words: words[0]!, rest: question.slice(from, to).trim() + mark }
  const [claim] = CLAIM.exec(masked) ?? LEADING.exec(masked) ?? []
  return claim === undefined ? { rest: question } : { words: claim, rest: question }
}

/** Whether what stands before the last clause leaves it to be one of its own. */
function isCut(before: string, end: string, aside: string): boolean {
  if (!isWorded(before) || !isLower(aside)) return false
  if (end === '?') return true
  const said = before.slice(before.lastIndexOf('?') + 1)
  if (NAMING.test(said)) return false
  // Behind a comma it may still be what somebody is told.
  return end !== ',' || (!INNER.test(said) && aside === aside.toLowerCase())
}

/** A name has capitals. */
function isLower(text: string | undefined): text is string {
  return text !== undefined && text.slice(1) === text.slice(1).toLowerCase()
}

function isWorded(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
