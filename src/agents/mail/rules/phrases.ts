import { addressesIn } from '../../../mail/address.ts'

/** Words that end a name or a topic. */
const STOP =
  'about|regarding|concerning|on|with|without|that|since|after|before|until|in|to|and|or|which|who|whose|saying|says?|subject|this|last|did|does|mention\\w*|contain\\w*|asking|telling|tell|for|from|at|by|as|cc|is|was|were|has|have|write|wrote|want|wants|sent|using|based|summari\\w+|explaining|explain\\w*'
const NAME = String.raw`"[^"]+"|[^\s,;:?!"]+@[^\s,;:?!"]+|(?:(?!(?:${STOP})\b)[\p{L}\p{N}&'’._-]+)(?:\s+(?!(?:${STOP})\b)[\p{L}\p{N}&'’._-]+){0,4}`
const FROM = new RegExp(String.raw`\bfrom\s+(${NAME})`, 'iu')
const TO = new RegExp(String.raw`\bto\s+(${NAME}(?:\s*(?:,|\band\b)\s+(?=\p{Lu}|\S+@)(?:${NAME}))*)`, 'u')
const CC = new RegExp(String.raw`\bcc:?\s+(${NAME}(?:\s*(?:,|\band\b)\s+(?=\p{Lu}|\S+@)(?:${NAME}))*)`, 'iu')
const MAIL_TO = new RegExp(
  String.raw`\b(?:e-?mail|mail|message|reply|answer|note|it|this|that|them|these|those|summary|report|results?|figures?|numbers?)\s+${TO.source}`,
  'iu',
)
const VERB_NAME = new RegExp(
  String.raw`^(?:e-?mail|send|write|tell|inform)\s+(?!(?:the|a|an|it|this|that|them|these|those|all|to|and)\b)(${NAME})`,
  'iu',
)
const POSSESSIVE =
  /\b((?:\p{Lu}[\p{L}.-]+\s+){0,2}\p{Lu}[\p{L}.-]+)['’]s?\s+(?:last\s+|latest\s+|newest\s+)?(?:e-?mail|mail|message)/u
const WHO_WRITES = /\b[Ww]hat\s+(?:does|did|do)\s+((?:\p{Lu}[\p{L}.-]+\s*){1,3}?)\s*\b(?:write|say|ask|want)\b/u
const ABOUT =
  /\b(?:about|regarding|concerning|mention(?:s|ing)?|contain(?:s|ing)?)\s+(?:"([^"]+)"|([^,;:?!.]+?))(?=\s+(?:from|since|after|before|to|in\s+my|that|saying|with|using|and|is|was)\b|[,;:?!.]|$)/i
const SEARCH_FOR =
  /\b(?:search|look|check)\b.{0,40}?\bfor\s+(?:"([^"]+)"|([^,;:?!.]+?))(?=\s+(?:from|since|after|before|to|in)\b|[,;?!.]|$)/i
const SUBJECT =
  /\b(?:subject(?:\s+line)?|titled|entitled)(?:\s+is)?:?\s+(?:"([^"]+)"|'([^']+)'|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]|(?!(?:of|for|and|or|to|is|was|with|from|about|that|in|line)\b)([^,;.?!"“«„\n]{1,78}?)(?=\s+(?:and|saying|with|to|that|telling|asking|in which)\b|[,;.?!\n]|$))/i

/** Words that name nobody in particular. */
const NOBODY =
  /^(?:the|my|our|a|an|any|all|it|them|him|her|me|us|you|mails?|e-?mails?|messages?|customers?|suppliers?|people|anyone|everyone|someone|anybody|inbox|mailbox|last|latest|newest|answer|reply|read|open|show|summari[sz]e|find)$/i
const EMPTY_WORDS = /^(?:the|my|our|a|an|any|all|of|for|some|about|and|or|mails?|e-?mails?|messages?|please)$/i

/** Who the mails that are spoken of come from; undefined when the question does not say. */
export function senderIn(question: string): string | undefined {
  const found = FROM.exec(question)?.[1] ?? POSSESSIVE.exec(question)?.[1] ?? WHO_WRITES.exec(question)?.[1]
  return found === undefined ? undefined : cleanName(found)
}

