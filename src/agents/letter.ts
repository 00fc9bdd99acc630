import { MASK, maskForeign } from '../language/mask.ts'

/** A request for a mail, taken apart. Each of its words is in one of these, or says no more than that a mail is to be written. */
export interface Letter {
  /** Names and addresses as they are written. */
  readonly to: readonly string[]
  readonly cc: readonly string[]
  /** No mailbox of ours can do that, so nothing is written then. */
  readonly bcc: readonly string[]
  readonly subject?: string
  /** What it says, in the user's own words: “… saying that we ship on Monday”. */
  readonly said?: string
  /** What it is about, where that is no more than a heading: “about freight”. */
  readonly topics: readonly string[]
  /** What else was asked for, to be found out: “the number of customers”. */
  readonly contents: readonly string[]
  /** Whether more than one mail is asked for; who gets which is then not told. */
  readonly isSeveral: boolean
  /** The request without the words that are its own. */
  readonly rest: string
}

/** Words that end a name or a topic. */
const STOP =
  'about|regarding|concerning|on|with|without|that|since|after|before|until|in|to|and|or|which|who|whose|saying|says?|subject|titled|entitled|this|last|did|does|mention\\w*|contain\\w*|includ\\w+|list(?:ing)?|asking|ask|telling|tell|let|for|from|at|by|as|b?cc|is|was|were|has|have|write|wrote|want|wants|sent|send|using|based|summari\\w+|explaining|explain\\w*|but|how|what|please'
const DETERMINER = 'the|an?|my|our|your|his|her|their|all|every|these|those'
const WORD = String.raw`(?!(?:${STOP}|${DETERMINER})\b)[\p{L}\p{N}&'’._-]+`
/** Somebody: quoted, an address, or a few words. */
export const NAME = String.raw`"[^"]+"|${MASK}+|[^\s,;:?!"]+@[^\s,;:?!"]+|(?:(?:the|my|our)\s+)?${WORD}(?:\s+${WORD}){0,4}(?:\s*<[^<>\s]+>)?`
/** One more of a list. Of small letters only what the list ends with, lest “and the revenue” be somebody. */
const MORE = String.raw`\s*(?:,\s*and\b|,|&|\band\b)\s+(?:to\s+)?(?:(?=\p{Lu}|${MASK}|[^\s,;:?!"]+@)(?:${NAME})|${WORD}(?:\s+${WORD})?(?=\s*(?:$|[\0,.;:?!&]|\b(?:and|with|about|regarding|concerning|includ\w+|containing|saying|asking|telling|that|b?cc|subject|titled)\b)))`
const NAMES = String.raw`(?:${NAME})(?:${MORE})*`
const NOUN = String.raw`(?:[Ee]-?[Mm]ails?|[Mm]ails?|messages?|notes?|letters?|reply|answer|response|reminders?)`
const GIVEN = String.raw`(?:it|this|that|them|these|those|summary|report|results?|figures?|numbers?)`

const NOT = String.raw`\b(?:do\s+not|don['’]t|never)`
const MAIL = String.raw`(?:it|this|that|them|anything|(?:the|this|that)\s+${NOUN})`
/** Told to us, and not to whom the mail is for: “we don’t send parcels” is what it is about. */
const NOT_SENT = new RegExp(
  String.raw`[,;]?\s*(?:\b(?:but|and)\s+)?(?:\bplease\s+)?(?:(?<!\b(?:we|you|i|they|who|which|to)\s+)${NOT}\s+send\b[^,;:.?!\0\n]*?(?=[,;:.?!\0\n]|\s(?:with|about|including|subject|b?cc)\b|$)|\bwithout\s+sending\s+${MAIL}\b)`,
  'isu',
)
/** Behind dictated words, which may say themselves that something is not sent. */
const LATE_NOT_SENT = new RegExp(
  String.raw`(?:(?:[,;.?!]\s*(?:(?:but|and)\s+)?|\s(?:but|and)\s+)(?:please\s+)?(?:${NOT}\s+send|without\s+sending)(?:\s+${MAIL})?|\s+without\s+sending\s+${MAIL})(?:\s+(?:out|off|yet|now))*[.!\s]*$`,
  'isu',
)
const ADDRESSES = String.raw`(?:${MASK}+|[^\s,;:?!"]+@[^\s,;:?!"]+)(?:${MORE})*`
const copies = (kind: string): RegExp =>
  new RegExp(String.raw`(?:[,;]\s*)?(?:\band\s+)?\b${kind}\b:?\s+(?:to\s+)?(${NAMES})`, 'u')
