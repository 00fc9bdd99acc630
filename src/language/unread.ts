import { isDay, isoDay } from './days.ts'
import { endsAt, isReversed } from './ranges.ts'
import { COUNT, MONTH, monthIndex, spanAtStart, UNITS, WEEKDAY_NAMES, YEAR } from './spans.ts'

/** Words that speak of a time without saying which days. */
export interface Unread {
  readonly said: string
  /** The same without its preposition. */
  readonly time: string
  readonly start: number
  readonly end: number
  /** A sentence for whoever asked. */
  readonly reason: string
}

/** Longer phrases are none. */
const LONGEST = 120

export function wordsAt(text: string, at: number): string {
  return text.slice(at, at + LONGEST).replaceAll(/\s/g, ' ')
}

const END = String.raw`(?![\p{L}\p{N}])`
const LEAD = String.raw`(?:(?:in|at|from|on|of|since|until|till|by|before|after|during|for|over|within|between|throughout|the) ){0,3}`
const TIMED = String.raw`(?:in|at|from|on|since|until|till|by|before|after|during|between|throughout) (?:the )?`

const FISCAL = phrase(
  String.raw`(?:the )?(?:(?:q[1-4]|h[12]|(?:first|second|third|fourth|last) (?:quarter|half)) (?:of )?)?(?:the )?(?:(?:last|this|next|current|previous|prior|past|our)(?: \w+)? )?(?:(?:fiscal|financial|accounting|tax|business) (?:year|quarter|half(?:[- ]year)?|month|period)s?(?: (?:of )?(?:19|20)\d\d)?(?:\/\d\d)?|fy ?'?\d\d(?:\d\d)?(?:\/\d\d)?|fiscal (?:19|20)\d\d)`,
)

const MANY = String.raw`(?:${COUNT}|an?|one|half an?|(?:a )?few|several|some|many|(?:a )?couple(?: of)?)`
const SEASON = '(?:spring|summer|autumn|fall|winter)'
const NEAR = '(?:last|past|previous|this|current|next|coming)'
const ENDING = String.raw`(?:${UNITS}|hour|minute|weekend|decade)`

/** Times that are no days, whatever today is. */
const UNCOUNTED: readonly RegExp[] = [
  phrase(String.raw`(?:about |around )?${MANY} (?:${ENDING})s? (?:ago|back|earlier)`),
  phrase(String.raw`(?:${UNITS}) before last`),
  phrase(String.raw`(?:${NEAR}|recent|final) (?:few|several|some|many|couple of) (?:${ENDING})s`),
  phrase(String.raw`recent (?:${ENDING})s`),
  phrase(String.raw`${NEAR} (?:${COUNT} )?(?:hours?|minutes?|decades?|century|nights?|weekends?|mornings?|evenings?)`),
  phrase(String.raw`(?:19|20)\d0'?s`),
  phrase(String.raw`(?:(?:${NEAR}|early|late|mid) ${SEASON}(?: (?:of )?${YEAR})?|${SEASON} (?:of )?${YEAR})`),
  phrase(String.raw`${NEAR} (?:christmas|easter|new year(?:'s(?: eve| day)?)?)`),
  new RegExp(String.raw`^${TIMED}(?:${SEASON}|christmas|easter|weekend)${END}`, 'iu'),
  // Such a weekday may be any; “since Monday” and “last Monday” are clear.
  new RegExp(
    String.raw`^(?:(?:on|from) (?:(?:this|next|coming) )?|(?:this|next|coming|every|each) )(?:${WEEKDAY_NAMES.join('|')})s?(?!['’]s)(?! ?\p{Lu})${END}`,
    'iu',
  ),
  new RegExp(String.raw`^${TIMED}(?:the year )?(?:1[0-8]\d\d|2[1-9]\d\d)(?=[?.!,;]|$)`, 'iu'),
  phrase(String.raw`(?:q\d|h\d|(?:calendar )?week \d{1,2}) (?:of )?${YEAR}`),
]

/** Before a time, these leave open which part of it is meant. */
const VAGUE = new RegExp(
  String.raw`^${LEAD}(?:early|late|mid|around|circa|roughly|(?:beginning|start|middle|end) of(?: the)?|(?:first|last|second|third|fourth|final)(?: ${COUNT})? (?:days?|weeks?|weekend|months?|quarters?|half) (?:of|in)(?: the)?)[ -]`,
  'iu',
)

