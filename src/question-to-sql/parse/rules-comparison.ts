import { onlyOf } from '../../core/only.ts'
import { unitOf } from '../../terms/column-words.ts'
import { saleOf } from '../../terms/sales.ts'
import { entitySpokenOf, REVENUE_MEASURE } from './parser.ts'
import { given } from '../../core/given.ts'
import { columnFor } from '../words/adjectives.ts'
import { amountOf, asMatch } from '../../terms/amounts.ts'
import { dateAt } from '../words/dates.ts'
import { COMPARATIVES, COMPARISONS, CURRENCIES, meaning, PRICE_WORDS } from '../words/lexicon.ts'
import type { AttributeMatch } from '../../terms/names.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, isForm, isPhrase, phraseAt, skip, word } from './parser.ts'
import { attributeAt } from './named-things.ts'
import { figureTo, ofTrade, type MeasureMatch } from './measures.ts'
import { counting } from './noun-phrase.ts'
import { measureAt } from './rules-measure.ts'
import type { Bound, Comparison, Direction } from '../reading.ts'
import { refuse } from '../refusal.ts'
import type { Attribute } from '../../terms/catalogue.ts'
import { sameWord } from '../../terms/words.ts'
import { UNIT_WORDS } from '../../terms/units.ts'

interface Compared {
  readonly bound: Bound
  readonly next: number
  /** The word after the number that gives its unit, and is no currency: `minutes`. */
  readonly unit?: string
}

/** `more than`, `at least`: the first of the phrases that stands here. */
export function operatorAt(p: Parser, at: number): { readonly op: Comparison; readonly length: number } | undefined {
  const [phrase, op] = COMPARISONS.find(([said]) => isPhrase(p, at, said)) ?? []
  return phrase === undefined || op === undefined ? undefined : { op, length: phrase.split(' ').length }
}

const MORE_OR_LESS = 'or more,or above,and above,or later,or newer,or less,or fewer,or below,or earlier,or older'.split(
  ',',
)

/** `more than 10`, `at least 3 minutes`, `between 5 and 10`, `10 or more`. */
export function comparisonAt(p: Parser, at: number): Compared | undefined {
  if (word(p, at) === 'between') {
    const [low, and, high] = [p.tokens[at + 1], word(p, at + 2), p.tokens[at + 3]]
    if (low?.value === undefined || and !== 'and' || high?.value === undefined) return undefined
    return withUnit(p, { op: '>=', amount: low.value, upTo: high.value }, at + 4)
  }
  const found = operatorAt(p, at)
  const number = p.tokens[at + (found?.length ?? 0)]
  if (number?.kind !== 'number' || number.value === undefined) return undefined
  const next = at + (found?.length ?? 0) + 1
  if (found !== undefined) return withUnit(p, { op: found.op, amount: number.value }, next)
  const after = phraseAt(p, next, MORE_OR_LESS)
  if (after === undefined) return undefined
  const isFrom = /more|above|later|newer/.test(after.phrase)
  return withUnit(p, { op: isFrom ? '>=' : '<=', amount: number.value }, next + after.length)
}

function withUnit(p: Parser, bound: Bound, next: number): Compared {
  if (isForm(p, next, CURRENCIES)) return { bound: { ...bound, unit: unitOf(word(p, next)) }, next: next + 1 }
  const unit = UNIT_WORDS.find((u) => isForm(p, next, [u]))
  return unit === undefined ? { bound, next } : { bound: { ...bound, unit }, next: next + 1, unit }
}

/** A number that stands alone: `a fare of 20 euros`. */
export function exactlyAt(p: Parser, at: number): Compared | undefined {
  const { kind, value } = p.tokens[at] ?? {}
  return kind === 'number' && value !== undefined ? withUnit(p, { op: '=', amount: value }, at + 1) : undefined
}

