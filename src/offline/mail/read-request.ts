import { exceedsRuleText } from '../../shared/rule-text.ts'
import { wordSet } from '../../shared/word-set.ts'
import { EMPTY_QUERY, formatMailQuery } from '../../mail/query.ts'
import type { MailFolder } from '../../mail/types.ts'
import { singular } from '../../databases/glossary/words.ts'

/** Which mails are meant. */
export interface MailSearch {
  readonly folder: MailFolder
  readonly query: string
  readonly limit: number
}

/** A mail that is to be written. */
export interface MailWish {
  /** Names or addresses. */
  readonly to: readonly string[]
  readonly subject: string
  readonly about: string
  readonly said: string
  /** What other tasks found is to be in it: “with the number of orders”. */
  readonly content: string
}

export type MailRequest =
  | ({ readonly action: 'search' } & MailSearch)
  | ({ readonly action: 'read' } & MailSearch)
  | ({ readonly action: 'draft' | 'send' } & MailWish)
  /** The words that were not understood; none for a question that is no request of this form. */
  | { readonly action: 'none'; readonly unread: readonly string[] }

/** A request starts with its first word. Text after a condition or in a pasted text is not a request. */
const NEW_MAIL =
  /^(?:(?:and|then|please|also|now)\s+)*(draft|write|compose|prepare|send)\s+(?:an?|the)\s+(?:(?:short|new|friendly)\s+)?(?:e-?mail|mail|message)\s+to\s/i
