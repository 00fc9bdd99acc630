import type { Condition, Effects } from '../../../databases/gate/index.ts'
import { YES, NO } from '../../../terms/flag-values.ts'
import type { KnownWords } from '../../../question-to-sql/parse/known-words.ts'
import { isFlag } from '../../../terms/flags.ts'
import type { Token } from '../../../question-to-sql/words/tokens.ts'
import { sameWord } from '../../../terms/words.ts'
import { oppositeIn } from './added.ts'
import { wordsIn } from './compared.ts'

/** What a query says the other way round. */
export interface Turned {
  /** In the words of the question. */
  readonly missing: readonly string[]
  /** Rows that it takes besides those that were asked for. */
  readonly added: readonly string[]
}

const NEGATION =
  /\b(?:not(?! only\b| just\b| (?:more|less|fewer|above|below|over|under|before|after|since)\b)|no(?! (?:more|less|fewer|later|earlier|matter)\b)|never|without|except|excluding|outside|other than|neither|nor|cannot|\w+n['’]t)\b/gi
/** Anything that may turn a condition round. */
export const MAY_NEGATE =
  /\b(?:not?|never|none|without|with?out|except|exclud\w*|outside|other|but|rest|remaining|neither|nor|cannot|only|missing|lack\w*|empty|null|unknown|blank|yet|still|pending|un\w{4,}|in\w{4,}|non\w*|\w+n['’]t)\b/i
const BOUNDARY = /[,;.:?!]|\b(?:but|and|or)\b/i
/** “Customers without orders are active”, “members who are not active are …”: what comes behind the verb is said of them all. */
const OF_A_NOUN = /^(?:without|except|excluding|outside|other than|not)$/i
const SAID_OF_SUBJECT = /^(?!\s*(?:all|every|each|any)\b).*(?<!\b(?:that|which|who)\s)\b(?:is|are|was|were)\b/i
const MORE = /\b(?:more|greater|higher|larger|above|over|exceed\w*|at least|minimum)\b(?:\s+(?:than|of))?\W*$/i
const LESS = /\b(?:less|fewer|lower|smaller|below|under|at most|up to|maximum)\b(?:\s+(?:than|of))?\W*$/i
const TURNS = /\b(?:not?|never|\w+n['’]t)\s+(?:\w+\s+)?$/i
const HIGHEST = /\b(?:(?<!at )most|highest|largest|biggest|greatest|top)\b/i
const LOWEST = /\b(?:(?<!at )least|fewest|lowest|smallest|cheapest|bottom)\b/i
/** Of which the first may be the lowest. */
const OF_RANKS = /\b(?:rank\w*|priority|position|place|loss\w*|decline|drop|decrease|overdue|late|delayed|urgent)\b/i
const HOW_TO_SHOW =
  /^(?:not|don['’]t) (?:show|list|print|display|round|repeat|give|tell|explain|return|use|guess|make|add|write|group|sort|want|need)\b/i
/** Words of a column's name that say nothing of what it holds. */
const EMPTY = /^(?:date|day|time|at|on|id|is|has)$/

/** Holds what a query does to its rows against the question: which it keeps, which it takes out, and which come first. */
export function turnedIn(known: KnownWords, effects: Effects): Turned {
  const { text, tokens } = known
  const { conditions } = effects
  const missing: string[] = []
  const asked = (value: unknown): Token | undefined => (typeof value === 'string' ? spoken(value, tokens) : undefined)
  const added = new Set<string>()
  const isOtherwise = conditions.some(
    (one) => one.operator === 'null' || isZero(one) || (one.isOut && one.values.length > 0 && !one.values.some(asked)),
  )
  const tells = conditions.filter(({ values }) => values.some(asked))
  for (const one of tells) {
    const same = tells.filter(({ values }) => values.some((value) => one.values.includes(value)))
    for (const value of one.values) {
      const token = asked(value)
      if (token === undefined) continue
      const negation = negationOf(token, text)
      const isKept = same.some((other) => keeps(other) === true)
      const isTakenOut = same.some((other) => keeps(other) === false)
      if (negation !== undefined && !isTakenOut && !isOtherwise && !effects.subtracts)
        missing.push(text.slice(negation, token.end))
      if (!isKept && (!isTakenOut || isAffirmed(token, text) || !MAY_NEGATE.test(text))) missing.push(token.text)
      if (one.isAlternative && conditions.some(isEverything)) missing.push(token.text)
    }
    if (keeps(one) !== true) continue
    const beside = conditions.filter((other) => other === one || (one.isAlternative && other.isAlternative))
    const others = beside.filter((other) => keeps(other) === true).flatMap(({ values }) => values)
    for (const value of others) if (isWord(value) && asked(value) === undefined) added.add(value)
  }
  return {
    missing: [
      ...missing,
      ...turnedColumns(known, conditions),
      ...turnedNumbers(known, conditions),
      ...turnedOrder(text, effects),
      ...unsaidNegations(known, effects),
      ...otherTotals(known, effects),
    ],
    added: [...added].map((value) => `“${value}” is taken in, too`),
  }
}

/** Whether rows with the value stay; undefined where they are only put in order by it. */
function keeps({ operator, isOut }: Condition): boolean | undefined {
  return operator === '=' ? !isOut : operator === '<>' ? isOut : undefined
}

function isZero({ operator, values }: Condition): boolean {
  return operator !== '<>' && values.some((value) => truthOf(value) === false)
}

function truthOf(value: unknown): boolean | undefined {
  const plain = String(value).toLowerCase()
  if (YES.some((yes) => yes.toLowerCase() === plain)) return true
  return NO.some((no) => no.toLowerCase() === plain) ? false : undefined
}

/** Alternatives one of which holds of every row. */
function isEverything({ operator, columns, values, isAlternative }: Condition): boolean {
  if (values.some((value) => typeof value === 'string' && /^%+$/.test(value))) return operator === '='
  if (!isAlternative) return false
  if (operator === 'not null') return true
  return columns.length === 0 && values.length > 0 && operator === '=' && values.every((value) => value === values[0])
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\p{L}[\p{L}\s'-]{2,}$/u.test(value)
}

/** The last word of the question that a value is made of. */
function spoken(value: string, tokens: readonly Token[]): Token | undefined {
  if (!isWord(value)) return undefined
  const words = wordsIn(value)
  const found = words.map((word) => tokens.find((token) => wordsIn(token.text).some((own) => sameWord(own, word))))
  return found.every((token) => token !== undefined) ? found.at(-1) : undefined
}

/** Where the negation begins that a word stands under. */
export function negationOf(token: Pick<Token, 'start'>, text: string): number | undefined {
  const last = lastNegation(token, text)
  if (last === undefined || isPast(last)) return undefined
  const { between } = last
  return BOUNDARY.test(between) || between.trim().split(/\s+/).length > 4 ? undefined : last.index
}

interface Negated {
  readonly word: string
  readonly index: number
  readonly between: string
}

function lastNegation({ start }: Pick<Token, 'start'>, text: string): Negated | undefined {
  const before = text.slice(0, start)
  const last = [...before.matchAll(NEGATION)].at(-1)
  return last && { word: last[0], index: last.index, between: before.slice(last.index + last[0].length) }
}

/** Whether what is negated ends before the word. */
function isPast({ word, between }: Negated): boolean {
  return OF_A_NOUN.test(word) && SAID_OF_SUBJECT.test(between)
}

/** Whether a word is said as it stands, although something before it is negated. */
function isAffirmed(token: Pick<Token, 'start'>, text: string): boolean {
  const last = lastNegation(token, text)
  return last !== undefined && isPast(last)
}

/** Columns that say yes or no, and those that are empty where something has not happened. */
function turnedColumns({ text, tokens, catalogue }: KnownWords, conditions: readonly Condition[]): string[] {
  return catalogue.entities
    .flatMap(({ attributes }) => attributes)
    .flatMap((attribute) => {
      const name = attribute.column.name.toLowerCase()
      const own = conditions.filter(({ columns }) => columns.length === 1 && columns[0] === name)
      const words = attribute.words.filter((word) => !EMPTY.test(word))
      const word = words.at(-1)
      if (own.length === 0 || word === undefined || attribute.isKey) return []
      // Texts that say yes or no are known by what they are compared with.
      const isYesOrNo =
        isFlag(catalogue, attribute) ||
        (attribute.column.kind !== 'number' &&
          own.every(({ values }) => values.some((value) => truthOf(value) !== undefined)))
      const token = tokens.find(({ lower }) => (words.length === 1 || isYesOrNo) && sameWord(lower, word))
      if (!isYesOrNo) {
        const isEmpty = own.every(
          ({ operator, isAlternative, isOut }) => operator === 'null' && !isAlternative && !isOut,
        )
        return token !== undefined && isEmpty && !MAY_NEGATE.test(text) ? [token.text] : []
      }
      const opposite = tokens.find(({ lower }) => oppositeIn(lower) === word)
      if ((token === undefined) === (opposite === undefined)) return []
      const wanted = own.flatMap(({ operator, values, isOut }) =>
        values.flatMap((value) => {
          const truth = truthOf(value)
          return truth === undefined || !['=', '<>'].includes(operator)
            ? []
            : [truth !== ((operator === '<>') !== isOut)]
        }),
      )
      const said = (token ?? opposite)!
      const negation = negationOf(said, text)
      const isYes = (token !== undefined) === (negation === undefined)
      const isSure = negation !== undefined || isAffirmed(said, text) || ![...text.matchAll(NEGATION)].length
      const isRight =
        wanted.length === 0
          ? own.some(({ operator }) => !operator.includes('null'))
          : wanted.every((one) => one === isYes)
      return isRight || !isSure ? [] : [text.slice(negation ?? said.start, said.end)]
    })
}

/** “More than 5” that is compared as less, or as equal. */
function turnedNumbers({ text, tokens, names }: KnownWords, conditions: readonly Condition[]): string[] {
  return tokens.flatMap(({ kind, value, start, end }) => {
    const before = text.slice(0, start)
    const said = MORE.exec(before) ?? LESS.exec(before)
    if (kind !== 'number' || value === undefined || said === null) return []
    const own = conditions.filter(({ values, isOut }) => !isOut && values.includes(value))
    const isMore = MORE.test(before) !== TURNS.test(before.slice(0, said.index))
    const isRight = own.length === 0 || own.some(({ operator }) => operator.startsWith(isMore ? '>' : '<'))
    if (!isRight) return [text.slice(said.index, end)]
    // “A price above 15” of which another column is compared.
    const last = tokens.findLastIndex((token) => token.end <= said.index)
    const match = [2, 1].map((length) => names.attributesAt(last + 1 - length)).find((one, i) => one?.length === 2 - i)
    const isMeant = own.some(
      ({ columns }) =>
        columns.length === 0 ||
        match?.candidates.some(({ attribute }) => columns.includes(attribute.column.name.toLowerCase())),
    )
    const isOther = match !== undefined && own.length > 0 && !isMeant && names.entitiesAt(last).length === 0
    return isOther ? [text.slice(said.index - match.text.length - 1, end)] : []
  })
}

/** “The least” of rows that are cut where the most come first. */
function turnedOrder(text: string, { orders, aggregates }: Effects): string[] {
  const [highest, lowest] = [HIGHEST.exec(text), LOWEST.exec(text)]
  if ((highest === null) === (lowest === null) || OF_RANKS.test(text)) return []
  const ends = [
    ...orders,
    ...aggregates.flatMap(({ name }) => (name === 'max' ? ['desc'] : name === 'min' ? ['asc'] : [])),
  ]
  const isRight = ends.length === 0 || ends.includes(undefined) || ends.includes(highest === null ? 'asc' : 'desc')
  return isRight ? [] : [(highest ?? lowest)![0]]
}

/** Whether any of them may be what a negation stands for. */
export function takesOut({ tokens }: KnownWords, conditions: readonly Condition[]): boolean {
  return conditions.some((one) => {
    const isFew = one.operator === '<' && one.values.includes(1)
    const isAround = one.isAlternative && /[<>]/.test(one.operator)
    const isOther = one.values.some((value) => isWord(value) && spoken(value, tokens) === undefined)
    return ['<>', 'null'].includes(one.operator) || one.isOut || isZero(one) || isFew || isAround || isOther
  })
}

/** “No orders” of a query that takes nothing out. */
function unsaidNegations(known: KnownWords, { conditions, subtracts }: Effects): string[] {
  const { text, tokens, names } = known
  if (takesOut(known, conditions) || subtracts) return []
  return [...text.matchAll(NEGATION)].flatMap(({ index }) => {
    const under = tokens.flatMap((token, at) => {
      if (token.start <= index || negationOf(token, text) !== index) return []
      const columns = names.attributesAt(at)?.candidates ?? []
      // “Without tax” may be a column of its own.
      const isNamed =
        names.entitiesAt(at).length > 0 || columns.some(({ attribute }) => attribute.column.kind !== 'number')
      return isNamed ? [token] : []
    })
    return under.length === 0 || HOW_TO_SHOW.test(text.slice(index)) ? [] : [text.slice(index, under.at(-1)!.end)]
  })
}

/** What people call a figure of a column, and the functions that compute it. */
const FIGURES: readonly (readonly [said: RegExp, computed: RegExp])[] = [
  [/^total$/, /^(?:sum|total)$/],
  [/^(?:average|mean|avg)$/, /^avg$/],
  [/^(?:highest|largest|biggest|maximum|max)$/, /^max$/],
  [/^(?:lowest|smallest|minimum|min)$/, /^min$/],
]

/** “Total tax” of a query that adds up another column of the same table, or only counts; “average tax”, “highest tax”. */
function otherTotals({ text, tokens, names }: KnownWords, { aggregates }: Effects): string[] {
  return tokens.flatMap(({ lower, start }, at) => {
    const computed = FIGURES.find(([said]) => said.test(lower))?.[1]
    const match = computed === undefined ? undefined : names.attributesAt(at + 1)
    if (computed === undefined || match === undefined || aggregates.length === 0) return []
    const own = aggregates.filter(({ name }) => computed.test(name))
    const meant = match.candidates.map(({ attribute }) => attribute)
    const isOther = ({ columns }: { columns: readonly string[] }): boolean =>
      columns.length > 0 &&
      !meant.some(({ column }) => columns.includes(column.name.toLowerCase())) &&
      meant.some(({ entity }) =>
        columns.every((name) => entity.attributes.some(({ column }) => column.name.toLowerCase() === name)),
      )
    const isCounted =
      lower === 'total' &&
      aggregates.every(({ name, columns }) => name === 'count' && columns.length > 0 && !isOther({ columns }))
    if (own.length === 0 ? !isCounted : !own.every(isOther)) return []
    return [text.slice(start, tokens[at + match.length]!.end)]
  })
}
