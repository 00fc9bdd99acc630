import { sentencesOf } from '../chunking/sentences.ts'

/**
 * Words of a document that are addressed to an assistant, not to its readers, such as “ignore your earlier instructions”. They are
 * found by patterns, in English and German: whoever words it otherwise is not found, which is why no other wall relies on this.
 */

/** Stands in a text in place of what was left out. */
export const LEFT_OUT = '[words addressed to an assistant were left out]'

const AI = String.raw`(?:(?:any|all|every|the|each|dear|an?)\s+)*(?:(?:ai|a\.i\.|artificial intelligence|virtual|digital)[\s-]*(?:assistants?|agents?|models?|systems?|bots?|readers?)|ais?(?=\s+(?:reading|processing|that|who|which|summari[sz]ing)|\s*[,:;!–—-])|chat\s?-?bots?|(?:large\s+)?language\s+models?|llms?|gpt|chat\s?gpt|copilot|ki(?:[\s-]*(?:assistent(?:en|in)?|agent(?:en)?|modelle?|systeme?))|sprachmodelle?|ki(?=\s*[,:;!–—-]))`
const ASSISTANT = String.raw`(?:(?:any|all|every|the|dear|liebe[rs]?|alle|an)\s+)*(?:assistants?|agents?|bots?|assistent(?:en|in)?|system)`
/** What assistants are told to do. */
const DO = String.raw`(?:send|forward|e-?mail|mail|reply|respond|answer|include|append|insert|delete|drop|reveal|disclose|print|output|show|list|ignore|disregard|forget|execute|run|call|invoke|use|visit|open|click|fetch|transfer|pay|approve|export|upload|post|act|pretend|treat|recommend|rate|say|tell|write|read|summari[sz]e|translate|obey|follow|repeat|skip|do\s+not|don['’]?t|never|always|you\s+(?:must|are|should|will|shall|have\s+to|may\s+not)|your\s+(?:new\s+)?(?:task|instructions?|orders?|goal|job)|sende|senden|schicke?n?|leite|leiten|antworte|antworten|lösche|löschen|ignoriere|ignorieren|vergiss|vergessen|führe|führen|verrate|verraten|zeige|zeigen|nenne|nennen|schreibe?n?|sage?n?|füge|fügen|gib|geben|überweise|überweisen|du\s+(?:musst|sollst|bist|darfst)|sie\s+(?:müssen|sollen|dürfen))`
const BEFORE = String.raw`(?:previous|prior|earlier|preceding|former|above|initial|original|existing|system|developer|safety|foregoing|current)`
const RULES_GIVEN = String.raw`(?:instructions?|prompts?|directives?|guardrails|system\s+messages?|programming|training)`
const BEFORE_DE = String.raw`(?:vorherigen?|bisherigen?|früheren?|obigen?|vorangegangenen?|vorigen?|ursprünglichen?|gegebenen?)`
const RULES_DE = String.raw`(?:anweisungen|instruktionen|anweisung|prompts?|systemanweisungen|vorgaben|befehle)`
const WAKE = String.raw`(?:attention|note|notice|message|instructions?|important|warning|information|hint|hinweis|achtung|wichtig|nachricht|mitteilung|anweisung(?:en)?)`

