import { MASK } from './mask.ts'

/** How a request of its own begins in English: with a verb that asks for something, or as a question. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Verbs that are hardly ever nouns. */
const VERBS = words(`
  search find look check get fetch retrieve show display give tell calculate compute compare analyse analyze summarise
  summarize explain describe write create make generate build draw visualise visualize run execute send respond forward
  notify inform remind add save convert translate sort extract read verify validate work figure determine identify pull
  collect gather combine merge say suggest recommend browse google download apply take do put prepare predict simulate
  list draft count plot estimate calc email e-mail assess evaluate investigate outline rewrite tabulate cross-check
  attach deliver share highlight point help derive solve model crunch scan pick choose select keep remove delete let multiply divide subtract`)

/** Verbs that are nouns as often; they count where an object follows. */
const NOUN_VERBS = words(`
  report project forecast chart graph mail total sum rank group filter export query test call post review research
  answer name message schedule update quote use reply return note order print present turn ask open`)

const OBJECTS = words(`
  a an the my our your his her their its it them that this these those me us him all each every any both how what which
  who whether if to everything everyone`)

const PREPOSITIONS = words('for about in of from on with by at into than as is are was were has have and or')
const QUESTION_WORDS = words('what how which who whom whose when where why')
const AUXILIARIES = words('is are was were do does did has have had can could will would should may must might shall')
const SUBJECTS = words(`
  there it they we you i he she the a an any our my your this that these those all some each every anyone anything both`)

