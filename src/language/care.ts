/** How a question asks for an answer that is checked, and what it asks for besides. */
export interface Care {
  /** Its own words for it; undefined where it does not ask. */
  readonly words?: string
  /** The question without them. */
  readonly rest: string
}

const END = String.raw`(?=\s*(?:[.!?:;,]|$))`
const BEGIN = String.raw`(?<=^|[.!?:;,]\s*|\b(?:and|then|please)\s+)`
const CHECK = '(?:double[- ]?check|cross[- ]?check|re-?check|verify)'
const ANSWER = String.raw`(?:it|this|that|them|(?:the|your|this|that|each|every) (?:answers?|results?|figures?|numbers?|work|calculations?|steps?|sums?|totals?))`

/** What says how to work, and nothing of what is asked for: it can be taken out. */
const ASIDES = [
  String.raw`\b(?:(?:think|reason|work|go|calculate|compute|answer|explain|do)\b(?:\s+(?:it|this|that))?(?:\s+(?:out|through))?(?:\s+(?:it|this|that))?,?\s+)?step by step\b`,
  String.raw`${BEGIN}(?:${CHECK}|check)\s+${ANSWER}(?:\s+(?:twice|again|carefully|thoroughly))?${END}`,
  String.raw`${BEGIN}double[- ]?check${END}`,
  String.raw`${BEGIN}(?:make|be) sure(?: that)? ${ANSWER} (?:is|are) (?:right|correct|accurate|true)${END}`,
  String.raw`${BEGIN}${CHECK}\s+(?=(?:how|what|which|who|when|where)\b)`,
].map((source) => new RegExp(source, 'giu'))

/** A claim to be held against what is found, of which no word can go. */
const CLAIM = new RegExp(String.raw`${BEGIN}(?:${CHECK}|check|prove)\s+(?:that|whether|if)\b`, 'iu')

/** Reads what a question says of how carefully it is to be answered. Text in quotes or code is not looked at. */
export function careIn(question: string): Care {
  const words: string[] = []
  let rest = question
  for (const aside of ASIDES) {
    rest = rest.replace(aside, (found: string, ...more: unknown[]) => {
      if (
        isQuoted(
          rest,
          more.find((one): one is number => typeof one === 'number')!,
        )
      )
        return found
      words.push(found.trim())
      return ' '
    })
  }
  const [claim] = words.length === 0 ? (CLAIM.exec(question) ?? []) : []
  if (claim !== undefined) return { words: claim, rest: question }
  const [first] = words
  const left = tidied(rest)
  return first === undefined || left === '' ? { rest: question } : { words: first, rest: left }
}

function isQuoted(text: string, at: number): boolean {
  return (text.slice(0, at).match(/["“”`]/gu) ?? []).length % 2 === 1
}

/** Without the marks and joining words that stood around what was taken out. */
function tidied(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/(?:^|(?<=[.!?]\s))(?:\s*(?:please|and|then)\b(?=\s*(?:[.!?:;,]|$)))/giu, '')
    .replace(/\s*,?\s*(?:\b(?:and|then|please)\b\s*)+(?=[.!?]|$)/giu, '')
    .replace(/\s+(?=[.!?,;:])/gu, '')
    .replace(/([.!?])(?:\s*[.!?,;:])+/gu, '$1')
    .replace(/[,;:]+(?=[.!?]|$)/gu, '')
    .replace(/^[\s.!?,;:]+/u, '')
    .trim()
}
