import { ASKING_WORDS } from '../../../language/asking-words.ts'
import { spelledNumbers } from '../../../language/numbers.ts'
import { writtenWords } from '../../../knowledge/search/analysis.ts'
import { sentencesOf } from '../../../language/figures/sentences.ts'
import { ENGLISH, type Words } from '../../../knowledge/search/languages.ts'
import { askedOf, standsIn } from './asked-of.ts'
import { isTurnedRound } from './directions.ts'
import { isMeasured, toldByUnit, withoutPeriod } from './measured.ts'
import { holderOf } from './held-by.ts'
import { isElsewhere, isOfOther, numberedIn } from './of-other.ts'
import { ASKING_IN, isRightKindElsewhere } from './other-languages.ts'

/**
 * Without a model, a quotation must hold this much of the question to be an answer. Measured by
 * `test/documents/evidence.test.ts` on questions that the documents answer and on such that they do not.
 */
export const ENOUGH_EVIDENCE = 0.62

/** What is left of a sentence that names a role without saying who holds it, or gives a figure that measures something else. */
const OF_NOTHING = 0.3

/** What is left of the evidence where it is not the kind of thing that was asked for, or of somebody else. */
const WRONG_KIND = 0.6
const OF_ANOTHER = 0.6

/** With this much a passage speaks of what was asked, though it does not answer it, and be it of the wrong kind. */
export const SOME_EVIDENCE = (ENOUGH_EVIDENCE / 2) * WRONG_KIND

/** How much a term of the question counts for the evidence, by where it was found. */
const IN_HEADING = 0.9
const IN_PASSAGE = 0.6
const IN_DOCUMENT = 0.4

/** Words that say how something is asked, rather than what, beside those of all questions: those of questions to documents. */
const ASKING =
  `${ASKING_WORDS.join(' ')} say states mention documents describe must may might shall gets got happens make take used ` +
  'works know like way kind thing explain name long high large big old often far soon much many allowed possible exists ' +
  'means within one several anything something someone anyone'
/** What a question asks about. */
export interface Wanted {
  readonly question: string
  /** Of its language. */
  readonly words: Words
  /** Its terms with their shares: all words of a name together count as one, and words by which one asks not at all. */
  readonly terms: ReadonlyMap<string, number>
  /** Terms of each name in it, and of single words that are the name of a document. */
  readonly names: readonly (readonly string[])[]
  /** Where it asks who holds a role: whether a text says so. */
  readonly saysHolder?: ((text: string) => boolean) | undefined
}

/** @param titles terms of the names of the documents that were found */
export function wantedOf(question: string, titles: ReadonlySet<string>, words: Words = ENGLISH): Wanted {
  const { language } = words
  const asking = new Set(words.terms(language === undefined ? ASKING : ASKING_IN[language]))
  const found = words
    .terms(withoutPeriod(question).replace(WHAT_TIME, ' ').replace(MEASURED, ' '))
    .filter((term) => !asking.has(term))
  const terms = new Map<string, number>(found.map((term) => [term, 1]))
  const names = found.flatMap((term) => (titles.has(term) ? [[term]] : []))
  for (const [name] of question.matchAll(NAME)) {
    const parts = words.terms(name).filter((term) => terms.has(term))
    for (const part of parts) terms.set(part, 1 / parts.length)
    if (parts.length > 1) names.push(parts)
  }
  for (const { thing, number } of numberedIn(question)) {
    const parts = words.terms(`${thing} ${number}`).filter((term) => terms.has(term))
    if (parts.length > 1) names.push(parts)
  }
  return { question, words, terms, names, saysHolder: holderOf(question) }
}

/** Words that are written large, one behind the other. */
const NAME = /\p{Lu}[\p{L}\p{N}’'-]*(?:\s+\p{Lu}[\p{L}\p{N}’'-]*)+/gu

const NUMBER =
  /\d|\b(?:no|none|never|nobody|nothing|free|once|twice|half|both|all|every|each|dozen|hundred|thousand|million|unlimited)\b/iu
const TIME =
  /\d|\b(?:when|whenever|while|once|after|before|until|till|by|within|during|as soon as|if|on|upon|always|never|daily|weekly|monthly|yearly|annually|today|tomorrow|yesterday|immediately|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|morning|evening|night|noon)\b/iu