/** `with status open`, `with a total over 20`: is the column named here compared, rather than merely filled in? */
export function isFiltered(p: Parser, at: number): boolean {
  const next = skip(p, at + (attributeAt(p, at)?.length ?? 0), 'is are was were of = : equal to the')
  return p.values.has(next) || comparisonAt(p, next) !== undefined || p.tokens[next]?.kind === 'number'
}

/** The column compared with a number, where that was read. */
export function addCompare(p: Parser, attribute: AttributeMatch, { bound, next }: Compared): true {
  addCondition(p, { kind: 'compare', attribute, bound, ...anchored(p) })
  p.at = next
  return true
}

const TIMES: Readonly<Record<string, number>> = { once: 1, twice: 2 }

/** How often, as in `more than once`, `at least 3 times`. */
function timesAt(p: Parser, at: number): Compared | undefined {
  const compared = comparisonAt(p, at)
  if (compared !== undefined)
    return word(p, compared.next) === 'times' ? { ...compared, next: compared.next + 1 } : undefined
  const { op, length } =
    word(p, at) === 'only' ? ({ op: '=', length: 1 } as const) : (operatorAt(p, at) ?? { length: 0 })
  const amount = TIMES[word(p, at + length)]
  return op === undefined || amount === undefined ? undefined : { bound: { op, amount }, next: at + length + 1 }
}

export function isTimes(p: Parser, at: number): boolean {
  return timesAt(p, at) !== undefined
}

const OFTEN = meaning<Direction>({ desc: 'most often,most frequently', asc: 'least often,least frequently' })

/** `customers who ordered more than once`, `which product was returned most often`: the clause just read, counted. */
export const timesRule: Rule = (p) => {
  const often = phraseAt(p, p.at, Object.keys(OFTEN))
  const times = timesAt(p, p.at)
  const { conditions: all } = p.reading
  const has = all.at(-1)
  if ((often === undefined && times === undefined) || has?.kind !== 'has' || has.negated) return false
  const entity = has.entity === 'sale' ? saleOf(p.sales) : has.entity
  if (entity === undefined) return false
  const measure = { kind: 'count', entity } as const
  if (times !== undefined) {
    const { conditions, anchor, via } = has
    all[all.length - 1] = { kind: 'metric', measure, bound: times.bound, conditions, ...given({ anchor, via }) }
    p.at = times.next
    return true
  }
  const direction = OFTEN[often?.phrase ?? '']
  if (direction === undefined || often === undefined || p.reading.ranking !== undefined) return false
  all.splice(-1, 1, ...has.conditions.map((c) => ({ ...c, anchor: c.anchor ?? entity })))
  p.reading.ranking = { by: { kind: 'measure', measure }, direction, word: often.phrase }
  p.clause = undefined
  p.anchor = { entity }
  p.at += often.length
  return true
}

/** `longer than 5 minutes`, `more than 3 albums`, `spent over 40`, `total above 10`. */
export const comparisonRule: Rule = (p) => {
  const adjective = phraseAt(p, p.at, Object.keys(COMPARATIVES))
  const owner = entitySpokenOf(p)
  if (adjective !== undefined) {
    const comparative = COMPARATIVES[adjective.phrase]
    const exact = exactlyAt(p, p.at + adjective.length)
    if (comparative === undefined || owner === undefined || exact === undefined)
      return refuse(`I do not know what to compare with after “${adjective.phrase}”.`)
    const bound = { ...exact.bound, op: comparative.means }
    return addCompare(p, columnFor(owner, comparative.columns, adjective.phrase), { ...exact, bound })
  }
  const isPrice = owner !== undefined && isForm(p, p.at, ['price', 'cost']) && attributeAt(p, p.at) === undefined
  const price = isPrice ? (comparisonAt(p, p.at + 1) ?? exactlyAt(p, p.at + 1)) : undefined
  if (isPrice && price !== undefined) return addCompare(p, columnFor(owner, PRICE_WORDS, word(p, p.at)), price)
  const compared = comparisonAt(p, p.at)
  return compared === undefined ? false : addMetric(p, compared)
}