/** Words of courtesy before a request. */
export const COURTESY =
  /^(?:(?:please|kindly|now|also|so|but|hi|hello|hey|ok|okay)\b[\s,!]*|(?:can|could|would|will) you(?: please)?\s+|i(?:'d| would)? (?:want|need|like)(?: you)? to\s+|i would like (?:you )?to\s+|i(?:'d| would) like (?:you )?to\s+|let(?:'s| us)\s+|help me(?: to)?\s+|you should\s+|go and\s+)+/i

/** A phrase before the request itself: “Using that, compute …”, “Once you have it, mail it”. */
const FRONTED =
  /^(?:using|based on|with|given|from|once|after|when|if|before|because|since|while|for|in|on|according to|as soon as|by)\b[^,]*,\s*/i

/** A clause without what stands before the request. */
export function requestOf(clause: string): string {
  const polite = clause.replace(COURTESY, '')
  return polite.replace(FRONTED, '').replace(COURTESY, '')
}

/** The first word of the request, lower-cased; the verb when it is an order. */
export function leadOf(clause: string): string {
  return wordsOf(requestOf(clause))[0] ?? ''
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
}

/** A question word behind its preposition: “at what temperature”, “by when must it be paid”. */
const FRONTED_QUESTION = new RegExp(
  String.raw`^(?:at|by|for|from|in|of|on|since|to|until|till|with|within|under|through|about) (?:(?:what|which|whom|whose|how (?:many|much|long|often)) \p{L}+ \p{L}|(?:when|where|whom|what|how long) (?:${[...AUXILIARIES].join('|')}) \p{L})`,
  'iu',
)
/** A call that is written out: “echo message=hello”, “call stock_level”. */
const WRITTEN_CALL =
  /^(?:(?:call|use|run|invoke|execute)\s+)?(?:[\p{L}\p{N}][\p{L}\p{N}_.:/-]*\s+(?:[\p{L}\p{N}_-]+\s+)?[\p{L}_][\w-]*=\S|[\p{L}\p{N}]+(?:[_:/][\p{L}\p{N}]+)+(?![\p{L}\p{N}=]))/iu
const PASSIVE_QUESTION = /^(?:can|could|may|must|should|will|would) (?!be\b)(?:[\p{L}-]+ ){1,3}be \p{L}{3}/iu

/** Whether what follows a joint is a request or question of its own, rather than one more thing in a list. */
export function startsClause(rest: string): boolean {
  // “…, and within how many days must it be paid?”, “… and can old products be returned?”
  const polite = rest.replace(COURTESY, '')
  if (FRONTED_QUESTION.test(polite) || PASSIVE_QUESTION.test(polite) || isWrittenCall(polite)) return true
  if (CHANGING_THIS.test(polite) || MOVING_THIS.test(polite)) return true
  const isPolite = polite !== rest && !/^(?:so|but|now|also)\b/i.test(rest)
  const [first = '', second = '', third = ''] = wordsOf(polite.replaceAll(/(?<=\w)['’](?:s|re)\b/g, ' is'))
  // “…, then compare”, “… and read notes.txt”
  if (second === '' && polite.includes(MASK)) return VERBS.has(first)
  if (second === '') return /^(?:compare|calculate|compute|plot|summari[sz]e|report)$/.test(first)
  if (QUESTION_WORDS.has(first)) return third !== ''
  if (AUXILIARIES.has(first)) return SUBJECTS.has(second) && third !== ''
  if (VERBS.has(first)) return !/^(?:is|are|was|were|and|or|of)$/.test(second)
  if (NOUN_VERBS.has(first)) return OBJECTS.has(second) || (isPolite && !PREPOSITIONS.has(second)) || isName(polite)
  return isPolite && /^(?:i|we)$/.test(first)
}

/** A name with a sign in it alone is as often a thing: only behind a word that calls it is it a call. */
export function isWrittenCall(text: string): boolean {
  const [said] = WRITTEN_CALL.exec(text) ?? []
  return said !== undefined && (said.includes('=') || /^(?:call|use|run|invoke|execute)\s/i.test(said))
}

/** “email Anna the figures”: a capital after the verb. */
function isName(rest: string): boolean {
  return /^\S+\s+\p{Lu}\p{Ll}/u.test(rest)
}

/** Whether it is a request that is no question: “list the suppliers”, not “do I need one”. */
export function isOrder(text: string): boolean {
  const lead = leadOf(text)
  return startsClause(text) && !QUESTION_WORDS.has(lead) && !AUXILIARIES.has(lead)
}

export function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word)
}

/** Verbs by which a reader is told something; what they ask for is found, not done. */
const READING = new Set(
  `search find look check get fetch retrieve list show display give tell read summarise summarize count identify open
  what how which who whom whose when where why is are was were do does did has have had can could explain describe
  browse compare figure determine see any pull collect gather scan review extract`.split(/\s+/),
)

/** Whether it asks for something to be done, as “draft” and “send” do, and not to be found. */
export function asksToAct(clause: string): boolean {
  const lead = leadOf(clause)
  return lead !== '' && !READING.has(lead)
}

/** Verbs by which data are changed. */
const CHANGING = words(
  'delete remove drop insert update add create change set truncate alter rename modify erase replace grant',
)
/** Verbs that are names of things as often: “cancel dates of orders”. */
const CHANGING_THIS =
  /^(?:cancel|mark|close|reopen|approve|book|pay|refund|ship|reset|wipe|purge|overwrite|clear|assign|merge|increase|raise|lower|reduce) (?:the|all|every|each|these|those|this|that|our|my|your|any|it|them|[\p{L}-]+ (?:no\.? ?|number )?#?\d+)\b/iu

/** Nouns as often, and nothing that a reader is asked for: they begin a clause where it is said what is meant. */
const MOVING_THIS = new RegExp(CHANGING_THIS.source.replace('cancel', 'update|move|transfer|rename|restore'), 'iu')

/** Words of change that ask to be told something: “update me on …”, “set out what …”. */
const TELLING =
  /^(?:update (?:me|us)|set (?:out|forth)|create (?:a|an|the)(?: (?:short|brief|quick))? (?:summary|overview|outline|timeline|comparison))\b/i
/** A heading before what is asked: “Change management: …”. */
const HEADING = /^(?:change|grant|set|update) [\p{L}-]+(?: [\p{L}-]+)?:/iu

/** The verb by which data are to be changed; whoever only reads refuses it. */
export function changeIn(text: string): string | undefined {
  const request = requestOf(text).replace(/^(?:(?:please|can|could|would|you|i|want|to|now|then|go|and)\s+)+/i, '')
  const verb = wordsOf(request)[0] ?? ''
  return !TELLING.test(request) && (CHANGING.has(verb) || CHANGING_THIS.test(request)) ? verb : undefined
}

/** The verb of an order to change something; “Can I cancel it?” asks what is written of it, and is none. */
export function changeOrderedIn(text: string): string | undefined {
  const isAsked = text.includes('?') && !/^\W*(?:please\s+)?(?:can|could|would|will) you\b/i.test(text)
  const isWhether = /^\W*(?:can|could|may|might|must|shall|should|would|will|am|are) (?:i|we)\b/i.test(text)
  return isAsked || isWhether || HEADING.test(text.trim()) ? undefined : changeIn(text)
}
