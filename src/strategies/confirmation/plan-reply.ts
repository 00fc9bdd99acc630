import { wordSet } from '../../shared/word-set.ts'

/** START: words that approve a plan. BESIDE: words that may accompany them without asking for anything else. */
const START = wordSet(
  'start begin run go proceed yes yeah yep sure ok okay fine approved agreed ja los starte starten beginne beginnen mach einverstanden gerne',
)
const FILLER_WORDS = wordSet(
  'please bitte thanks thank you danke it the plan this that as is now then ahead with do by all means let us and so jetzt dann mal den diesen damit an leg fang sounds good looks great',
)

/** Refusals of a plan, at the beginning of a reply. */
const LEAVE =
  /^(?:no|nope|nein|nee|stop|stopp|cancel|abort|discard|deny|reject|forget it|leave it|do not|don['’]?t|never|nicht(?! so)|abbrechen|verwerfen|ablehnen|lass (?:es|das))(?![\p{L}\p{N}])(?!,? (?:problem|objections?|worries))/iu

/**
 * Questions and objections made of the words above, such as “is it ok” or “let it go”; and signs that may mean no, such
 * as thumbs down.
 */
const NO_WORD =
  /\bis (?:it|this|that|the plan|all)\b|\blet (?:it|this|that|the plan|us) go\b|[?？؟¿]|(?![👍👌✅🙏🙂😀🚀✔\p{Emoji_Modifier}])\p{S}/iu

/** Classifies a user's reply to a pending plan; undefined if it is neither a clear yes nor a clear no. */
export function classifyPlanReply(userReply: string): 'start' | 'leave' | undefined {
  const words = userReply.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []
  const isStart =
    words.some((word) => START.has(word)) && words.every((word) => START.has(word) || FILLER_WORDS.has(word))
  if (isStart) return NO_WORD.test(userReply) ? undefined : 'start'
  const bare = userReply.trim().replace(/^(?:(?:please|bitte|sorry|oh|well)[\s,]+)+/i, '')
  return LEAVE.test(bare) ? 'leave' : undefined
}
