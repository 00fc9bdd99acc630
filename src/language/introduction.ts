/** Sentences in which somebody tells of themself. */
const TOLD =
  "my name is|call me|i work (?:at|for|as|in|on)|i(?: a|['’])m (?!looking|interested|searching|trying|asking|curious|after|wondering|not sure)"
/** Those, greetings, and what says how to be answered. */
const ABOUT_THE_USER = new RegExp(
  String.raw`^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|${TOLD}|keep (?:the |your )?answers|(?:please )?answer (?:me )?(?:in|briefly|shortly|with))\b[^?]*$`,
  'i',
)
const TELLS = new RegExp(String.raw`^(?:(?:hi|hello|hey)(?: there)?[,!.]?\s+)?(?:${TOLD})\b`, 'i')
/** Words by which something is asked for in the same sentence: “I am Anna, list my orders”. */
const ASKS =
  /\b(?:show|list|give|tell|find|get|how|what|which|whose|when|where|why|need|want|would like|send|draft|write|compute|calculate|compare|count|search|look|check|read|make|create|book|delete|update|cancel|report|summari[sz]e|translate|explain|help|please|can|could)\b/i

/**
 * What is asked, without the sentences that only tell of whoever asks: rules would look for them in the data. The
 * question as it stands when nothing else would be left.
 */
export function withoutIntroduction(question: string): string {
  const sentences = sentencesOf(question)
  const asked = sentences.filter((sentence) => !ABOUT_THE_USER.test(sentence))
  return asked.length === 0 || asked.length === sentences.length ? question : asked.join(' ')
}

/** Whether somebody only tells of themself: there is nothing to look up. */
export function isStatement(question: string): boolean {
  const sentences = sentencesOf(question)
  return (
    sentences.every((sentence) => ABOUT_THE_USER.test(sentence) && !ASKS.test(sentence)) &&
    sentences.some((sentence) => TELLS.test(sentence))
  )
}

function sentencesOf(question: string): string[] {
  return question.trim().split(/(?<=[.!?])\s+/)
}
