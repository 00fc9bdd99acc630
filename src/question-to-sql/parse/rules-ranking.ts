import { onlyOf } from '../../core/only.ts'
import { given } from '../../core/given.ts'
import { isDate, isNumeric, type Attribute } from '../../terms/catalogue.ts'
import { amountOf, asMatch } from '../../terms/amounts.ts'
import { columnFor } from '../words/adjectives.ts'
import { meaning, MONEY_VERBS, RANKED_ADJECTIVES, SUPERLATIVES, UNIT_NOUNS } from '../words/lexicon.ts'
import {
  isFirst,
  isForm,
  isPhrase,
  phraseAt,
  skip,
  subjectEntity,
  word,
  type Parser,
  type Rule,
  REVENUE_MEASURE,
} from './parser.ts'
import { attributeAt, dimensionAt, entityAt } from './named-things.ts'
import type { Direction, Ranking } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { sameWord } from '../../terms/words.ts'
import { dateVerbAt } from './rules-date.ts'
import { entityIsAbsent, ofTrade, type MeasureMatch } from './measures.ts'
import { measureAt } from './rules-measure.ts'
import { kindNamed } from './rules-value.ts'
import { isSoldGroup } from '../../terms/sold.ts'

/** `top 5`, `the most`, `cheapest`, `highest revenue`, `best-selling`. */
export const superlativeRule: Rule = (p) => {
  const ordinal = ORDINALS.indexOf(word(p, skip(p, p.at, 'the')))
  if (ordinal >= 0) return rankAtPlace(p, skip(p, p.at, 'the') + 1, ordinal + 2)
  const at = skip(p, p.at, 'the')
  const adjective = phraseAt(
    p,
    at,
    Object.keys(RANKED_ADJECTIVES).sort((a, b) => b.length - a.length),
  )
  if (adjective !== undefined && /^(first|last)$/.test(adjective.phrase) && !isOfRows(p, at)) return false
  // “which club opened first”: the verb names the date.
  const verb = dateVerbAt(p, at)
  const ends = verb === undefined ? undefined : FIRST_OR_LAST[word(p, at + 1)]
  const owner = subjectEntity(p)
  const tells = (a: Attribute): boolean => isDate(a) && a.words.some((w) => sameWord(w, verb ?? ''))
  const date = onlyOf(owner?.attributes.filter(tells) ?? [])
  if (ends !== undefined && date !== undefined)
    return setRanking(p, ends, word(p, at + 1), at + 2, { kind: 'attribute', match: asMatch(date, verb ?? '') })
  if (adjective !== undefined) return rankByAdjective(p, adjective.phrase, at + adjective.length)
  const superlative = word(p, at)
  const direction = SUPERLATIVES[superlative]
  if (direction === undefined || (superlative === 'least' && word(p, at - 1) === 'at')) return false
  if (/^(maximum|minimum)$/.test(superlative)) return false
  const next = limitAt(p, at + 1)
  // `best-selling`, `top earning`
  const isMoney = isForm(p, next, MONEY_VERBS)
  if ((isMoney || isForm(p, next, ['sell'])) && attributeAt(p, next) === undefined)
    return setRanking(p, direction, superlative, next + 1, isMoney ? MONEY : UNITS)
  if (/^(top|bottom|best|worst)$/.test(superlative)) return setRanking(p, direction, superlative, next)
  return rankByPhrase(p, direction, superlative, next)
}

const FIRST_OR_LAST = meaning<Direction>({ asc: 'first,earliest', desc: 'last,latest' })
const ORDINALS = ['second', 'third', 'fourth', 'fifth']

/** `the second highest`: the ranking is read as ever, and one place of it kept. */
function rankAtPlace(p: Parser, next: number, place: number): boolean {
  const before = p.at
  p.at = next
  if (p.reading.ranking === undefined && superlativeRule(p) && p.reading.ranking !== undefined) {
    p.reading.place = place
    return true
  }
  p.at = before
  return false
}

/** `the last 5 orders`, not `last name`. */
function isOfRows(p: Parser, at: number): boolean {
  const number = p.tokens[at + 1]?.kind === 'number' ? 1 : 0
  const noun = at + 1 + number
  const value = p.values.get(noun)?.length ?? 0
  return attributeAt(p, at) === undefined && entityAt(p, noun + value) !== undefined
}

const UNITS: Ranking = { kind: 'measure', measure: { kind: 'units' } }

const MONEY: Ranking = { kind: 'measure', measure: REVENUE_MEASURE }

function setRanking(p: Parser, direction: Direction, text: string, next: number, by?: Ranking): boolean {
  if (p.reading.ranking !== undefined)
    return refuse('The question asks for two rankings. Please ask for one at a time.')
  p.reading.ranking = { direction, word: text, ...given({ by }) }
  p.at = next
  return true
}

/** A number of rows, where one stands here; gives where it ends. */
export function limitAt(p: Parser, at: number): number {
  const { kind, value = 0 } = p.tokens[at] ?? {}
  if (kind !== 'number') return at
  if (typeof value === 'string' || value < 1 || !Number.isInteger(value))
    return refuse(`I cannot list ${value} rows. Please ask for a whole number of at least one.`)
  p.reading.limit = value
  return at + 1
}

