import type { Effects } from '../../../databases/gate/index.ts'
import type { DatabaseSchema } from '../../../databases/schema.ts'
import { ASKING_WORDS } from '../../../language/asking-words.ts'
import { lastDayOf, timesIn, type FoundPeriod } from '../../../language/periods.ts'
import { languageOf } from '../../../language/which-language.ts'
import type { Attribute } from '../../../terms/catalogue.ts'
import type { AttributeMatch } from '../../../terms/names.ts'
import { NO_TERMS } from '../../../terms/terms.ts'
import { sameWord } from '../../../terms/words.ts'
import { isGrammarWord } from '../../../question-to-sql/parse/grammar-words.ts'
import { knownWords, valuesAmong, type KnownWords } from '../../../question-to-sql/parse/known-words.ts'
import { withWords } from '../../../terms/value-lookup.ts'
import { findFlags, isFlag } from '../../../terms/flags.ts'
import type { LinkOptions, ValueLookup } from '../../../question-to-sql/types.ts'
import { FILLERS } from '../../../question-to-sql/words/lexicon.ts'
import { UNITS } from '../../../terms/units.ts'
import type { Token } from '../../../question-to-sql/words/tokens.ts'
import { addedIn, oppositeIn, repeatedIn } from './added.ts'
import { asksFor, comparedIn, wordsIn, type Compared } from './compared.ts'
import { multipliedIn, strangeLinksIn } from './multiplied.ts'
import { unsaidNouns } from './nouns.ts'
import { misplacedIn, otherFiguresIn } from './other-columns.ts'
import { negationOf, turnedIn } from './turned.ts'
import { turnedTimes } from './turned-times.ts'

/** What of a question does not stand in a query that somebody else wrote for it. */
export interface Unsaid {
  /** Years, numbers, quoted words, values of the data and names, in the words of the question. */
  readonly missing: readonly string[]
  /** Names that the data do not have, in whose place the query has a value of its own; values that it adds to those asked for. */
  readonly assumed: readonly string[]
  /** Why the rows are others than those asked for, whatever words the query has: sentences without their end. */
  readonly flaws: readonly string[]
}

const NEGATED = /\b(?:not|no|never|none|without|except|excluding|other|outside|but|neither|nor|cannot)\b/i
/** How an answer is to look, and who is spoken to. */
const OF_NO_ROW = /^(?:csv|json|excel|markdown|pdf|sql|tutti|mr|mrs|ms|dr)$/
const SCALES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
  billion: 1e9,
  percent: 0.01,
}
const SPANS_OF_TIME = /^(?:hour|day|week|month|quarter|year)s?$/
const IN_SMALLER = [3, 4, 7, 12, 24, 30, 60, 90, 365]
/** Texts by which a query writes times. */
const OF_TIME = /^(?:now|start of \w+|[-+]?\d.*|%.*|[YMDHISQ:/ .-]+|year|quarter|month|week|day|hour|localtime|utc)$/i

/**
 * Holds a query against the question it was written for. A condition that was left out or is another one changes every figure,
 * and no figure tells it. What the query says is not looked up; what it does not say is, where it may be a value.
 * @param options what the query does to its rows, where its tree is known
 */