const CC = copies('[Cc]{2}')
const BCC = copies('[Bb][Cc]{2}')
const RECIPIENTS = [
  `(?<=\\b(?:${NOUN}|${GIVEN}|[Rr]eply|[Rr]espond|back)\\s+)(?:to|for(?!\\s+(?:me|us)\\b))\\s+(${NAMES})`,
  `(?<=^(?:[Ee]-?[Mm]ail|[Mm]ail|[Ss]end|[Ww]rite|[Tt]ell|[Ii]nform)\\s+)(?:to\\s+)?(?!(?:${DETERMINER}|${GIVEN}|to|and|${NOUN})\\b)(${NAMES})`,
  `\\bto\\s+(${NAMES})`,
  `\\bfor\\s+(${ADDRESSES})`,
].map((source) => new RegExp(source, 'u'))
const FURTHER = new RegExp(String.raw`(?:,|\band\b|\0)\s*to\s+(${ADDRESSES})`, 'u')
/** “Draft two mails: one to …, one to …”, “… and another one to …” */
const SEVERAL = new RegExp(
  String.raw`^\S+(?:\s+(?:me|us))?\s+(?:two|three|four|five|both|several|separate|[2-9])\s+(?:\w+\s+){0,2}?(?:e-?mails|mails|messages|notes|letters|drafts)\b|(?:,|\band|\0)\s+(?:one|another)(?:\s+(?:one|mail|e-?mail))?\s+to\s`,
  'iu',
)
/** Dictated words go on to the end, but for the copies that are named there. */
const late = (kind: string): RegExp =>
  new RegExp(
    String.raw`(?:[,;]\s*(?:and\s+)?|\s+(?:and\s+)?(?=${kind}:?\s+(?:to\s+)?${ADDRESSES}[.\s\0]*$))${kind}\b:?\s+(?:to\s+)?(${NAMES})[.\s\0]*$`,
    'u',
  )
const LATE_CC = late('[Cc]{2}')
const LATE_BCC = late('[Bb][Cc]{2}')
/**
 * A name may as well be a place in a sentence that is dictated, an address is none, but where the sentence itself says that
 * something is to go there.
 */
const LATE_TO = new RegExp(String.raw`[,;]?\s+to\s+(${ADDRESSES})[.\s]*$`, 'u')
const GOES_TO =
  /\b(?:send|sent|forward\w*|pass\w*|giv\w+|gave|mail\w*|e-?mail\w*|write|wrote|report\w*|repl(?:y|ies)|answer\w*|respond\w*|turn\w*|refer\w*|go(?:es)?|address\w*|complain\w*|talk\w*|speak\w*|pa(?:y|id))\b/i
const JOINTS = /\s*(?:,\s*and\b|,|&|\band\b)\s+(?:to\s+)?/gu