function rankByPhrase(p: Parser, direction: Direction, text: string, next: number): boolean {
  const verb = p.reading.saleVerb
  // “sold the most units”: after a verb of trade they are no column of that name.
  const isSold = verb === 'units' && isForm(p, next, UNIT_NOUNS) && entityIsAbsent(p, next)
  const named = isSold ? undefined : measureAt(p, next, true)
  const size = sizeOf(p, text, next)
  if (size !== undefined) return setRanking(p, direction, text, next, size)
  if (named !== undefined) {
    const by = ofTrade(p, named)
    delete p.reading.saleVerb
    aboutCounted(p, named)
    return setRanking(p, direction, text, by.next, by.measure)
  }
  if (isForm(p, next, ['make'])) return setRanking(p, direction, text, next + 1, MONEY)
  const subject = subjectEntity(p)
  if (verb === 'units' && !isSold && !(subject !== undefined && isSoldGroup(p.sales, subject)))
    return refuse(`The ${text} of what? Please say: units, revenue, or the number of what.`)
  if (verb !== undefined) {
    delete p.reading.saleVerb
    return setRanking(p, direction, text, next + (isSold ? 1 : 0), verb === 'money' ? MONEY : UNITS)
  }
  const rest = p.tokens[next]?.text
  return refuse(
    `I do not know what “${text}${rest === undefined ? '' : ` ${rest}`}” should be measured by. Name a column or a figure, such as “highest revenue” or “most …”.`,
  )
}

/** What stands before and after a counted noun is said of what is counted. */
function aboutCounted(p: Parser, { measure, conditions = [] }: MeasureMatch): void {
  p.reading.conditions.push(...conditions)
  const counted = measure.kind === 'measure' && measure.measure.kind === 'count' ? measure.measure : undefined
  if (counted !== undefined && counted.via === undefined) p.anchor = { entity: counted.entity }
}

/** `the largest invoice`, `biggest orders`: rows that have one amount, not a count of them. */
function sizeOf(p: Parser, text: string, next: number): Ranking | undefined {
  const isSize = /^(largest|biggest|smallest|highest|lowest|greatest)$/.test(text) && isFirst(p)
  const { entity, via } = (isSize && p.names.entitiesAt(next)[0]) || {}
  if (entity === undefined || via !== undefined || attributeAt(p, next) !== undefined) return undefined
  const amount = amountOf(entity)
  if (amount !== undefined) return { kind: 'attribute', match: asMatch(amount, 'amount') }
  return entity === p.sales.header?.entity && p.sales.line !== undefined ? MONEY : undefined
}

function rankByAdjective(p: Parser, adjective: string, start: number): boolean {
  const ranked = RANKED_ADJECTIVES[adjective]
  if (ranked === undefined) return false
  const next = limitAt(p, start)
  // `the longest lead time`: the column is named.
  const named = attributeAt(p, next)
  const fitting = named?.candidates.filter((c) => isNumeric(c.attribute) || isDate(c.attribute)) ?? []
  if (named !== undefined && fitting.length > 0)
    return setRanking(p, ranked.means, adjective, next + named.length, {
      kind: 'attribute',
      match: { ...named, candidates: fitting },
    })
  // `the longest Rock track`: a value may stand between.
  const ahead = dimensionAt(p, next + (p.values.get(next)?.length ?? 0))?.dimension
  const value = p.values.get(next)
  const owner =
    (ahead?.kind === 'entity' ? ahead.entity : undefined) ??
    (value === undefined ? undefined : kindNamed(p, value)?.entity) ??
    subjectEntity(p) ??
    p.anchor?.entity
  if (owner === undefined) return refuse(`“${adjective}” what? Please name a table.`)
  const match = columnFor(owner, ranked.columns, adjective)
  return setRanking(p, ranked.means, adjective, next, { kind: 'attribute', match })
}

/** `by revenue` after `top 5 customers`. */
export const rankByRule: Rule = (p) => {
  const ranking = p.reading.ranking
  if (ranking === undefined || ranking.by !== undefined) return false
  const opener = phraseAt(p, p.at, [
    'by',
    'in terms of',
    'based on',
    'according to',
    'with the highest',
    'with the most',
    'with the lowest',
    'with the least',
  ])
  if (opener === undefined) return false
  const found = measureAt(p, p.at + opener.length, true)
  if (found === undefined) return false
  const by = ofTrade(p, found)
  aboutCounted(p, found)
  p.reading.ranking = { ...ranking, by: by.measure }
  p.at = by.next
  return true
}

const DOWN = 'from highest to lowest,highest first,largest first,newest first,most recent first,descending,desc'.split(
  ',',
)
const UP = 'from lowest to highest,lowest first,smallest first,oldest first,ascending,asc'.split(',')

/** `sorted by name`, `ordered by revenue descending`. */
export const sortRule: Rule = (p) => {
  const opener = phraseAt(p, p.at, ['sorted by', 'ordered by', 'order by', 'sort by', 'ranked by', 'in order of'])
  if (opener === undefined) {
    if (!isPhrase(p, p.at, 'alphabetically') && !isPhrase(p, p.at, 'in alphabetical order')) return false
    p.at += isPhrase(p, p.at, 'alphabetically') ? 1 : 3
    return true
  }
  const found = measureAt(p, p.at + opener.length, true)
  if (found === undefined || found.conditions !== undefined)
    return refuse(`I do not know what to sort by: “${word(p, p.at + opener.length)}”.`)
  const down = phraseAt(p, found.next, DOWN)
  const sense = down ?? phraseAt(p, found.next, UP)
  p.reading.sort = { by: found.measure, direction: down === undefined ? 'asc' : 'desc' }
  p.at = found.next + (sense?.length ?? 0)
  return true
}