/** Who a reply goes to, when no "from" says so: "reply to Lena that …". */
export function replyTargetIn(clause: string): string | undefined {
  const to = new RegExp(String.raw`\b(?:reply|respond|back)\s+${TO.source}`, 'iu').exec(clause)?.[1]
  const name = senderIn(clause) ?? to
  return name === undefined ? undefined : cleanName(name.replace(/['’]s?\s+.*$/, ''))
}

/** Whom a mail is for: names and addresses as they are written. */
export function recipientsIn(clause: string): { readonly to: string[]; readonly cc: string[] } {
  const [, copied] = CC.exec(clause) ?? []
  const cc = copied === undefined ? [] : namesIn(copied)
  const withoutCc = copied === undefined ? clause : clause.replace(CC, ' ')
  const named = MAIL_TO.exec(withoutCc)?.[1] ?? VERB_NAME.exec(withoutCc)?.[1] ?? TO.exec(withoutCc)?.[1]
  const sender = FROM.exec(withoutCc)?.[1]?.toLowerCase()
  const written = addressesIn(withoutCc).filter((address) => address !== sender)
  if (written.length > 0) return { to: written, cc }
  return { to: named === undefined ? [] : namesIn(named), cc }
}

/** To whom the sent mails or drafts went that are asked for. */
export function addresseeIn(question: string): string | undefined {
  const found = TO.exec(question)?.[1]
  return found === undefined ? undefined : cleanName(found)
}

/** The topic in the question's own words. */
export function topicIn(question: string): string | undefined {
  const [, quoted, plain] = ABOUT.exec(question) ?? SEARCH_FOR.exec(question) ?? []
  const topic = (quoted ?? plain)?.trim()
  return topic === undefined || topic === '' || /^(?:it|this|that|them)$/i.test(topic) ? undefined : topic
}

export function subjectIn(question: string): string | undefined {
  const [, ...said] = SUBJECT.exec(question) ?? []
  return said.find((text) => text !== undefined)?.trim()
}

/** A topic as search words: without little words and plural endings, since texts match anywhere. */
export function searchWords(topic: string): string[] {
  const words = topic.split(/[^\p{L}\p{N}'’@.-]+/u).filter((word) => word !== '' && !EMPTY_WORDS.test(word))
  return words.map((word) => word.replace(/['’]s?$/, '').replace(/(?<=\p{L}{3}[^s])s$/u, ''))
}

/** What the mail is to say, when the question itself says it: "… saying that we ship on Monday". */
export function wordsToSay(given: string): string | undefined {
  const clause = given.replace(/[,;]?\s*(?:but\s+|and\s+)?(?:do\s+not|don't|without)\s+send(?:ing)?\b.*$/is, '')
  const asking = /\basking\s+(?:him\s+|her\s+|them\s+)?(.+)$/is.exec(clause)?.[1]
  if (asking !== undefined) return sentence(`I would like to ask ${asking}`)
  const said =
    /\b(?:saying|to\s+say|that\s+says|telling\s+(?:him|her|them)|(?:and|to)\s+tell\s+(?:him|her|them)|(?:and\s+)?let\s+(?:him|her|them)\s+know|with\s+the\s+text)(?:\s+that)?:?\s+(.+)$/is.exec(
      clause,
    )?.[1] ??
    new RegExp(String.raw`\b(?:to|e-?mail|tell)\s+(?:${NAME})\s+that\s+((?!is\b|was\b).+)$`, 'isu').exec(clause)?.[1] ??
    /:\s+(\S.+)$/s.exec(clause)?.[1]
  return said === undefined ? undefined : sentence(said)
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/^["'“](.*)["'”]$/s, '$1')
  const capital = trimmed.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}

function namesIn(list: string): string[] {
  return list
    .split(/\s*(?:,|\band\b)\s+/)
    .map(cleanName)
    .filter((name): name is string => name !== undefined)
}

function cleanName(text: string): string | undefined {
  const words = text
    .replace(/(?<=\S)\s+(?:the|an?)\s.*$/i, '')
    .replaceAll('"', '')
    .replace(/['’]s?$/, '')
    .trim()
    .split(/\s+/)
  if (/^(?:me|myself)$/i.test(words.join(' '))) return 'me'
  while (words.length > 0 && NOBODY.test(words[0]!)) words.shift()
  while (words.length > 0 && NOBODY.test(words.at(-1)!)) words.pop()
  const name = words.join(' ').replace(/[.,]+$/, '')
  return name === '' ? undefined : name
}