const NOT_SENT =
  /[,;.]?\s(?:but |and )?(?:please )?(?:do not|don['’]t|never|without) send(?:ing)?(?: (?:it|this|that|them))?(?: yet| now)?\b/i
const COPIES = /\b(b?cc):?\s+\S+/i
/** Where the name of a person or a topic ends. */
const BOUNDARY = wordSet(
  'about regarding concerning with including containing saying that telling since before in and from to cc bcc subject which who this last today yesterday',
)
const SAYS = /^(?::|[,.]?\s*(?:saying|that says|telling (?:him|her|them))(?: that)?:?|[,.]?\s*that)\s+(?=\S)/i
const SUBJECT = /[,;.]?\s*(?:with )?(?:the )?subject:?\s+(?:"([^"]+)"|“([^”]+)”|([^\s,;.:"“][^,;.:"“\n]*))/i
const ABOUT_PATTERN =
  /^[,.]?\s*(?:about|regarding|concerning)\s+([^:;\n]+?)(?=$|[:;\n]|[.?!]\s|[,.]?\s(?:saying|that says|with|including)\s)/i
const CONTENT = /^[,.]?\s*(?:with|including|containing)\s+([^:;\n]+)$/i

const MAIL_NOUN = /\b(?:e-?mails?|mails?|messages?|inbox|mailbox|drafts)\b/i
const OTHER_VERB = /\b(?:send|write|compose|reply|respond|forward|answer|summari[sz]e|translate)\b/i
const ONE_MAIL = /\b(?:last|latest|newest|most recent)\s+(?:e-?mail|mail|message)\b/i
const SENT =
  /\bsent\s+(?:e-?mails?|mails?|messages?|items)\b|\b(?:i|we)(?: have|'ve)? (?:sent|written)\b|\bhave (?:i|we) (?:sent|written)\b/i
const SMALL_WORDS = wordSet(
  'a an the all any my our me us i we you please can could show list find get give read open search see tell look for of which what were was are is there have has had did do does came come in got received sent written arrived last latest newest most recent new mail mails email emails e message messages inbox mailbox draft drafts items and word words',
)

/** Reads a request for the mailbox, if the question has one of a few forms. */
export function readMailRequest(whole: string): MailRequest {
  if (exceedsRuleText(whole)) return { action: 'none', unread: [] }
  const text = whole.trim()
  const found = NEW_MAIL.exec(text)
  if (found === null) return readSearch(text)
  const { names, rest } = namesAt(text.slice(found[0].length))
  const isSent = found[1]!.toLowerCase() === 'send' && !NOT_SENT.test(text)
  const copies = COPIES.exec(rest)
  const wish = copies === null ? wishIn(rest.replace(NOT_SENT, '')) : { unread: [copies[1]!] }
  if (names.length === 0 || names.some((name) => MAIL_NOUN.test(name)) || 'unread' in wish)
    return { action: 'none', unread: 'unread' in wish ? wish.unread : [] }
  return { action: isSent ? 'send' : 'draft', to: names, ...wish }
}

type Content = Pick<MailWish, 'subject' | 'about' | 'said' | 'content'>

/** The text after the recipient. */
function wishIn(text: string): Content | { readonly unread: readonly string[] } {
  const topic = ABOUT_PATTERN.exec(text)
  const behind = topic === null ? text : text.slice(topic[0].length)
  // Dictated text continues to the end; a subject comes before it.
  const subject = SUBJECT.exec(behind.split(/:\s|\bsaying\b/, 1)[0]!.length > 0 ? behind : '')
  const isBefore = subject !== null && !SAYS.test(behind)
  const remainder = isBefore ? behind.replace(subject[0], '') : behind
  const saysMatch = SAYS.exec(remainder)
  const content = saysMatch === null ? CONTENT.exec(remainder.replace(/[.!?\s]+$/, '')) : null
  const rest = saysMatch === null && content === null ? wordsOf(remainder) : []
  if (rest.length > 0) return { unread: rest }
  return {
    subject: isBefore ? (subject[1] ?? subject[2] ?? subject[3] ?? '').trim() : '',
    about: topic?.[1]?.replace(/[.?!\s]+$/, '') ?? '',
    said:
      saysMatch === null
        ? ''
        : remainder
            .slice(saysMatch[0].length)
            .trim()
            .replace(/^["“](.*)["”]$/s, '$1'),
    content: content?.[1] ?? '',
  }
}

function readSearch(text: string): MailRequest {
  if (!MAIL_NOUN.test(text) || OTHER_VERB.test(text)) return { action: 'none', unread: [] }
  const folder: MailFolder = /\bdrafts\b/i.test(text) ? 'drafts' : SENT.test(text) ? 'sent' : 'inbox'
  const query = { ...EMPTY_QUERY, from: [] as string[], to: [] as string[], words: [] as string[] }
  let remainder = text
  const take = (pattern: RegExp): string[] => {
    const match = pattern.exec(remainder)
    if (match === null) return []
    const { names, rest } = namesAt(remainder.slice(match.index + match[0].length))
    remainder = `${remainder.slice(0, match.index)} ${rest}`
    return names.slice(0, 1)
  }
  query.from.push(...take(/\b(?:from|of)\s+(?!the\b)/i))
  if (folder !== 'inbox') query.to.push(...take(/\bto\s+/i))
  query.words.push(
    ...take(/\b(?:about|regarding|mentioning)\s+/i).map((topic) => (topic.includes(' ') ? topic : singular(topic))),
  )
  const limit = /(?<![\w-])(\d{1,2})(?![\w-])/.exec(remainder)
  if (limit !== null) remainder = remainder.replace(limit[0], ' ')
  const unread = wordsOf(remainder).filter((word) => !SMALL_WORDS.has(word.toLowerCase()))
  if (unread.length > 0) return { action: 'none', unread }
  const action = ONE_MAIL.test(text) ? 'read' : 'search'
  return { action, folder, query: formatMailQuery(query), limit: Number(limit?.[1] ?? 10) || 10 }
}

/** The addresses, or the one name, that a text begins with. */
function namesAt(text: string): { readonly names: string[]; readonly rest: string } {
  const quoted = /^["“]([^"”]+)["”]/.exec(text)
  if (quoted !== null) return { names: [quoted[1]!], rest: text.slice(quoted[0].length) }
  const names: string[] = []
  let at = 0
  for (const { 0: token, index } of text.matchAll(/\S+/g)) {
    const word = token.replace(/[,;:.?!]+$/, '')
    const isAddress = word.includes('@')
    const isJoined = /^(?:and|&)$/i.test(word) && /^\S+\s+\S+@/.test(text.slice(index))
    if (!isAddress && !isJoined && (BOUNDARY.has(word.toLowerCase()) || names.some((name) => name.includes('@')))) break
    if (isAddress) names.push(word)
    else if (!isJoined && word !== '') names.splice(0, 1, [...names.slice(0, 1), word].join(' '))
    at = index + word.length
    if (word !== token && !(isAddress && /^[,;]\s+\S+@/.test(text.slice(at)))) break
  }
  return {
    names: names.map((name) => name.replace(/^(?:the|our|my)\s+/i, '').replace(/['’]s?$/, '')),
    rest: text.slice(at),
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}@]+(?:['’.-][\p{L}\p{N}@]+)*/gu) ?? []
}