/** A number with what it counts: `more than 5 orders`, `sold at least 3 units`, `spent over 40`. */
function addMetric(p: Parser, compared: Compared): boolean {
  if (word(p, p.at - 1) === 'for' && addCapacity(p, compared)) return true
  const found = figureCompared(p, compared)
  if (found === undefined) {
    const text = p.tokens.slice(p.at, compared.next + 1).map((t) => t.text)
    return refuse(`I do not know what “${text.join(' ')}” measures. Please name a column or a figure.`)
  }
  if (found.measure.kind === 'attribute') return addCompare(p, found.measure.match, { ...compared, next: found.next })
  delete p.reading.saleVerb
  const { measure } = found.measure
  const conditions = [...(found.conditions ?? [])]
  addCondition(p, { kind: 'metric', measure, bound: compared.bound, conditions, ...anchored(p) })
  p.at = found.next
  // What follows belongs to the things counted: `more than 3 orders in 2023`.
  const entity = measure.kind === 'count' ? measure.entity : saleOf(p.sales)
  if (entity !== undefined) {
    p.clause = { conditions, entity }
    p.anchor = { entity }
  }
  return true
}

/** `rooms for more than 2 guests`, where a column of the rooms says how many guests they are for. */
function addCapacity(p: Parser, compared: Compared): boolean {
  const owner = entitySpokenOf(p)
  const said = word(p, compared.next)
  const isMost = ({ words: [first = '', ...rest] }: Attribute): boolean =>
    /^max(?:imum)?$/.test(first) && sameWord(onlyOf(rest) ?? '', said)
  const column = onlyOf(owner?.attributes.filter(isMost) ?? [])
  if (column === undefined) return false
  return addCompare(p, asMatch(column, said), { ...compared, next: compared.next + 1 })
}

/** What a number is compared with: the figure or the column named behind it, else what a verb of trade or the table tells. */
function figureCompared(p: Parser, compared: Compared): MeasureMatch | undefined {
  if (compared.unit !== undefined) return undefined
  const noun = skip(p, compared.next, 'in of different distinct unique')
  const named = counting(p, () => measureAt(p, noun, true))
  if (named !== undefined) return ofTrade(p, named)
  if (p.reading.saleVerb === 'money') return figureTo(compared.next, REVENUE_MEASURE)
  return unnamedAmount(p, compared.next)
}

/** `invoices over 20`: the one amount that a row of them is about. */
function unnamedAmount(p: Parser, next: number): MeasureMatch | undefined {
  const owner = entitySpokenOf(p)
  if (owner === undefined || p.tokens[next]?.kind === 'number') return undefined
  const amount = amountOf(owner)
  if (amount !== undefined) return { measure: { kind: 'attribute', match: asMatch(amount, 'amount') }, next }
  const isSale = owner === p.sales.header?.entity && p.sales.header.total === undefined && p.sales.line !== undefined
  return isSale ? figureTo(next, { ...REVENUE_MEASURE, word: `${owner.noun} value` }) : undefined
}

/** `revenue over 100`, `sales of more than 50`: a figure named before the number. Called where the figure was just read. */
export function metricAfterFigure(p: Parser): boolean {
  const of = skip(p, p.at, 'of is was are were that')
  if (dateAt(p.tokens, of, p.today) !== undefined) return false
  const compared = comparisonAt(p, of)
  const measure = p.reading.measures.at(-1)
  if (compared === undefined || measure === undefined || compared.unit !== undefined) return false
  p.reading.measures.pop()
  const conditions: [] = []
  addCondition(p, { kind: 'metric', measure, bound: compared.bound, conditions, ...anchored(p) })
  p.at = compared.next
  const entity = saleOf(p.sales)
  if (entity !== undefined) p.clause = { conditions, entity }
  return true
}
