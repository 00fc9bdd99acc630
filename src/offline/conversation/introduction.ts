import { MAX_RULE_TEXT, ruleText } from '../../shared/rule-text.ts'

/** Sentences in which users introduce themselves. */
const INTRODUCTIONS =
  "my name is|call me|i work (?:at|for|as|in|on)|i(?: a|['’])m (?!looking|interested|searching|trying|asking|curious|after|wondering|not sure)"
/** Introductions, greetings, and wishes about the style of answers. */
const ABOUT_THE_USER = new RegExp(
  String.raw`^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|${INTRODUCTIONS}|(?:please |always )*(?:keep (?:the |your |all )?answers|(?:answer|reply|respond) (?:me )?(?:always )?(?:in|briefly|shortly|concisely|with)))\b[^?]*$`,
  'i',
)
/** Requests to remember something, and other statements about the user. */
const REMEMBER_REQUEST = /^(?:remember|note|keep in mind)(?::|,| that\b)\s*/i
const OWN =
  /^(?:my|our) (?:name|customers?|region|market|area|team|department|company|job|role|title|position|boss|manager) (?:is|are)\b[^?]*$/i
/** Wishes about the style only: “answer with the open orders” is a question. */
const WISH =
  /^(?:keep (?:the |your |all )?answers (?:\w+(?: and \w+)?)|(?:answer|reply|respond) (?:me )?(?:always )?(?:briefly|shortly|concisely|in (?:an? )?\w+(?: tone| way)?)(?: and (?:briefly|in \w+))?)[.!]*$/i
const TELLS = new RegExp(String.raw`^(?:(?:hi|hello|hey)(?: there)?[,!.]?\s+)?(?:${INTRODUCTIONS})\b`, 'i')
/** Words that start a question within the same sentence: “I am Anna, list my orders”. */
const ASKS =
  /\b(?:show|list|give|tell|find|get|how|what|which|whose|when|where|why|need|want|would like|send|draft|write|compute|calculate|compare|count|search|look|check|read|make|create|book|delete|update|cancel|report|summari[sz]e|translate|explain|help|please|can|could)\b/i

/** The question without sentences about the user; unchanged if nothing else would remain. */
export function withoutIntroduction(question: string): string {
  const asked = sentencesOf(question).filter((sentence) => !ABOUT_THE_USER.test(sentence))
  return question.length > MAX_RULE_TEXT || asked.length === 0 || introduction(question).length === 0
    ? question
    : asked.join(' ')
}

function introduction(question: string): string[] {
  return sentencesOf(question).filter((sentence) => ABOUT_THE_USER.test(sentence))
}

/** Returns whether the text only introduces the user, so that there is nothing to look up. */
export function isStatement(question: string): boolean {
  const sentences = sentencesOf(question).map(bare)
  return (
    sentences.every((sentence) => WISH.test(sentence) || isRememberRequest(sentence) || tellsOnly(sentence)) &&
    sentences.some(
      (sentence) => WISH.test(sentence) || isRememberRequest(sentence) || TELLS.test(sentence) || OWN.test(sentence),
    )
  )
}

function tellsOnly(sentence: string): boolean {
  return (ABOUT_THE_USER.test(sentence) || OWN.test(sentence)) && !ASKS.test(sentence)
}

function isRememberRequest(sentence: string): boolean {
  return REMEMBER_REQUEST.test(sentence) && !sentence.endsWith('?')
}

/** Removes polite phrases. */
function bare(sentence: string): string {
  return sentence
    .replace(/^(?:(?:please|always|from now on)\b,?\s*)+/i, '')
    .replace(/,?\s+(?:please|from now on|always)(?=[.!]*$)/i, '')
}

function sentencesOf(question: string): string[] {
  return ruleText(question)
    .trim()
    .split(/(?<=[.!?])\s+/)
}