const QUOTED = new RegExp(String.raw`^${MASK}+(?=\s*(?:$|[\0.,;]|(?:and|with|to|cc|about)\b))`)
const QUOTE = String.raw`(?<quoted>${MASK}+)`
const SUBJECT = new RegExp(
  String.raw`(?:[,;]\s*)?(?:\b(?:and|with|under)\s+)*(?:\b(?:the|a|an)\s+)?\b(?:subject(?:\s+line)?|titled|entitled)(?:\s+(?:is|being))?:?\s+(?:${QUOTE}|(?!(?:of|for|and|or|to|is|was|with|from|about|that|in|line|matter)\b)(?<plain>[^;?!${MASK}\0\n]{1,78}?)(?=(?:,\s*|\s+)(?:and|saying|with|to|cc|that|telling|asking|in which|about)\b|,\s|[.;?!](?:\s|$)|\s*\0|\n|$))`,
  'isu',
)
/** Behind dictated words, of which “the subject is closed” may be a part. */
const LATE_SUBJECT = new RegExp(
  String.raw`(?:[,;]\s*(?:and\s+)?(?:with\s+)?|[.?!]\s+(?=subject(?:\s+line)?:?\s+[${MASK}])|\s(?:and|with)\s+)(?:the\s+|a\s+)?(?:subject(?:\s+line)?|titled|entitled):?\s+(?:${QUOTE}|(?<=[,;].{0,40})(?!(?:is|was|of|to|matter)\b)(?<plain>[^,;${MASK}\0\n]{1,78}?))[.\s]*$`,
  'isu',
)
/** “with the subject Offer: 20% off” */
const SUBJECT_SO_FAR = String.raw`\b(?:subject(?:\s+line)?|titled|entitled)\s+(?!(?:of|for|and|or|to|is|was|with|from|about|that|in|matter)\b)[^,;.?!${MASK}\0\n]{1,78}`
const SAYS = new RegExp(
  String.raw`(?:,\s*)?\b(?:(?:and\s+)?(?<asking>asking(?:\s+(?:him|her|them))?)|(?:and\s+)?saying|to\s+say|that\s+says|telling\s+(?:him|her|them|[\p{L}.]+(?=\s+that\b))|(?:and|to)\s+tell\s+(?:him|her|them)|(?:and\s+)?let\s+(?:him|her|them)\s+know|with\s+the\s+(?:text|words|message))\b(?:\s+that\b)?:?\s+|(?<!\b(?:b?cc|subject|line|titled|to)|${SUBJECT_SO_FAR}):\s+(?=\S)`,
  'isu',
)
/** “Write to Dara that we ship”, once Dara is taken. */
const THAT = /(?<=\0\s*)\bthat\s+(?!(?:is|was|has|contains|includes|lists|shows)\b)/i
const SAID_OF = String.raw`(?!.*(?:\b(?:is|are|was|were|has|have|had|will|would|can|could|must|should|may|we|you|i|they|he|she|it|please|rose|fell|grew)\b|!))`
/** What is to be found out, though it is asked for as if it were dictated: a question, or a figure of which nothing is said. */
const ASKED = new RegExp(
  String.raw`^(?:(?:how\s+(?:many|much)|what|which|who)\b|${SAID_OF}(?:the\s+(?:number|total|sum|average|revenue|results?|figures?|answer)\b|(?:(?:our|my|the)\s+)?(?:(?:(?:total|average|median|net|gross)\s+)?(?:revenue|sales|turnover|profits?|margins?|costs?)(?:\s+(?:in|of|for|since|by|per|from)\s+.*)?$|(?:number|sum|total|average|median|count|list)\s+(?:of\s+)?\p{L}|(?:top|last|first|best|worst|largest|smallest)\s+\d+\s+\p{L}|[^.:;]*\p{L}\s+(?:by|per)\s+(?:country|region|city|month|year|quarter|week|day|customer|product|supplier|employee|category|status|order)s?\b)))`,
  'isu',
)

/** What somebody has to find out, and is no mere heading. */
export const DEFINITE =
  /^(?:the|our|all|my|how|what|which|an? (?:list|summary|report|overview|table) of|last|this|top|number|total)\b/i
const HOLDING =
  /\b(?:about|with|including|mentioning|attaching|quoting|containing|listing|regarding|on|summari[sz]ing)\s+(?=(?:the|our|all|my|how|what|which|this|last|top)\b|an?\s)/i
const LINK = String.raw`(?:and|with|about|regarding|concerning|on|including|include|containing|listing|mentioning|mention|attaching|quoting|regarding|summari[sz]ing|that|which|contains|lists|then|also|please|now|to|for\s+(?:me|us)|him|her|them|me)`
const LEAD = new RegExp(String.raw`^(?:[\s,;:.]|\b${LINK}\b)+`, 'i')
const TAIL = /(?:[\s,;:.?!]|\b(?:and|with|about|please|to|the)\b)+$/i
/** The verb, and the thing that is to be made where nothing is said of it yet. */
const MADE = new RegExp(
  String.raw`^[^\s\0]+(?:\s+(?:me|us))?(?:\s+(?:an?|one|another|the|this|that)\s+(?:(?!(?:list|summary|report|overview|table)\s+of\b)[\w-]+\s+){0,3}?${NOUN}\b)?(?:\s+to\s+the\s+(?:[\w-]+\s+){0,3}?${NOUN}\b(?:\s+from\s+(?:${NAME}))?)?`,
  'iu',
)

