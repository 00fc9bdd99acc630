/** Sentences in which somebody greets, tells of themself or says how to be answered. */
const ABOUT_THE_USER =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|my name is|call me|i work (?:at|for|as|in|on)|i(?: a|['’])m (?!looking|interested|searching|trying|asking|curious|after|wondering)|keep (?:the |your )?answers|(?:please )?answer (?:me )?(?:in|briefly|shortly|with))\b[^?]*$/i

/**
 * What is asked, without the sentences that only tell of whoever asks: rules would look for them in the data. The
 * question as it stands when nothing else would be left.
 */
export function withoutIntroduction(question: string): string {
  const sentences = question.trim().split(/(?<=[.!?])\s+/)
  const asked = sentences.filter((sentence) => !ABOUT_THE_USER.test(sentence))
  return asked.length === 0 || asked.length === sentences.length ? question : asked.join(' ')
}