const DAY_IN_MONTH = new RegExp(
  String.raw`^${LEAD}(?:(?<day>\d{1,2})(?<nth>st|nd|rd|th)?(?: of)? ${MONTH}|${MONTH.replace('<month>', '<name>')} (?<after>\d{1,2})(?:st|nd|rd|th)?(?!\d))(?:,? (?:of )?(?<year>${YEAR}))?${END}`,
  'iu',
)
const ISO = new RegExp(String.raw`^${LEAD}(?<day>\d{4}-\d{2}-\d{2})${END}`, 'iu')
/** “On 5 and 9 March”, “from 9 to 5 March”. */
const TWO_DAYS = phrase(
  String.raw`\d{1,2}(?:st|nd|rd|th)?(?:,| and| or| to| until|-|–) ?\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?: ${YEAR})?`,
)
const NUMERIC = new RegExp(
  String.raw`^(?:${LEAD}(?:\d{1,2}([./])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d[./]\d{1,2}[./]\d{1,2}|(?:0?[1-9]|1[0-2])\/(?:19|20)\d\d|(?:19|20)\d\d\/(?:\d\d|(?:19|20)\d\d))|${TIMED}\d{1,2}([./-])\d{1,2}\2(?:\d\d){1,2})${END}`,
  'iu',
)
/** “The March mails”: a month beside what it limits, which may as well be a name or a topic. */
const MONTHLY =
  /^(?:January|February|March|April|June|July|August|September|October|November|December)(?= \p{Ll}+s(?![\p{L}\p{N}]))/u
const TOPIC = /\b(?:about|regarding|concerning|on|of|mention\w*|for|from|to|by|with) (?:the |our |my )?$/i

/** What a sentence about the time itself begins without. */
const OPENING = /^(?:(?:in|of|for|at|on|from|over|since|during|throughout|within|the) )+(?!.* (?:to|until|till) )/i

const OPEN = (said: string): string =>
  `I cannot tell which days “${said}” means. Name a day, month, quarter or year, as in “in March 2025”.`

/** Whether a text begins with a fiscal period, which is another stretch of days in each company. */
export function isFiscal(words: string): boolean {
  return FISCAL.test(words)
}

/** What speaks of a time at this place of a text and is no stretch of days; only for places where no period was read. */
export function unreadAt(text: string, at: number, today: string): Unread | undefined {
  const words = wordsAt(text, at)
  const found = (length: number, reason: (said: string) => string): Unread => {
    const said = words.slice(0, length).trim()
    const time = said.replace(OPENING, '')
    return { said, time, start: at, end: at + length, reason: reason(time) }
  }
  const fiscal = FISCAL.exec(words)
  if (fiscal !== null) {
    return found(fiscal[0].length, (said) => {
      return `“${said}” depends on when your fiscal year begins. Name its days, as in “from 2025-04-01 to 2026-03-31”.`
    })
  }
  const ends = endsAt(words, today)
  if (isReversed(ends)) {
    return found(ends.length, (said) => `“${said}” ends before it begins.`)
  }
  const noDay = noDayAt(words)
  if (noDay !== undefined) return found(noDay, (said) => `There is no such day: “${said}”.`)
  const numeric = NUMERIC.exec(words)
  if (numeric !== null) {
    return found(numeric[0].length, (said) => `“${said}” can be read in several ways. Write days as in 2025-03-31.`)
  }
  const vague = VAGUE.exec(words)?.[0].length ?? 0
  const span = vague === 0 ? undefined : spanAtStart(words.slice(vague), today)
  if (span !== undefined && (span.bare !== 'year' || !/\b(?:around|circa|roughly)/i.test(words.slice(0, vague)))) {
    return found(vague + span.length, OPEN)
  }
  const month = TOPIC.test(text.slice(Math.max(0, at - 20), at)) ? null : MONTHLY.exec(words)
  if (month !== null) {
    return found(month[0].length, (said) => `“${said}” of which year? Please add it, as in “in ${said} 2025”.`)
  }
  const open = [...UNCOUNTED, TWO_DAYS].map((pattern) => pattern.exec(words)?.[0].length)
  const length = open.find((one) => one !== undefined)
  return length === undefined ? undefined : found(length, OPEN)
}

/** “Last week of March”, “last year and a half”: a period that what follows makes another one. */
export function goesOn(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  today: string,
): Unread | undefined {
  const rest = wordsAt(text, end)
  const half = /^ and a half(?: (?:day|week|month|quarter|year)s?)?(?![\p{L}\p{N}])/iu.exec(rest)?.[0].length
  const joint = /^ (?:of|in) (?:the )?/i.exec(rest)?.[0]
  const span = joint === undefined ? undefined : spanAtStart(rest.slice(joint.length), today)
  const length = half ?? (span === undefined ? undefined : joint!.length + span.length)
  if (length === undefined) return undefined
  const said = text.slice(start, end + length)
  const time = said.replace(OPENING, '')
  return { said, time, start, end: end + length, reason: OPEN(time) }
}

/** The length of a day that no calendar has. */
function noDayAt(words: string): number | undefined {
  const iso = ISO.exec(words)
  if (iso !== null) return isDay(iso.groups!['day']) ? undefined : iso[0].length
  const match = DAY_IN_MONTH.exec(words)
  const { day, nth, month, name, after, year } = match?.groups ?? {}
  if (match === null) return undefined
  const number = Number(day ?? after)
  // “The top 50 March orders” speaks of no day.
  if (number > 31 && nth === undefined) return undefined
  // Without a year, one that has a 29th of February.
  const text = isoDay(Number(year ?? 2024), monthIndex((month ?? name)!), number)
  return Number(text.slice(8)) === number && number > 0 ? undefined : match[0].length
}

function phrase(pattern: string): RegExp {
  return new RegExp(String.raw`^${LEAD}(?:${pattern})${END}`, 'iu')
}
