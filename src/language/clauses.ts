import { ruleText } from '../core/rule-text.ts'
import { COURTESY, isQuestionWord, isWrittenCall, requestOf, startsClause, wordsOf } from './clause-starts.ts'
import { MASK, mask } from './mask.ts'

/**
 * How a clause hangs on the one before: a sentence of its own, one more beside it, or what is to come after it. The
 * first is a sentence.
 */
export type Link = 'sentence' | 'and' | 'then'

/** A part of a question that asks for one thing, in the question's own words. */
export interface Clause {
  readonly text: string
  readonly link: Link
  /** Where it lies in the question. */
  readonly start: number
  readonly end: number
  /** “…, but first”: it is to come before the one before it. */
  readonly isBefore?: boolean
}

/** The subject of a mail belongs to what is said before it. */
const SENTENCE_END = new RegExp(
  String.raw`(?<![.?!;…])[.?!;…]+(?=\s)(?!\s+(?:[Ww]ith\s+the\s+)?[Ss]ubject(?:\s+line)?(?::|\s+${MASK}))|\n+|[?!](?=\p{Lu})`,
  'gu',
)

/** What is to come after what stands before it. */
const THEN = String.raw`then|after (?:that|this)|afterwards?|thereafter|next|finally|lastly|subsequently|with that done|once you have (?:that|it|this|them)(?: done| ready)?|(?:once|when|as soon as)(?: (?:that|this|it|you)(?: is|['’]s| are| has been)?)?(?: all)? (?:done|ready|finished)|once that(?: is|['’]s)`

/** Words between two clauses, with the comma or dash before them. */
const JOINT = new RegExp(
  String.raw`(?<before>(?:(?<!\s)\s+)?(?:[,–—]|:(?![\p{L}\p{N}]))\s*|(?<!\s)\s+-\s+|(?<!\s)\s+)(?<and>(?:and|but|plus|as well as)\b[\s,]*)?(?<then>(?:${THEN})\b[\s,]*(?:and\s+)?)?(?<also>(?:also|additionally|in addition|as well)\b[\s,]*)?(?<first>first\b[\s,]*)?`,
  'giu',
)

/** The same at the beginning of a sentence. */
const OPENING = new RegExp(
  String.raw`^(?:(?:and|but|so)\b[\s,]*)?(?:first(?:ly| of all)?\b[\s,]*)?(?:(?<then>${THEN})\b[\s,]*)?(?:(?:also|additionally|in addition)\b[\s,]*)?`,
  'iu',
)

/** The same of what stands before its request. */
const FRONTED_AFTER = /^(?:after|once|as soon as) (?!(?:the )?\d)(?:(?:that|this|it|you|we)\b|\p{L}+ing\b)[^,]{0,80},/iu

/** Whether a text begins by saying that it is to come after what stands before it. */
export function saysThen(text: string): boolean {
  return OPENING.exec(text)?.groups?.['then'] !== undefined
}

/** What depends on a sentence that goes on is no clause of its own. */
const SUBORDINATE =
  /^(?!\w+ (?:what|which|whom|whose|how|when|where) )(?:if|when|once|after|before|because|since|while|although|given|as soon as|according to|using|in|on|from|for|with|by|at|during|besides|via|regarding|as for)\b/i
/** “using that, …” and “based on these, …” between two requests belong to the second. */
const BASED_ON =
  /^(?:(?:using|based on|with|from)\s+(?:that|this|these|those|them|it|both|the [a-z]+)|for (?:each|every one|all)(?: of (?:them|these|those))?)\b,?\s*|^(?:if|when|once|after|as soon as|unless)\b[^,]{1,80},\s*/i

/** Characters behind a joint that tell whether a clause begins there, or before it whether one has ended; a text may be very long. */
const LOOKED_AT = 300

/**
 * Splits a question into clauses, in its own words and order. Code, quoted text and addresses stay whole. What is looked at grows
 * with the length of the question, not with its square.
 */
export function splitClauses(text: string): Clause[] {
  const question = ruleText(text)
  const masked = mask(question)
  return withCode(sentencesOf(masked).flatMap(([start, end]) => clausesOf(question, masked, start, end)))
}

/** “Run this and mail me the output: …”: code at the end belongs to the clause that speaks of it. */
function withCode(clauses: readonly Clause[]): Clause[] {
  const code = clauses.flatMap(({ text }) => /\s*```[\s\S]*$/.exec(text)?.[0] ?? [])[0]
  const speaker = clauses.findIndex(({ text }) => /\b(?:this|the following|below)\b/i.test(mask(text)))
  const owner = clauses.findIndex(({ text }) => text.includes('```'))
  if (code === undefined || speaker < 0 || speaker >= owner) return [...clauses]
  return clauses.map((clause, i) => {
    if (i === speaker) return { ...clause, text: `${clause.text}:\n${code.trim()}` }
    return i === owner ? { ...clause, text: clause.text.replace(code, '').replace(/[\s:]+$/, '') } : clause
  })
}

function sentencesOf(masked: string): [number, number][] {
  const spans: [number, number][] = []
  let start = 0
  for (const match of masked.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    // A line with nothing but code or a quotation belongs to the sentence before it.
    if (isBlank(masked.slice(start, end)) && spans.length > 0) spans.at(-1)![1] = end
    else spans.push([start, end])
    start = end
  }
  if (isBlank(masked.slice(start)) && spans.length > 0) spans.at(-1)![1] = masked.length
  else spans.push([start, masked.length])
  return spans
}

function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text)
}

