import { given } from '../../core/given.ts'
import { columnFor } from '../words/adjectives.ts'
import { amountOf, asMatch } from '../schema/amounts.ts'
import { dateAt } from '../words/dates.ts'
import { COMPARATIVES, COMPARISONS, CURRENCIES, PRICE_WORDS, UNIT_NOUNS, UNITS } from '../words/lexicon.ts'
import type { AttributeMatch } from '../../terms/names.ts'
import type { Parser, Rule } from './parser.ts'
import { addCondition, anchored, isForm, isMoneyNoun, isPhrase, phraseAt, skip, subjectEntity, word } from './parser.ts'
import { attributeAt } from './named-things.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import type { Bound, Condition, Direction, Measure } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { isSoldItem } from '../../terms/sold.ts'
import { forms } from '../../terms/words.ts'

interface Compared {
  readonly bound: Bound
  readonly next: number
  /** The word after the number that gives its unit: `minutes`. */
  readonly unit?: string
}

/** `more than 10`, `at least 3 minutes`, `between 5 and 10`, `10 or more`. */
export function comparisonAt(p: Parser, at: number): Compared | undefined {
  if (word(p, at) === 'between') {
    const [low, and, high] = [p.tokens[at + 1], word(p, at + 2), p.tokens[at + 3]]
    if (low?.value === undefined || and !== 'and' || high?.value === undefined) return undefined
    return withUnit(p, { op: '>=', amount: low.value, upTo: high.value }, at + 4)
  }
  const found = phraseAt(
    p,
    at,
    COMPARISONS.map(([phrase]) => phrase),
  )
  const op = COMPARISONS.find(([phrase]) => phrase === found?.phrase)?.[1]
  const number = p.tokens[at + (found?.length ?? 0)]
  if (number?.kind !== 'number' || number.value === undefined) return undefined
  const next = at + (found?.length ?? 0) + 1
  if (found !== undefined && op !== undefined) return withUnit(p, { op, amount: number.value }, next)
  const after = phraseAt(p, next, ['or more', 'or above', 'and above', 'or less', 'or fewer', 'or below'])
  if (after === undefined) return undefined
  const isFrom = /more|above/.test(after.phrase)
  return withUnit(p, { op: isFrom ? '>=' : '<=', amount: number.value }, next + after.length)
}

function withUnit(p: Parser, bound: Bound, next: number): Compared {
  if (isForm(p, next, CURRENCIES)) return { bound, next: next + 1 }
  const known = Object.values(UNITS).flatMap((row) => Object.keys(row))
  const unit = known.find((u) => isForm(p, next, [u]))
  return unit === undefined ? { bound, next } : { bound, next: next + 1, unit }
}

/** Writes an amount in the unit of the column it is compared with: 5 minutes are 300000 milliseconds. */
function inColumnUnit({ bound, unit }: Compared, match: AttributeMatch): Bound {
  if (unit === undefined) return bound
  const column = match.candidates[0]?.attribute
  const row = Object.entries(UNITS).find(([own]) => column?.words.some((w) => forms(w).has(own)))?.[1]
  const factor = row?.[unit]
  if (factor === undefined)
    return refuse(`I do not know the unit of ${column?.column.name}, so I cannot compare it with ${unit}s.`)
  const { op, amount, upTo } = bound
  return { op, amount: amount * factor, ...(upTo === undefined ? {} : { upTo: upTo * factor }) }
}

function addCompare(p: Parser, attribute: AttributeMatch, compared: Compared): true {
  addCondition(p, { kind: 'compare', attribute, bound: inColumnUnit(compared, attribute), ...anchored(p) })
  p.at = compared.next
  return true
}

const TIMES: Readonly<Record<string, number>> = { once: 1, twice: 2 }

/** How often, as in `more than once`, `at least 3 times`. */
function timesAt(p: Parser, at: number): Compared | undefined {
  const compared = comparisonAt(p, at)
  if (compared !== undefined)
    return word(p, compared.next) === 'times' ? { ...compared, next: compared.next + 1 } : undefined
  const op = word(p, at) === 'only' ? ('=' as const) : COMPARISONS.find(([phrase]) => isPhrase(p, at, phrase))?.[1]
  const next = at + (phraseAt(p, at, ['only', ...COMPARISONS.map(([phrase]) => phrase)])?.length ?? 0)
  const amount = TIMES[word(p, next)]
  return op === undefined || amount === undefined ? undefined : { bound: { op, amount }, next: next + 1 }
}

export function isTimes(p: Parser, at: number): boolean {
  return timesAt(p, at) !== undefined
}

const OFTEN: Readonly<Record<string, Direction>> = {
  'most often': 'desc',
  'most frequently': 'desc',
  'least often': 'asc',
  'least frequently': 'asc',
}

