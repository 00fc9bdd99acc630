import { requestOf, startsClause, wordsOf } from '../../../language/clause-starts.ts'
import { mask } from '../../../language/mask.ts'

/** How a clause leans on what was asked before it. English pronouns and the nouns people use for results. */

const TIME = '(?:week|month|quarter|year|morning|afternoon|evening|day|time|summer|winter|spring|autumn|fall)'
const PRONOUN =
  /\b(?:they|them|it|these|those|both|all three|the (?:latter|former)|(?<=\b(?:at|by|for|from|in|of|on|to|with)\s+)the same|the same(?!\s+day\b)|thereof|for each(?=\s*[,.?!]|$))\b|^for each\b/i
/** “orders by their status” speaks of its own noun; “their orders” of someone before. */
const POSSESSIVE = /(?<!\b(?:and|with|by|in|of|per|for|to|including)\s+)\b(?:its|their|his|her)\s+\p{L}/iu
/** “that” and “this” as pronouns, not as in “orders that are late” or “this month”. */
const DEMONSTRATIVE = new RegExp(
  String.raw`\b(?:with|using|of|on|from|about|for|to|by|like|than|do|does|did|into|send|mail|email|e-mail|compare|analy[sz]e|plot|summari[sz]e|check|put|is|was|based on)\s+(?:that|this|all (?:of )?(?:that|this))\b(?!\s+(?:${TIME}|is|are|was|were|has|have|the|a|our|we|you|i|they|it)\b)|\b(?:that|this)[\s.?!]*$|^\s*(?:that|this)\s+(?:with|against|by|to)\b`,
  'i',
)
const RESULT =
  /\bthe (?:(?:final|full|whole|combined|above|resulting|computed|two|three|four|\w+ed)\s+)?(?:results?|figures?|numbers?|data|findings?|answers?|outcomes?|output|report|analysis|comparison|summary|chart|plot|graph|trend|above|two|difference|values?|sum|totals?|calculations?|forecast|list|table|information|news|details)\b(?! (?:of|for|on|about)\b)/i
const WIDE =
  /\b(?:all (?:of )?(?:that|this|these|those|it|them)|everything|both|these|those|them|the (?:results|figures|numbers|findings|answers|above)|(?:two|three) (?:results|figures|numbers|answers))\b/i

/** Whether a pronoun points at what came before. */
export function refersBack(clause: string): boolean {
  const text = mask(clause)
  return PRONOUN.test(text) || POSSESSIVE.test(text) || DEMONSTRATIVE.test(text)
}

/** The same, or a word for a result such as “the report” does. Fit for clauses that work on results anyway. */
export function refersToResults(clause: string): boolean {
  return refersBack(clause) || RESULT.test(mask(clause))
}

/** Whether it means everything found so far rather than the last of it: “all of that”, “these results”. */
export function refersToAll(clause: string): boolean {
  return WIDE.test(mask(clause))
}

/** A question that lacks its subject: “how many were late?”, “what about Germany?”, “which is the largest?”. */
export function isElliptical(clause: string): boolean {
  const text = requestOf(mask(clause))
  if (/^(?:what|how) about\b/i.test(text)) return true
  // “And the day before?”
  if (/^(?:and|or)\b/i.test(text)) return !startsClause(text.replace(/^\w+\s*/, ''))
  if (
    /^how (?:many|much)(?: of (?:them|these|those))?\s+(?:were|was|are|is|have|has|had|did|of|came|went)\b/i.test(text)
  ) {
    // “how much is it” leans; “how much did we earn” and “how many are there in Bonn” do not lack anything.
    return !/^how (?:many|much) (?:did|have|had|has) (?:we|you|i|they|our|the)\b/i.test(text)
  }
  if (/^(?:which|who) (?:is|are|was|were) (?:the )?\w+(?:est|ost|st)?[?.!]*$/i.test(text)) return true
  return /^(?:why|when|where|how|who|what|which)\b/i.test(text) && wordsOf(text).length <= 2
}

const FIGURE =
  /\b(?:how (?:many|much)|number of|count of|totals?|sum of|average|revenue|sales|turnover|top \d+|bottom \d+|(?:do|did) we (?:have|get|sell|ship|receive|order|buy|pay|earn|spend)|best[- ]selling|(?:most|least|highest|lowest|biggest|largest|smallest) \w+|per (?:month|year|week|day|country|customer|product))\b/i

/** A question for a figure, which the default agent is there for. */
export function asksForFigure(text: string): boolean {
  return FIGURE.test(text)
}

/** An arithmetic question: “2 + 2”, “15 % of 230”. */
export function isArithmetic(text: string): boolean {
  return /\d\s*(?:[-+*/×÷^]|%\s*of|percent of|plus|minus|times|divided by|multiplied by|to the power of)\s*[\d(]/i.test(
    text.replaceAll(/\d{4}-\d{2}(?:-\d{2})?/g, ''),
  )
}

/** Words of politeness alone: “Thanks!”, “Hi there”. */
export function isCourtesy(clause: string): boolean {
  return (
    /^(?:hi|hello|hey|thanks|thank you|many thanks|thx|cheers|please|ok|okay|great|good (?:morning|afternoon|evening)|(?:best|kind) regards|dear)\b/i.test(
      clause,
    ) && wordsOf(clause).length <= 3
  )
}

/** Only how the answer is to look: “put the results in a table”. */
export function asksForLayout(clause: string): boolean {
  return /^(?:put|present|format|arrange|display|lay)\b/i.test(requestOf(mask(clause)))
}

/** Putting together what was found is the composer's work. */
export function asksToCompose(clause: string): boolean {
  return /^(?:summari[sz]e|combine|merge|explain|present|conclude|highlight|recap|outline|tell me|put|give me a (?:short |brief )?summary|show me|show|write (?:me )?a (?:short |brief )?summary)\b/i.test(
    requestOf(mask(clause)),
  )
}