/** What stands where a part was taken out. */
const GAP = '\u0000'

/** A clause that is read part by part. Positions stay what they are. */
class Reading {
  /** Quoted text and addresses are masked; what was taken is gone for all readers after. */
  #left: string
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    this.#left = maskForeign(text)
  }

  find(pattern: RegExp, start = 0, end = this.#text.length): RegExpExecArray | undefined {
    const found = pattern.exec(this.#left.slice(start, end))
    if (found !== null) found.index += start
    return found ?? undefined
  }

  read(start: number, length: number): string {
    return this.#text.slice(start, start + length)
  }

  take(start: number, length: number): string {
    this.#left = this.#left.slice(0, start) + GAP.repeat(length) + this.#left.slice(start + length)
    return this.read(start, length)
  }

  /** What nobody took. */
  pieces(): string[] {
    const spans = [...this.#left.matchAll(/[^\0]+/g)]
    return spans.map(({ index, 0: span }) => this.#text.slice(index, index + span.length))
  }
}

/** Takes a request for a mail apart. @param clause begins with its verb: “Draft a mail to support saying that …” */
export function letterIn(clause: string): Letter {
  const reading = new Reading(clause)
  const says = reading.find(SAYS)
  const several = reading.find(SEVERAL)
  // What is dictated may speak of another one; a colon behind “two mails” dictates nothing.
  const isSeveral = several !== undefined && (says === undefined || several.index <= says.index)
  const told = Math.min(says?.index ?? clause.length, reading.find(/\bthat\b/i)?.index ?? clause.length)
  for (const unsent of [reading.find(LATE_NOT_SENT), reading.find(NOT_SENT, 0, told)]) {
    if (unsent !== undefined) reading.take(unsent.index, unsent[0].length)
  }
  const from = says === undefined ? 0 : says.index + says[0].length
  const isQuote = says !== undefined && /["“«„'‘]/.test(reading.read(from, 1))
  const quoted = isQuote ? reading.find(QUOTED, from) : undefined
  if (quoted !== undefined) reading.take(says!.index, says![0].length)
  let said = quoted === undefined ? undefined : reading.take(quoted.index, quoted[0].length)

  // What is dictated without quotation marks goes on to the end, but for a subject and copies behind it.
  const end = quoted === undefined ? (says?.index ?? clause.length) : clause.length
  let subject = takeSubject(reading, SUBJECT, 0, end)
  const cc = takeAll(reading, CC, 0, end)
  const bcc = takeAll(reading, BCC, 0, end)
  const to: string[] = []
  for (const pattern of RECIPIENTS) if (to.length === 0) to.push(...takeNames(reading, pattern, 0, end))
  to.push(...takeAll(reading, FURTHER, 0, end))
  const dictated = quoted === undefined ? (reading.find(THAT, 0, end) ?? says) : undefined
  if (dictated !== undefined) {
    const start = dictated.index + dictated[0].length
    subject ??= takeSubject(reading, LATE_SUBJECT, start)
    for (let size = -1; size < cc.length + bcc.length;) {
      size = cc.length + bcc.length
      cc.push(...takeNames(reading, LATE_CC, start))
      bcc.push(...takeNames(reading, LATE_BCC, start))
    }
    if (to.length === 0 && reading.find(GOES_TO, start) === undefined) to.push(...takeNames(reading, LATE_TO, start))
    const words = reading.find(/[^\0]+/, start)
    reading.take(dictated.index, dictated[0].length)
    said = words?.index === start ? reading.take(start, words[0].length).trim() : undefined
  }

  const made = reading.find(MADE)?.[0].length ?? 0
  reading.take(0, made)
  const isAsked = said !== undefined && ASKED.test(said)
  const pieces = reading.pieces()
  const parts = [...pieces.flatMap(withoutManner), ...(isAsked ? [said!] : [])]
    .map((part) => ({ lead: LEAD.exec(part)?.[0] ?? '', text: part.replace(LEAD, '').replace(TAIL, '') }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  const isTopic = ({ lead, text }: (typeof parts)[number]): boolean =>
    /\b(?:about|regarding|concerning|on)\s+$/i.test(lead) && !DEFINITE.test(text)
  const isAsking = (dictated ?? says)?.groups?.['asking'] !== undefined
  return {
    to: [...new Set(to)],
    cc: [...new Set(cc)],
    bcc: [...new Set(bcc)],
    ...(subject === undefined ? {} : { subject }),
    ...(said === undefined || isAsked ? {} : { said: sentence(isAsking ? `I would like to ask ${said}` : said) }),
    topics: parts.filter(isTopic).map(({ text }) => text),
    contents: parts.filter((part) => !isTopic(part)).map(({ text }) => text),
    isSeveral,
    rest: [clause.slice(0, made), ...pieces].join(' '),
  }
}

/** “in German with the number of customers” is two things; “what it says about the prices” is one. */
function withoutManner(piece: string): string[] {
  const text = piece.replace(LEAD, '')
  const inner = DEFINITE.test(text) ? null : HOLDING.exec(text)
  if (inner === null || inner.index === 0) return [piece]
  return [text.slice(0, inner.index), text.slice(inner.index)]
}

/** The subject that mails have, or are to have, in a text of any kind. */
export function subjectIn(text: string): string | undefined {
  return takeSubject(new Reading(text), SUBJECT, 0)
}

function takeSubject(reading: Reading, pattern: RegExp, start: number, end?: number): string | undefined {
  const found = reading.find(pattern, start, end)
  if (found === undefined) return undefined
  const { quoted, plain = '' } = found.groups!
  const text = reading.take(found.index, found[0].length)
  const at = found[0].lastIndexOf(quoted ?? plain)
  return quoted === undefined ? text.slice(at).trim() : text.slice(at + 1, at + quoted.length - 1).trim()
}

/** Takes a list of people whole, where it names anybody. */
function takeNames(reading: Reading, pattern: RegExp, start: number, end?: number): string[] {
  const found = reading.find(pattern, start, end)
  if (found === undefined) return []
  const list = found[1]!
  const at = found.index + found[0].lastIndexOf(list)
  const text = reading.read(at, list.length)
  const joints = [...list.matchAll(JOINTS)]
  const ends = [...joints.map(({ index }) => index), list.length]
  const starts = [0, ...joints.map(({ index, 0: joint }) => index + joint.length)]
  const names = starts.flatMap((from, i) => cleanName(text.slice(from, ends[i])) ?? [])
  if (names.length > 0) reading.take(found.index, found[0].length)
  return names
}

function takeAll(reading: Reading, pattern: RegExp, start: number, end: number): string[] {
  const names = takeNames(reading, pattern, start, end)
  return names.length === 0 ? [] : [...names, ...takeAll(reading, pattern, start, end)]
}

/** Words that name nobody in particular. */
const NOBODY =
  /^(?:the|my|our|a|an|any|all|it|them|him|her|me|us|you|mails?|e-?mails?|messages?|customers?|suppliers?|people|anyone|everyone|someone|anybody|inbox|mailbox|last|latest|newest|answer|reply|read|open|show|summari[sz]e|find|now|today|thanks)$/i

/** A name as it is looked up; undefined where nobody in particular is meant. */
export function cleanName(text: string): string | undefined {
  if (/^["“].+["”]$/s.test(text)) return text.slice(1, -1).trim()
  const words = text
    .replace(/(?<=\S)\s+(?:the|an?)\s.*$/i, '')
    .replaceAll(/["“”]/g, '')
    .replace(/['’]s?$/, '')
    .trim()
    .split(/\s+/)
  if (/^(?:me|myself)$/i.test(words.join(' '))) return 'me'
  while (words.length > 0 && NOBODY.test(words[0]!)) words.shift()
  while (words.length > 0 && NOBODY.test(words.at(-1)!)) words.pop()
  const name = words.join(' ').replace(/[.,]+$/, '')
  return name === '' ? undefined : name
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/^["'“„«‘](.*)["'”“»’]$/s, '$1')
  const capital = trimmed.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}
