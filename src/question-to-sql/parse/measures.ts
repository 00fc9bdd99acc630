import { onlyOf } from '../../core/only.ts'
import { given } from '../../core/given.ts'
import { asMatch } from '../../terms/amounts.ts'
import { isNumeric } from '../../terms/catalogue.ts'
import { singular } from '../../terms/words.ts'
import { refuse } from '../refusal.ts'
import { REVENUE, UNITS_SOLD } from '../../terms/terms.ts'
import { metricAt } from '../../terms/metrics.ts'
import { PARTIAL } from '../../terms/names.ts'
import type { Aggregate, Condition, Measure, Ranking } from '../reading.ts'
import { isSoldItem } from '../../terms/sold.ts'
import { MONEY_VERBS, SALE_VERBS, UNIT_NOUNS } from '../words/lexicon.ts'
import { attributeAt } from './named-things.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import { isForm, isMoneyNoun, skip, word, type Parser } from './parser.ts'

/** A figure that was read, and where it ends. */
export interface MeasureMatch {
  readonly measure: Ranking
  readonly next: number
  /** What is said of the things counted, before their name. */
  readonly conditions?: readonly Condition[]
}

/** A figure that ends before this place. */
export function figureTo(next: number, measure: Measure): MeasureMatch {
  return { measure: { kind: 'measure', measure }, next }
}

/** Money that came in, or units sold. */
export function moneyOrUnits(p: Parser, at: number, aggregate: Aggregate): MeasureMatch | undefined {
  const named = metricAt(p.catalogue, p.tokens, at)
  const metric = (p.names.entitiesAt(at)[0]?.length ?? 0) > (named?.length ?? 0) ? undefined : named
  if (metric !== undefined && aggregate !== 'sum')
    return refuse(`“${metric.name}” is defined in the terms; I do not know its average, lowest or highest of what.`)
  if (metric !== undefined) return figureTo(at + metric.length, ofMetric(metric.name))
  if (isMoneyNoun(p, at) && p.names.attributesAt(at) === undefined) {
    const double = isMoneyNoun(p, at + 1) ? 1 : 0
    const noun = isForm(p, at + 1 + double, ['amount', 'value', 'volume', 'figure']) ? 1 : 0
    const text = isForm(p, at, ['sale']) && double === 0 ? 'sales' : 'revenue'
    return figureTo(at + 1 + double + noun, { kind: 'money', aggregate, word: text })
  }
  const made =
    isForm(p, at, UNIT_NOUNS) && entityIsAbsent(p, at)
      ? quantityMade(p, skip(p, at + 1, 'were was have has been did we get'))
      : undefined
  if (made !== undefined) return made
  const isSold =
    (isForm(p, at, UNIT_NOUNS) && isForm(p, at + 1, SALE_VERBS)) ||
    (isForm(p, at, ['quantity']) && isForm(p, at + 1, ['sell']))
  return isSold ? figureTo(at + 2, { kind: 'units' }) : undefined
}

function ofMetric(name: string): Measure {
  if (name === REVENUE) return { kind: 'money', aggregate: 'sum', word: name }
  return name === UNITS_SOLD ? { kind: 'units' } : { kind: 'metric', name }
}

/** `units returned`: the quantities of the table whose rows come about by that verb. */
function quantityMade(p: Parser, at: number): MeasureMatch | undefined {
  const made = word(p, at).endsWith('ed') ? onlyOf(p.names.entitiesAt(at)) : undefined
  const quantities = made?.entity.attributes.filter(
    (a) => isNumeric(a) && /^(quantity|unit)$/.test(singular(a.words.at(-1) ?? '')),
  )
  const quantity = onlyOf(quantities ?? [])
  if (made === undefined || quantity === undefined) return undefined
  p.anchor = { entity: made.entity }
  return figureTo(at + 1, { kind: 'column', aggregate: 'sum', match: asMatch(quantity, p.tokens[at]?.text ?? '') })
}

/** A count named here, after `number of`. */
export function countAt(p: Parser, start: number): MeasureMatch | undefined {
  const at = skip(p, start)
  const isDistinct = isForm(p, at, ['different', 'distinct', 'unique'])
  const noun = at + (isDistinct ? 1 : 0)
  if (isForm(p, noun, UNIT_NOUNS) && entityIsAbsent(p, noun)) {
    const sold = isForm(p, noun + 1, SALE_VERBS) ? 1 : 0
    return figureTo(noun + 1 + sold, { kind: 'units' })
  }
  const counted = nounPhraseAt(p, noun)
  if (counted !== undefined) {
    const { match, conditions, next } = counted
    const via = given({ via: match.via })
    const count = figureTo(next, { kind: 'count', entity: match.entity, ...via })
    return conditions.length === 0 ? count : { ...count, conditions }
  }
  const attribute = attributeAt(p, noun)
  if (attribute === undefined || !isDistinct) return undefined
  return figureTo(noun + attribute.length, { kind: 'distinct', match: attribute })
}

/** Items before or after a verb of trade are units of them: `most tracks sold`, `bought the most tracks`. The verb goes with them. */
export function ofTrade(p: Parser, found: MeasureMatch): MeasureMatch {
  const { measure: by, next } = found
  const counted = by.kind === 'measure' && by.measure.kind === 'count' ? by.measure.entity : undefined
  const isTraded = isForm(p, next, SALE_VERBS)
  const isItem = counted !== undefined && (isTraded || p.reading.saleVerb === 'units') && isSoldItem(p.sales, counted)
  const isUsed = isForm(p, next, MONEY_VERBS) || (isTraded && (isItem || counted === undefined))
  return {
    ...found,
    measure: isItem ? { kind: 'measure', measure: { kind: 'units', of: counted } } : by,
    next: next + (isUsed ? 1 : 0),
  }
}

/** No table is named here, or only by a part of its name. */
export function entityIsAbsent(p: Parser, at: number): boolean {
  return p.names.entitiesAt(at).every((m) => m.score <= PARTIAL)
}

/** Takes what was read into the reading, if it is a figure. */
export function addFigure(p: Parser, found: MeasureMatch | undefined): boolean {
  return found?.measure.kind === 'measure' && addMeasure(p, found.measure.measure, found.next)
}

/** Takes a figure into the reading. */
export function addMeasure(p: Parser, measure: Measure, next: number): boolean {
  noteFigure(p)
  p.reading.measures.push(measure)
  p.at = next
  return true
}

/** Keeps account of whether the figures of a question are a plain list. */
export function noteFigure(p: Parser): void {
  const { reading } = p
  if (reading.measures.length === 0 && reading.counted === undefined && !p.counting) return
  let before = p.at - 1
  while (/^(the|our|its|their|also|a|an|of)$/.test(word(p, before))) before--
  const isListed = /^(and|,|plus)$/.test(word(p, before)) && reading.conditions.length === 0 && !p.counting
  reading.isJoined = isListed && reading.isJoined !== false
}