/** `customers who ordered more than once`, `which product was returned most often`: the clause just read, counted. */
export const timesRule: Rule = (p) => {
  const often = phraseAt(p, p.at, Object.keys(OFTEN))
  const times = timesAt(p, p.at)
  const { conditions: all } = p.reading
  const has = all.at(-1)
  if ((often === undefined && times === undefined) || has?.kind !== 'has' || has.negated) return false
  const entity = has.entity === 'sale' ? (p.sales.header?.entity ?? p.sales.line?.entity) : has.entity
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
  const owner = p.clause?.entity ?? p.anchor?.entity ?? subjectEntity(p)
  if (adjective !== undefined) {
    const comparative = COMPARATIVES[adjective.phrase]
    const number = p.tokens[p.at + adjective.length]
    if (comparative === undefined || owner === undefined || number?.value === undefined || number.kind !== 'number') {
      return refuse(`I do not know what to compare with after “${adjective.phrase}”.`)
    }
    const compared = withUnit(p, { op: comparative.op, amount: number.value }, p.at + adjective.length + 1)
    return addCompare(p, columnFor(owner, comparative.columns, adjective.phrase), compared)
  }
  const isPriced =
    isForm(p, p.at, ['price', 'cost']) && comparisonAt(p, p.at + 1) !== undefined && attributeAt(p, p.at) === undefined
  const price = isForm(p, p.at, ['cost']) && attributeAt(p, p.at) === undefined ? p.tokens[p.at + 1] : undefined
  if (price?.kind === 'number' && price.value !== undefined && owner !== undefined) {
    if (comparisonAt(p, p.at + 1) !== undefined) return false
    const exact = withUnit(p, { op: '=', amount: price.value }, p.at + 2)
    return addCompare(p, columnFor(owner, PRICE_WORDS, word(p, p.at)), exact)
  }
  const compared = comparisonAt(p, p.at + (isPriced ? 1 : 0))
  if (compared === undefined) return false
  if (isPriced && owner !== undefined) return addCompare(p, columnFor(owner, PRICE_WORDS, word(p, p.at)), compared)
  return addMetric(p, compared)
}

/** A number with what it counts: `more than 5 orders`, `sold at least 3 units`, `spent over 40`. */
function addMetric(p: Parser, compared: Compared): boolean {
  const verb = p.reading.saleVerb
  const measure = metricMeasure(p, compared, verb)
  if (measure === 'attribute') return true
  if (measure === undefined) {
    const text = p.tokens
      .slice(p.at, compared.next + 1)
      .map((t) => t.text)
      .join(' ')
    return refuse(`I do not know what “${text}” measures. Please name a column or a figure.`)
  }
  delete p.reading.saleVerb
  const conditions = [...(measure.conditions ?? [])]
  addCondition(p, { kind: 'metric', measure: measure.measure, bound: compared.bound, conditions, ...anchored(p) })
  p.at = measure.next
  // What follows belongs to the things counted: `more than 3 orders in 2023`.
  const entity =
    measure.measure.kind === 'count' ? measure.measure.entity : (p.sales.header?.entity ?? p.sales.line?.entity)
  if (entity !== undefined) {
    p.clause = { conditions, entity }
    p.anchor = { entity }
  }
  return true
}

interface Metric {
  readonly measure: Measure
  readonly next: number
  /** Said of what is counted: `more than 2 open orders`. */
  readonly conditions?: readonly Condition[]
}

function metricMeasure(
  p: Parser,
  compared: Compared,
  verb: 'money' | 'units' | undefined,
): Metric | 'attribute' | undefined {
  const money = { kind: 'money', aggregate: 'sum', word: 'revenue' } as const
  const noun = skip(p, compared.next, 'in of different distinct unique')
  if (isMoneyNoun(p, noun) && !isForm(p, noun, ['sale'])) return { measure: money, next: noun + 1 }
  if (isForm(p, noun, UNIT_NOUNS) && p.names.entitiesAt(noun).length === 0)
    return { measure: { kind: 'units' }, next: noun + 1 }
  const phrase = compared.unit === undefined && attributeAt(p, noun) === undefined ? nounPhraseAt(p, noun) : undefined
  if (phrase !== undefined) {
    const { match, conditions, next } = phrase
    const isUnits = verb === 'units' && isSoldItem(p.sales, match.entity)
    const via = match.via === undefined ? {} : { via: match.via }
    return {
      measure: isUnits ? { kind: 'units', of: match.entity } : { kind: 'count', entity: match.entity, ...via },
      next,
      conditions,
    }
  }
  const attribute = attributeAt(p, noun)
  if (attribute !== undefined && compared.unit === undefined) {
    addCompare(p, attribute, { ...compared, next: noun + attribute.length })
    return 'attribute'
  }
  if (verb === 'money') return { measure: money, next: compared.next }
  return unnamedAmount(p, compared, money)
}

/** `invoices over 20`: the one amount that a row of them is about. */
function unnamedAmount(
  p: Parser,
  compared: Compared,
  money: Extract<Measure, { kind: 'money' }>,
): Metric | 'attribute' | undefined {
  const owner = p.clause?.entity ?? p.anchor?.entity ?? subjectEntity(p)
  if (owner === undefined || compared.unit !== undefined || p.tokens[compared.next]?.kind === 'number') return undefined
  const amount = amountOf(owner)
  if (amount !== undefined) {
    addCompare(p, asMatch(amount, 'amount'), compared)
    return 'attribute'
  }
  const isSale = owner === p.sales.header?.entity && p.sales.header.total === undefined && p.sales.line !== undefined
  return isSale ? { measure: { ...money, word: `${owner.noun} value` }, next: compared.next } : undefined
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
  const entity = p.sales.header?.entity ?? p.sales.line?.entity
  if (entity !== undefined) p.clause = { conditions, entity }
  return true
}