function clausesOf(question: string, masked: string, start: number, end: number): Clause[] {
  const space = /^\s*/.exec(masked.slice(start, end))![0].length
  const opening = OPENING.exec(masked.slice(start + space, end))!
  const head = start + space + opening[0].length
  const opened = startsClause(masked.slice(head, Math.min(end, head + LOOKED_AT))) ? opening[0].length : 0
  const clauses: Clause[] = []
  let from = start + space + opened
  let link: Link = opening.groups!['then'] !== undefined && opened > 0 ? 'then' : 'sentence'
  let before: Pick<Clause, 'isBefore'> = {}
  let comma = masked.indexOf(',', from + LOOKED_AT)
  for (const joint of jointsOf(masked, from, end)) {
    const left = masked.slice(from, Math.min(joint.start, from + LOOKED_AT))
    if (!isComplete(left, comma >= 0 && comma < joint.start)) continue
    clauses.push({ ...clauseOf(question, from, joint.start, link), ...before })
    from = joint.end
    comma = masked.indexOf(',', from + LOOKED_AT)
    link = joint.link
    before = joint.isBefore ? { isBefore: true } : {}
  }
  if (isBlank(masked.slice(from, end)) && !masked.slice(from, end).includes(MASK)) return clauses
  return [...clauses, { ...clauseOf(question, from, end, link), ...before }]
}

function clauseOf(question: string, start: number, end: number, link: Link): Clause {
  const raw = question.slice(start, end)
  const lead = raw.length - raw.trimStart().length
  const text = raw.trim().replace(/(?<![\s,;:–—])[\s,;:–—]+$/, '')
  const isThen = FRONTED_AFTER.test(text.slice(0, LOOKED_AT))
  return { text, link: isThen ? 'then' : link, start: start + lead, end: start + lead + text.length }
}

const MASKED = new RegExp(`${MASK}+`, 'g')

/** More than a bare verb or a fronted condition; `hasComma` where there is one behind what is given. */
function isComplete(left: string, hasComma: boolean): boolean {
  const text = left.trim().replace(COURTESY, '').replace(BASED_ON, '')
  return (
    wordsOf(text.replaceAll(MASKED, 'x')).length >= 2 && !(SUBORDINATE.test(text) && !hasComma && !text.includes(','))
  )
}

interface Joint {
  readonly start: number
  readonly end: number
  readonly link: Link
  readonly isBefore: boolean
}

function* jointsOf(masked: string, from: number, whole: number): Generator<Joint> {
  for (const match of masked.slice(from, whole).matchAll(JOINT)) {
    const { before = '', and, then, also, first } = match.groups!
    const start = from + match.index
    const end = start + match[0].length
    const rest = masked.slice(end, Math.min(whole, end + LOOKED_AT))
    const isPaused = before.trim() !== ''
    if (!isPaused && and === undefined && then === undefined && also === undefined) continue
    const said = {
      isPaused,
      isColon: before.includes(':'),
      isAnd: and !== undefined,
      isAdded: then !== undefined || also !== undefined,
      isAsked: masked
        .slice(Math.max(end, whole - 20), whole)
        .trimEnd()
        .endsWith('?'),
    }
    if (isJoint(rest, masked.slice(from, Math.min(start, from + LOOKED_AT)), said)) {
      yield { start, end, link: then === undefined ? 'and' : 'then', isBefore: first !== undefined }
    }
  }
}

/** A message, and that something is to be in it. */
const MESSAGE = /^(?:draft|compose|write|prepare|send|e-?mail|mail|message|reply|respond)\b/i
const HOLDS = new RegExp(
  String.raw`${MESSAGE.source}.*\b(?:with|about|including|containing|regarding|the|our|how|what)\b`,
  'is',
)

interface JointWords {
  /** There is a comma, a colon or a dash. */
  readonly isPaused: boolean
  readonly isColon: boolean
  readonly isAnd: boolean
  /** There is a “then” or an “also”. */
  readonly isAdded: boolean
  /** The sentence ends in a question mark. */
  readonly isAsked: boolean
}

function isJoint(rest: string, left: string, { isPaused, isColon, isAnd, isAdded, isAsked }: JointWords): boolean {
  const based = BASED_ON.exec(rest)?.[0] ?? ''
  if (!startsClause(rest.slice(based.length))) return false
  const [first = '', second = ''] = wordsOf(rest)
  // “Draft a mail with the number of customers and what the newsletter says”
  if (isAnd && !isAdded && isQuestionWord(first) && HOLDS.test(requestOf(left)) && !isAsked) return false
  // “Draft a mail to Ada: how many orders are open?”
  if (isColon && isQuestionWord(first) && MESSAGE.test(requestOf(left))) return false
  // “Add two numbers: call get-sum a=2 b=3” says one thing twice.
  if (isColon && !isAnd && isWrittenCall(rest)) return false
  if (isAnd || based !== '') return true
  // “more than then”, “since then”: after a bare space only an order follows such a word.
  if (!isPaused) return isAdded && !isQuestionWord(first)
  if (isAdded) return true
  // “…, which is late”, “…, who lives there”: said of what stands before.
  if (first === 'which') return !/^(?:is|are|was|were|has|have|had|do|does|did|can|will|we|you|i|they|it)$/.test(second)
  if (/^(?:who|whom|whose|where|when)$/.test(first)) return isQuestionWord(wordsOf(left)[0] ?? '')
  return true
}