/** Written large within a sentence or twice in a row, or a word for people. Cases are told apart: written large is what makes a name. */
const SOMEBODY =
  /[^.!?\s]\s+\p{Lu}\p{Ll}|^\W*\p{Lu}\p{Ll}+\s+\p{Lu}|\b(?:\p{L}{2,}(?:er|or|ist|ant|ent|ee|ian|man|woman|people)s?|[Tt]eam|[Ss]taff|[Dd]epartment|[Hh]ead|[Pp]art(?:y|ies)|[Cc]ourt|[Bb]oard|(?:[Ee]very|[Nn]o|[Aa]ny)(?:body|one)|[Yy]ou|[Ww]e|I)\b/u
/** Days, months and other words that only look like somebody. */
const NOBODY =
  /\b(?:\p{L}+days?|january|february|march|april|june|july|august|(?:sept|nov|dec)ember|october|\p{L}+ment|after|over|under|(?:an)?other|rather|number|order|paper|water|n?ever|n?either|whether|however|(?:be)?fore|later|after|per|her|summer|winter|letter|offer|matter|filter|container|list|exist|(?:per)?cent|recent|different|current|present|important|want|three|free|fee|see|agree|coffee|guarantee|degree|art|part)s?\b/giu

/** A point in the past is one: a number that could be anything, or a condition, is none. */
const POINT_IN_TIME =
  /\b(?:in|on|at|by|since|until|before|after|from|around|about|between|version)\s(?:the\s)?\d|\bv\d|\d[:./-]\d|\b\d{4}\b|\b(?:ago|yesterday|today|centur(?:y|ies)|\p{L}{3,}days?|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b/iu
/** “May be”: no month. */
const ALLOWED = /\bmay\b/g

/** What is told by the unit of the answer. */
const MEASURED = /\b(?:how (?:heavy|tall|deep|wide|thick|warm|hot|cold|fast|expensive)|(?:what|which) percentage)\b/gi
const WHAT_TIME = /\b(?:at|by|from|until)\s+what\s+time\b/i

/** Questions by the kind of thing that answers them, and how such a thing looks. */
const KINDS: readonly (readonly [asked: RegExp, holds: RegExp])[] = [
  [/\bhow\s+(?:many|much|long|high|large|big|old|far|often|tall|deep|wide|heavy)\b/i, NUMBER],
  [/\b(?:what|which)\s+(?:percentage|share|price|number|amount|year|date|temperature)\b/i, /\d/],
  [/\bwhat\b.*\bcosts?\b/i, /\d/],
  [WHAT_TIME, /\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s*(?:am|pm|a\.m|p\.m|o['’]clock|h|uhr)\b|\b(?:noon|midnight)\b/i],
  [/(?:^|[,;]|\band)\s*when\s+(?:did|was|were)\b(?!.*,)/i, POINT_IN_TIME],
  [/(?:^|[,;]|\band)\s*(?:(?:since|until|by|from)\s+)?when\b(?!.*,)/i, TIME],
  [/(?:^|[,;]|\band)\s*(?:(?:to|with|by|from|for)\s+)?who(?:m|se)?\b/i, SOMEBODY],
  [
    /\b(?:which|who|what)\b.*\b(?:most|fewest|least|highest|lowest|largest|biggest|greatest|smallest|longest|shortest|oldest|youngest|cheapest)\b/i,
    /\b(?:most|fewest|least|highest|lowest|largest|biggest|greatest|smallest|longest|shortest|oldest|youngest|cheapest|top|best|first|main|record|limit(?:ed|s)?|max(?:imum)?|min(?:imum)?|up to|no (?:more|less|longer)|(?:more|less) than any)\b/i,
  ],
]

const NAMED = /(?<=\s)\p{Lu}[\p{L}\p{N}’'-]*/gu
const IN_PLACE = /\b(?:in|near)\s+(?:the\s+)?\p{Lu}[\p{L}’'-]*/gu
const IS_WHO = /\bwho(?:\s+(?:is|are|was|were))\s+\p{Lu}/u

/** Without what only looks like somebody, such as a place, and without whom the question names itself: it asks for another. */
function withoutNobody(text: string, question: string): string {
  const bare = text.replace(NOBODY, ' ').replace(IN_PLACE, ' ')
  if (IS_WHO.test(question)) return bare
  const named = [...question.matchAll(NAMED)].map(([name]) => name)
  return named.reduce((rest, name) => rest.replaceAll(name, ' '), bare)
}

/** People who did something are asked for by their names: that such people exist names nobody. */
const WHICH_PEOPLE =
  /\bwhich (?:[\p{L}-]+ )?(?<who>passengers?|customers?|employees?|members?|suppliers?|clients?|guests?|patients?|students?|managers?|drivers?|workers?|tenants?|partners?|people|persons?) (?:(?:have|has|had|were|was) )?(?:\p{L}+ed|paid|bought|sold|flew|left|came|went|made)\b/iu

function namesPeople(question: string, text: string): boolean {
  const who = WHICH_PEOPLE.exec(question)?.groups?.['who']?.replace(/s$/i, '')
  return (
    who === undefined || SOMEBODY.test(text.replaceAll(new RegExp(`\\b${who}s?\\b`, 'gi'), ' ').replace(NOBODY, ' '))
  )
}

/** Whether a number, a time or somebody is asked for, which one sentence can be the whole answer to. */
export function asksForKind({ question, words }: Wanted): boolean {
  return words.language === undefined && KINDS.some(([asked]) => asked.test(question))
}

const COUNTS =
  /\bhow many (?!times?\b)(?<things>(?:(?!(?:is|are|was|were|do|does|did|can|may|must|will|has|have|had|of|in|on|at|per)\b)[\p{L}-]+ ?){1,3})/iu
/** “214 old silver coins”, “the coins that were found are 214”: as far as a number may stand from what it counts. */
const BEFORE = 3
const BEHIND = 6
const SAID_NUMBER = /\d|^(?:no|none|nobody|both|half|dozen|hundred|thousand|million|unlimited)$/i
const EQUALS = /^(?:is|are|was|were|be|numbers?|numbered|total(?:s|led)?|reach(?:es|ed)?|exceed(?:s|ed)?)$/i

/** Whether a number counts what is to be counted, and nothing beside it; in a table it stands below it, without a unit. */
function isCounted(question: string, text: string, words: Words): boolean {
  const things = new Set(words.terms(COUNTS.exec(question)?.groups?.['things'] ?? ''))
  const written = writtenWords(text)
  const placed = words.placed(text)
  if (things.size === 0) return true
  if (text.includes('|')) return isCountedBelow(things, text, words)
  if (written.length !== placed.length) return true
  const numbers = written.flatMap((word, at) => (SAID_NUMBER.test(word) || spelledNumbers(word).length > 0 ? [at] : []))
  const told = new Set(behindColons(text))
  return placed.some((term, at) => {
    if (term === undefined || !things.has(term)) return false
    return numbers.some((n) => {
      if (n < at) return at - n <= BEFORE
      const isTold = told.has(n) || written.slice(at + 1, n).some((word) => EQUALS.test(word))
      return n - at === 1 || (n - at <= BEHIND && isTold)
    })
  })
}

/** Places of the words right behind a colon: “Policies in force: 12”. */
function behindColons(text: string): number[] {
  let count = 0
  return text.split(/[:=]/).map((part) => (count += writtenWords(part).length))
}

function isCountedBelow(things: ReadonlySet<string>, table: string, words: Words): boolean {
  const [head = [], ...rows] = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
  const column = head.findIndex((cell) => words.terms(cell).some((term) => things.has(term)))
  return column < 0 || rows.some((row) => /^\D?\d[\d.,’' ]*$/.test(row[column] ?? ''))
}

/** 1 for a sentence that may speak of what was asked for, less for one that speaks of another of its kind. */
export function otherFactor({ question }: Wanted, text: string): number {
  return isOfOther(question, [text]) || isElsewhere(question, text, '', '') ? OF_ANOTHER : 1
}

/** 1 for words that hold a number, a time or a person where the question asks for one, less for others. */
export function kindFactor({ question, terms, words, saysHolder }: Wanted, text: string): number {
  if (words.language !== undefined) {
    const placed = words.placed(text)
    const others = writtenWords(text).filter((_, place) => !terms.has(placed[place] ?? ''))
    return isRightKindElsewhere(words.language, question, others.join(' ')) ? 1 : WRONG_KIND
  }
  const isRight = KINDS.every(([asked, holds]) => {
    if (!asked.test(question)) return true
    return (
      holds.test(holds === SOMEBODY ? withoutNobody(text, question) : text.replace(ALLOWED, ' ')) ||
      (holds === NUMBER && spelledNumbers(text).length > 0)
    )
  })
  if (!isMeasured(question, text) || saysHolder?.(text) === false) return OF_NOTHING
  return isRight && namesPeople(question, text) ? 1 : WRONG_KIND
}

/** Where the words of an answer may stand, from its own to those of the whole document. */
export interface Held {
  /** Where a number, a time or a person must stand that is asked for: what is beside it speaks of something else. */
  readonly said: string
  /** All of the passage. */
  readonly around: string
  /** The quotation, then its headings, which say of which of several things it speaks. */
  readonly places: readonly string[]
  readonly quote: ReadonlySet<string>
  readonly heading: ReadonlySet<string>
  readonly passage: ReadonlySet<string>
  /** The document's beginning, which says what all of it is about. */
  readonly opening: ReadonlySet<string>
  readonly document: ReadonlySet<string>
}

/** “Who manages the shop?”, “When did the shop open?” */
const WHO_DOES =
  /^\W*(?:who\s+(?<who>\p{L}+)|(?:since )?when\s+(?:did|was|were|does|do|is|are)\s.*\s(?<when>\p{Ll}{3,})\W*$)/iu

/** Whether of whom it is asked stands nowhere near, what somebody does in another sentence, or who does it to whom the other way round. */
function isUnsaid({ question, words, terms }: Wanted, held: Held): boolean {
  if (words.language !== undefined) return false
  const near = [held.quote, held.heading, held.passage]
  // Of whom and of when a document is, its beginning says for all of it; what else stands there is spoken of there.
  const called = new Set([...question.matchAll(NAMED)].flatMap(([name]) => words.terms(name)))
  const placesOf = (term: string) => (called.has(term) ? [...near, held.opening] : near)
  if (askedOf(question).some((term) => terms.has(term) && !standsIn(term, placesOf(term)))) return true
  const { who, when } = WHO_DOES.exec(question)?.groups ?? {}
  const [verb] = words.terms(who ?? when ?? '')
  const said = [new Set(words.terms(held.said)), held.heading]
  if (
    verb !== undefined &&
    terms.has(verb) &&
    (who === undefined ? held.document : held.passage).has(verb) &&
    !standsIn(verb, said)
  )
    return true
  const [, ...headings] = held.places
  return (
    isTurnedRound(question, sentencesOf(held.said)) || isElsewhere(question, held.said, headings.join(' '), held.around)
  )
}

/** How well a quotation seems to answer, 0 to 1. */
export function evidenceOf(wanted: Wanted, held: Held, weight: (term: string) => number): number {
  const { terms, names } = wanted
  const told = new Set(toldByUnit(wanted.question, held.said).flatMap((name) => wanted.words.terms(name)))
  let sum = 0
  let all = 0
  for (const [term, share] of terms) {
    const most = share * weight(term)
    all += most
    if (held.quote.has(term) || told.has(term)) sum += most
    else if (held.heading.has(term) || held.opening.has(term)) sum += IN_HEADING * most
    else if (held.passage.has(term)) sum += IN_PASSAGE * most
    else if (held.document.has(term)) sum += IN_DOCUMENT * most
  }
  // Of a figure alone nobody knows what is asked about it.
  if (![...terms.keys()].some((term) => /\p{L}/u.test(term))) return 0
  const near = [held.quote, held.heading, held.passage, held.opening]
  const isOfAnother = names.some((name) => !name.every((term) => near.some((place) => place.has(term))))
  const { question, words } = wanted
  const isUntrue = isOfOther(question, [held.said, ...held.places]) || isUnsaid(wanted, held)
  const isOfAsked = isCounted(question, held.said, words)
  const kind = isOfAsked ? kindFactor(wanted, held.said) : WRONG_KIND
  const factor = kind * (isOfAnother || isUntrue ? OF_ANOTHER : 1)
  return Math.round((100 * factor * sum) / all) / 100
}