export async function unsaidIn(
  question: string,
  sql: string,
  schema: DatabaseSchema,
  options: LinkOptions & { readonly effects?: Effects | undefined },
): Promise<Unsaid> {
  const known = knownWords(question, schema, options)
  const { text, tokens } = known
  const compared = comparedIn(sql, NEGATED.test(text))
  const says = sayer(known, compared)
  const times = timesIn(text, options.today)
  const isOfTime = ({ start, end }: Token): boolean => times.some((time) => start < time.end && end > time.start)
  const inQuestion = ({ start, end }: { start: number; end: number }): string => text.slice(start, end)
  const open = tokens.filter((token) => !isOfTime(token))

  const found = await unsaidValues(known, says, isOfTime, options, options.effects?.conditions)
  const numbers = open.filter(
    (token) => !found.some(({ at }) => token === at) && isUnsaidNumber(token, tokens, compared),
  )
  const isTaken = (token: Token): boolean => found.some(({ start, end }) => start <= token.start && token.end <= end)
  const names = open.filter((token) => isName(token, known, options.today) && !isTaken(token) && !says(token.text))
  const own = compared.texts.filter((one) => !OF_TIME.test(one) && !isAsked(one, tokens))
  const unknown = joined(names).map(inQuestion)
  const missing = [
    ...found.map(inQuestion),
    ...unsaidTimes(times, compared, options),
    ...(options.effects === undefined ? [] : turnedTimes(known, periodsAmong(times), options.effects, options.today)),
    ...numbers.map(inQuestion),
    ...(own.length === 0 ? unknown : []),
    ...unsaidNouns(known, says, compared.names, options.effects?.aggregates),
    ...(await unsaidFlags(known, compared, options.lookup)),
  ]
  const turned = options.effects === undefined ? undefined : turnedIn(known, options.effects)
  // A name that is taken to be one of the values is said already.
  const isSaid = (value: string): boolean => isAsked(value, tokens) || (unknown.length > 0 && own.includes(value))
  const isDated = times.length > 0 || options.period !== undefined
  const added = options.effects && addedIn(known, options.effects, { isSaid, isDated }, options.terms)
  const figures = options.effects && otherFiguresIn(known, options.effects, compared.names)
  const stated = own.map((one) => `“${one}”`).join(' or ')
  const assumed = own.length === 0 ? [] : unknown.map((name) => `“${name}” is taken to be ${stated}`)
  return {
    missing: [...new Set([...missing, ...(turned?.missing ?? [])])],
    assumed: [
      ...assumed,
      ...(turned?.added ?? []),
      ...(added?.notes ?? []),
      ...(figures?.notes ?? []),
      ...(options.effects === undefined ? [] : new Set(multipliedIn(known, options.effects))),
      ...(options.effects === undefined
        ? []
        : await misplacedIn(known, options.effects, compared.names, options.lookup)),
    ],
    flaws: [
      ...(added?.voids ?? []).map((one) => `the query takes all rows by the alternative ${one}`),
      ...(figures?.flaws ?? []),
      ...(options.effects === undefined ? [] : repeatedIn(known, options.effects)),
      ...(options.effects === undefined ? [] : strangeLinksIn(known, options.effects)),
    ],
  }
}

type Says = (words: string) => boolean

