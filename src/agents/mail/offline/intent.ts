import { ruleText } from '../../../core/rule-text.ts'
import type { MailAction } from './plan.ts'

/** Where a clause begins that asks for something. */
const START = String.raw`(?:^|[.;:!?,\n]\s*|\b(?:and|then|please|also|you|me|just|now|finally|afterwards|(?:want|like|need|ask)(?:\s+you)?\s+to)\s+)`
const MAIL = String.raw`e-?mails?\b|mails?\b|messages?\b`
/** `mail` and `e-mail` as verbs: what follows is somebody or something, not a property of mails. “Show me mail Nora sent” asks for some. */
const MAIL_VERB = String.raw`(?<!\bme\s)(?:e-?)?mail\s+(?!(?:s|from|about|with|folder|account|address|addresses|is|was|were|are|that\s+(?:is|was)|which|to|in|and|or|of|for|since|before|by|on|between|sent|received|got|last|yesterday|today|\S+\s+(?:wrote|sent|got|has|had))\b)`
const SEND_VERB = String.raw`(?:send\b(?!\s+me\s+(?:a\s+)?list)|${MAIL_VERB})`
const REPLY_VERB = String.raw`(?:reply\b|respond\b|answer\s+(?:him|her|them|\S+'s\s+|the\s+(?:last\s+|latest\s+|newest\s+)?(?:${MAIL}))|write\s+back\b)`
const DRAFT_VERB = String.raw`(?:draft|prepare|compose|write)\b(?!\s+back\b)`
const FORWARD_VERB = String.raw`forward\b`

const SEND = new RegExp(START + SEND_VERB, 'i')
const REPLY = new RegExp(START + REPLY_VERB, 'i')
const DRAFT = new RegExp(START + DRAFT_VERB, 'i')
const FORWARD = new RegExp(START + FORWARD_VERB, 'i')
/** Imperatives of sending and answering in some other languages. */
const FOREIGN =
  /(?<!\p{L})(?:schick(?:e|en)?|sende|versende|antworte|beantworte|envoie|envoyez|envoyer|réponds|répondez|envía|enviar|responde|manda|invia|rispondi|stuur|verstuur|beantwoord|envie|responda|skicka|svara)(?!\p{L})/iu
const NOT_SENDING =
  /\b(?:do\s+not|don't|dont|never|without|no\s+need\s+to|nicht|ne\s+pas)\s+(?:\w+\s+)?(?:send|sending|reply|replying|e-?mail|mail|senden|schicken)\b/i

/**
 * Whether somebody's own words ask for a mail to leave. `draft`, `prepare` and `write` do not, nor does a question such as
 * "Did Lena send the invoice?".
 */
export function asksToSend(whole: string): boolean {
  const words = ruleText(whole)
  if (NOT_SENDING.test(words)) return false
  return SEND.test(words) || REPLY.test(words) || FOREIGN.test(words)
}

const READ =
  /\b(?:read|open|summari[sz]e)\b.{0,60}\b(?:e-?mail|mail|message|draft)\b(?!s)|\b(?:latest|newest|last|most\s+recent)\s+(?:e-?mail|mail|message)\b(?!s)|\bwhat\s+(?:does|did|do)\s+.{1,40}\b(?:write|say|ask|want)\b|\bwhat\s+(?:is|stands|was)\s+in\s+.{0,40}\b(?:e-?mail|mail|message)\b(?!s)/i
const DRAFTS = /\bdrafts\b|\bdrafts?\s+folder\b/i
const SENT =
  /\b(?:i|we)(?:\s+have|'ve)?\s+(?:already\s+)?(?:sent|written|wrote|mailed)\b|\bsent\s+(?:e-?mails?|mails?|items|folder|messages?|box)\b|\b(?:did|have)\s+(?:i|we)\s+(?:already\s+)?(?:send|sent|write|written|mail|mailed|answer|answered|reply|replied)\b|\bmy\s+sent\b/i

/** `email` as a property of people is nothing that stands in a mailbox. */
const PROPERTY = /\be-?mails?\s+(?:address(?:es)?|columns?|fields?|of)\b/gi
const MAILBOX = /\b(?:e-?mails?|mails?|inbox|mailbox|messages?|newsletters?|correspondence|threads?)\b/i

/** What a question asks for, by its words. `forward` is told apart since no tool does it; `none` is no matter of mails. */
export function intentOf(question: string): MailAction | 'forward' | 'none' {
  if (FORWARD.test(question)) return 'forward'
  if (DRAFT.test(question)) return SEND.test(question) && !NOT_SENDING.test(question) ? 'send' : 'draft'
  if (!NOT_SENDING.test(question)) {
    if (REPLY.test(question)) return 'reply'
    if (SEND.test(question)) return 'send'
  }
  if (READ.test(question)) return 'read'
  if (DRAFTS.test(question)) return 'search_drafts'
  if (SENT.test(question)) return 'search_sent'
  return MAILBOX.test(question.replaceAll(PROPERTY, ' ')) ? 'search_inbox' : 'none'
}

const WRITING = new RegExp(`${START}(?<verb>${DRAFT_VERB}|${SEND_VERB}|${REPLY_VERB})`, 'gi')

/** The part of a question that speaks of the mail to be written, and what stands before it. */
export function writingClause(question: string): { readonly clause: string; readonly before: string } {
  const first = [...question.matchAll(WRITING)].find(({ groups }) => groups?.['verb'] !== undefined)
  if (first === undefined) return { clause: question, before: '' }
  const start = first.index + first[0].length - first.groups!['verb']!.length
  return {
    clause: question.slice(start),
    before: question.slice(0, start).replace(/[\s,;:]*(?:\b(?:and|then|please|also)\s*)*$/i, ''),
  }
}