const ORDERS: readonly RegExp[] = [
  // Overrides what was said before.
  new RegExp(
    String.raw`\b(?:ignore|disregard|forget|override|bypass|overwrite|discard)\b(?:\s+(?:all|any|of|the|your|my|these|those|everything|and|or|every|other)){0,4}\s+${BEFORE}(?:\s+(?:and|or|system|user|${BEFORE})){0,3}\s+${RULES_GIVEN}\b`,
  ),
  new RegExp(
    String.raw`\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+)?(?:of\s+)?your\s+(?:\w+\s+){0,2}(?:${RULES_GIVEN}|rules|guidelines)\b`,
  ),
  /\b(?:ignore|disregard|forget)\s+(?:everything|all)\s+(?:(?:that\s+)?(?:you\s+were|you\s+have\s+been|was)\s+(?:told|said)|(?:said\s+)?(?:above|before\s+this|so\s+far))/,
  new RegExp(
    String.raw`\b(?:ignorieren?|vergiss|vergessen|missachten?|übergehen?)\b(?:\s+(?:sie|du|alle|alles|deine|ihre|die|sämtliche|aller)){0,4}\s+(?:${BEFORE_DE}\s+)?(?:${RULES_DE})\b(?<=(?:${BEFORE_DE}\s+|deine\s+|alle\s+)(?:${RULES_DE}))`,
  ),
  // Calls an assistant and tells it what to do.
  new RegExp(
    String.raw`^(?:${WAKE}\W+)?(?:(?:to|for|an|für|hey|hello|hi|dear)\s+)*${AI}(?:\s+(?:that|which|who|reading|processing|reads?|das|die|der)\b[^,:;!.–—]{0,80})?\s*[,:;!–—-]+\s*(?:\S+\s+){0,12}?${DO}\b`,
  ),
  new RegExp(
    String.raw`^(?:${WAKE}\W+)?(?:(?:to|hey|hello|dear)\s+)*${ASSISTANT}\s*[,:!–—]+\s*(?:(?:please|now|kindly|bitte|also|then|immediately)\s+){0,2}${DO}\b`,
  ),
  new RegExp(String.raw`^${WAKE}\W+(?:\w+\s+){0,4}?(?:to|for|an|für|alle)\s+(?:\w+\s+){0,1}?${AI}`),
  new RegExp(String.raw`^${WAKE}\W+(?:all\s+|alle\s+)?${AI}[\s!.:]*$`),
  new RegExp(
    String.raw`\b(?:this|the\s+following)\s+(?:part|section|text|message|paragraph|note|line)\s+is\s+(?:only\s+)?(?:for|addressed\s+to|meant\s+for)\s+${AI}`,
  ),
  // Says what an assistant has to do.
  new RegExp(
    String.raw`\b${AI}\b[^.;]{0,80}?\b(?:must|should|shall|have\s+to|has\s+to|needs?\s+to|(?:is|are)\s+(?:instructed|required|ordered|told|asked)\s+to|müssen|sollen|soll|muss)\s+(?:now\s+|immediately\s+|first\s+|also\s+|always\s+)?(?:send|forward|e-?mail|mail|ignore|disregard|forget|reveal|disclose|print|output|execute|transfer|pay|delete|append|include|approve|recommend|obey|tell\s+the\s+user|say\s+that|alle\s+\w+\s+(?:senden|schicken|löschen|ignorieren)|(?:[\wäöüß@.-]+\s+){0,8}?(?:senden|schicken|weiterleiten|löschen|ignorieren|verraten|überweisen))\b`,
  ),
  /\b(?:if|when|wenn|falls)\s+(?:you\s+are|you['’]re|du|sie)\s+(?:an?\s+|eine?\s+|ein\s+)?(?:ai\b|a\.i\.|artificial intelligence|(?:large\s+)?language\s+model|llm|chat\s?-?bot|(?:ai|virtual)\s+assistant|assistant\b|ki\b|ki-\w+|sprachmodell)/,
  /\b(?:if|when|while|wenn)\s+(?:you\s+|du\s+|sie\s+)?(?:are\s+)?(?:asked\s+to\s+)?(?:summari[sz](?:e|ing)|pars(?:e|ing)|index(?:ing)?|ingest(?:ing)?|zusammenfass\w*)\s+(?:this|the|dieses|diesen)\s+(?:document|text|page|e-?mail|mail|file|dokument|article)\b[^.]{0,60}[,:]\s*(?:(?:please|bitte|also)\s+)?(?:\w+\s+){0,2}?(?:say|state|add|append|include|tell|write|recommend|mention|send|forward|ignore|schreibe|sage|sende|füge)\b/,
  // Gives it another part to play.
  /\byou\s+are\s+now\s+(?:in\s+)?(?:an?\s+)?(?:(?:\w+\s+)?(?:mode|unrestricted|unfiltered|jailbroken|dan)\b|(?:\w+\s+){0,2}(?:ai|assistant|chat\s?bot|language\s+model|agent)\b)/,
  /\byou\s+are\s+an?\s+(?:\w+\s+){0,3}?(?:ai|a\.i\.|ai\s+assistant|assistant\s+with\s+access|language\s+model|chat\s?bot)\b/,
  /\bfrom\s+now\s+on,?\s+(?:you\s+(?:must|will|should|shall|are\s+to)\s+)?(?:ignore|disregard|obey|act\s+as|behave\s+as|pretend|respond\s+only|answer\s+only|reply\s+only)\b/,
  /\b(?:pretend|act)\s+(?:to\s+be|as\s+if\s+you\s+(?:are|were)|as)\s+(?:an?\s+|the\s+)?(?:unrestricted|unfiltered|administrator|root|developer\s+mode|dan\b|evil)/,
  /\bdu\s+bist\s+(?:jetzt|ab\s+sofort|nun)\s+(?:ein\w*\s+)?(?:\w+\s+){0,2}(?:ki\b|ki-\w+|assistent\w*|chatbot|sprachmodell|modus)/,
  // The forms in which models are told what to do.
  /\bsystem\s*-?\s*prompts?\b[^.]{0,40}\b(?:is|are|reveal|print|repeat|output|override|ist)\b|\b(?:reveal|print|output|repeat|show|display|verrate|zeige|nenne)\b[^.]{0,30}\b(?:system\s*-?\s*prompts?|systemanweisungen|hidden\s+(?:prompt|instructions)|initial\s+(?:prompt|instructions))/,
  /<\|?\s*(?:im_start|im_end|system|endoftext|assistant|user)\s*\|?>|\[\/?inst\]|\[\/?system\]|<<\/?sys>>|^#{0,4}\s*(?:new\s+)?system\s+(?:message|instruction|override|prompt)s?\s*[:!]|^system\s*:\s*you\b/,
  // Wants it kept from whoever asks.
  /\b(?:do\s+not|don['’]?t|never|without)\s+(?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|report(?:ing)?|tell(?:ing)?)\s+(?:this|these|that|it|the\s+user|any\s+of\s+this)\b[^.]{0,30}\b(?:in\s+your\s+(?:answer|reply|response|summary|output)|to\s+the\s+user|the\s+user\s+(?:about|of)\s+(?:this|it))/,
  /\b(?:use|call|invoke|run)\s+your\s+(?:e-?mail|mail|sql|search|browser|web|http|database|code|file|api|python)[\s-]+(?:tools?|plug-?ins?)\b/,
]

/** Whether a sentence, a heading or a cell is addressed to an assistant. */
export function isOrder(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\u00AD]/gu, '')
    .replaceAll(/<!--|-->/g, ' ')
    .replaceAll(/(?<=^|\s)[*_`~]+|[*_`~]+(?=\s|$|[,.:;!])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:[-•>"“”„«»'‘(|#]+\s*|\d+[.)]\s+)+/, '')
    .toLowerCase()
  return ORDERS.some((pattern) => pattern.test(plain))
}

/**
 * The text without what is addressed to an assistant: from the sentence that is on to the end of its paragraph, list item or
 * row; below a heading that is, all up to the next one.
 */
export function withoutOrders(text: string): string {
  let isBelowOne = false
  let isInOne = false
  return paragraphsOf(text)
    .map((paragraph) => {
      if (paragraph.trim() === '') {
        isInOne = false
        return paragraph
      }
      const isHeading = /^\s*#{1,6}\s/.test(paragraph)
      if (isHeading) isBelowOne = isOrder(paragraph)
      if (isBelowOne || isInOne) return leftOut(paragraph, 0)
      // A row or a cell may be all that it stands in.
      const cells = paragraph.includes('|') ? paragraph.split('|') : []
      if (cells.some(isOrder)) return leftOut(paragraph, 0)
      for (const { start, end } of sentencesOf(paragraph)) {
        if (!isOrder(paragraph.slice(start, end))) continue
        isInOne = true
        return leftOut(paragraph, start)
      }
      return paragraph
    })
    .join('')
    .replaceAll(MANY, LEFT_OUT)
}

const ONE = LEFT_OUT.replaceAll(/[[\]]/g, String.raw`\$&`)
const MANY = new RegExp(String.raw`${ONE}(?:\s*${ONE})+`, 'g')

function leftOut(paragraph: string, start: number): string {
  return `${paragraph.slice(0, start)}${LEFT_OUT}${/\s*$/.exec(paragraph)![0]}`
}

/** Lines that belong together, with the white space behind them: what an empty line ends, items, rows and headings each for itself. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/(\n\s*\n)|(?<=\n)(?=\s*(?:[-•*]\s|\d+[.)]\s|#{1,6}\s|\|))|(?<=\|[^\n]*\n)/)
    .filter((part) => part !== undefined)
}