/** Tells whether a query compares with these words, or has them in the name of a table or column. */
function sayer({ tokens, catalogue }: KnownWords, { texts, names: called }: Compared): Says {
  const own = texts
    .filter((text) => isPattern(text) || isAsked(text, tokens))
    .flatMap((text) => wordsIn(text).map((word) => ({ word, isPart: isPattern(text) && word.length > 2 })))
  const named = catalogue.entities.flatMap(({ table, attributes }) => [
    { name: table.name, words: [] },
    ...attributes.map(({ column, words }) => ({ name: column.name, words })),
  ])
  const names = named
    .filter(({ name }) => called.has(name.toLowerCase()))
    // Also those of names that run together: `paiddate`.
    .flatMap(({ name, words }) => [...wordsIn(name.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ')), ...words])
  return (said) =>
    wordsIn(said).every(
      (word) =>
        names.some(
          (name) =>
            sameWord(name, word) || (word.length > 4 && name.startsWith(word.length > 6 ? word.slice(0, -1) : word)),
        ) ||
        own.some(
          (one) => sameWord(one.word, word) || (one.isPart && (word.includes(one.word) || one.word.includes(word))),
        ),
    )
}

function isPattern(text: string): boolean {
  return /[%*]/.test(text) && !OF_TIME.test(text.replace(/^%(?=\p{L}{2})/u, ''))
}

/** Whether a text of the query is made of words of the question; another one asks for other rows. */
function isAsked(text: string, tokens: readonly Token[]): boolean {
  const asked = tokens.flatMap((token) => wordsIn(token.text))
  return wordsIn(text).every((word) => asked.some((one) => sameWord(one, word)))
}

async function unsaidValues(
  known: KnownWords,
  says: Says,
  isOfTime: (token: Token) => boolean,
  options: LinkOptions,
  compared: Effects['conditions'] = [],
) {
  const { tokens, text } = known
  const lookup = withWords(async (terms, columns) => {
    const open = terms.filter((term) => !says(term))
    const found = await options.lookup(open, columns)
    return terms.map((term) => found[open.indexOf(term)] ?? [])
  }, options.terms ?? NO_TERMS)
  const values = await valuesAmong(known, { ...options, lookup })
  const spans = [...values].map(([at, { length, hits }]) => {
    const [first, last] = [tokens[at]!, tokens[at + length - 1]!]
    return { at: first, start: first.start, end: last.end, hits }
  })
  // “Not yet shipped” may be said by the other values of its column.
  const isDenied = ({ at, hits }: (typeof spans)[number]): boolean =>
    negationOf(at, text) !== undefined &&
    hits.some(({ column }) =>
      compared.some(
        ({ columns, values, operator, isOut }) =>
          operator === '=' && !isOut && values.length > 0 && columns.includes(column.toLowerCase()),
      ),
    )
  return spans.filter((span) => {
    const { at, start, end, hits } = span
    if (isDenied(span)) return false
    return !isOfTime(at) && !says(text.slice(start, end)) && !hits.some(({ value }) => says(value))
  })
}

/** A name that is written as one: in a language that writes no other words so, and not at the beginning of a sentence. */
function isName(token: Token, { text, tokens, names, catalogue }: KnownWords, today: string): boolean {
  const at = tokens.indexOf(token)
  if (token.kind !== 'word' || !token.capital || FILLERS.has(token.lower) || OF_NO_ROW.test(token.lower)) return false
  if (at === 0 || /[.?!:;]\s*$/.test(text.slice(0, token.start))) return false
  if (names.entitiesAt(at).length > 0 || names.attributesAt(at) !== undefined || isGrammarWord(tokens, at, today))
    return false
  if (wordsIn(catalogue.database).includes(token.lower)) return false
  const isTitle = tokens.slice(1).filter(({ capital }) => capital).length * 2 > tokens.length
  const first = tokens[0]!.lower
  const language = languageOf(text) ?? (ASKING_WORDS.includes(first) && first !== 'was' ? 'en' : undefined)
  return language === 'en' && !isTitle
}

/** Names that stand beside each other are one. */
function joined(names: readonly Token[]): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = []
  for (const { start, end } of names) {
    const last = runs.at(-1)
    if (last !== undefined && start - last.end === 1) last.end = end
    else runs.push({ start, end })
  }
  return runs
}

function periodsAmong(times: ReturnType<typeof timesIn>): FoundPeriod[] {
  return times.filter((time): time is FoundPeriod => !('reason' in time))
}

/** Each of the times, or all of them as one. */
function unsaidTimes(times: ReturnType<typeof timesIn>, compared: Compared, { today, period }: LinkOptions): string[] {
  if (times.length === 0 && period !== undefined) {
    return asksFor(compared, period, today) ? [] : [[period.from, lastDayOf(period)].filter(Boolean).join(' to ')]
  }
  const periods = periodsAmong(times)
  const froms = periods.map(({ from }) => from)
  const befores = periods.map(({ before }) => before)
  const whole = {
    ...(froms.includes(undefined) ? {} : { from: froms.toSorted()[0]! }),
    ...(befores.includes(undefined) ? {} : { before: befores.toSorted().at(-1)! }),
  }
  if (periods.length > 1 && asksFor(compared, whole, today)) return []
  return periods.filter((one) => !asksFor(compared, one, today)).map(({ text }) => text)
}

function isUnsaidNumber(token: Token, tokens: readonly Token[], { numbers }: Compared): boolean {
  if (token.kind !== 'number' || token.value === undefined) return false
  const value = Number(token.value)
  const at = tokens.indexOf(token)
  // “Customers with one order” may be said by a join; “more than one” may not.
  if (value <= 1 && (value === 0 || tokens[at - 1]?.lower !== 'than')) return false
  const next = tokens[at + 1]
  const units = Object.values(UNITS).flatMap((unit) => [...(next?.forms ?? [])].map((form) => unit[form] ?? 1))
  // Amounts may be stored in cents, shares as parts of one.
  const scales = [1, 100, SCALES[next?.lower ?? ''] ?? 1, ...units]
  const factors = SPANS_OF_TIME.test(next?.lower ?? '') ? [...scales, ...IN_SMALLER] : scales
  return !numbers.some((number) => factors.some((factor) => Math.abs(number - value * factor) < 1e-9 * number))
}

/** “Active customers”, “inactive”: a word for a column that says yes or no. Which those are is asked of the others alone. */
async function unsaidFlags({ text, tokens, names, catalogue }: KnownWords, compared: Compared, lookup: ValueLookup) {
  const isUsed = (attribute: Attribute): boolean => compared.names.has(attribute.column.name.toLowerCase())
  const attributesAt = (at: number): AttributeMatch | undefined => {
    const match = names.entitiesAt(at).length > 0 ? undefined : names.attributesAt(at)
    return match?.candidates.some(({ attribute }) => isUsed(attribute)) === true ? undefined : match
  }
  await findFlags(catalogue, tokens, { ...names, attributesAt }, lookup)
  return tokens.flatMap(({ lower, start, end }, at) => {
    const opposite = oppositeIn(lower)
    const match = attributesAt(at)
    const meant =
      match?.candidates.map(({ attribute }) => attribute) ??
      catalogue.entities.flatMap(({ attributes }) => attributes.filter(({ words: own }) => own.at(-1) === opposite))
    if (meant.some(isUsed) || !meant.some((one) => isFlag(catalogue, one))) return []
    return [text.slice(start, match === undefined ? end : tokens[at + match.length - 1]!.end)]
  })
}
