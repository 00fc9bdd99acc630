import { given } from '../../core/given.ts'
import { isMoney } from '../../terms/catalogue.ts'
import { amountOf, asMatch } from '../../terms/amounts.ts'
import { AGGREGATES, GRAIN_ADVERBS, MONEY_VERBS, SALE_VERBS, UNIT_NOUNS } from '../words/lexicon.ts'
import { EXACT } from '../../terms/names.ts'
import {
  isForm,
  isMoneyNoun,
  isPhrase,
  phraseAt,
  skip,
  word,
  type Parser,
  type Rule,
  REVENUE_MEASURE,
} from './parser.ts'
import { attributeAt } from './named-things.ts'
import { isFlag } from '../../terms/flags.ts'
import type { Aggregate } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import {
  addFigure,
  addMeasure,
  countAt,
  entityIsAbsent,
  figureTo,
  moneyOrUnits,
  noteFigure,
  type MeasureMatch,
} from './measures.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import { amountOfVerb, isAmountNoun } from './rules-amount.ts'
import { averageAt } from './rules-average.ts'
import { howMuch } from './rules-how-much.ts'

const COUNTERS = ['total number of', 'number of', 'count of', 'total count of', 'how many']

/** A figure named here: `number of orders`, `total revenue`, `average unit price`, `units sold`, `orders`. */
export function measureAt(p: Parser, start: number, isBareCount: boolean): MeasureMatch | undefined {
  const at = skip(p, start, 'the their its a an')
  const counter = phraseAt(p, at, COUNTERS)
  if (counter !== undefined) return countAt(p, at + counter.length)
  const average = averageAt(p, at)
  if (average !== undefined) return average
  const amountOf = phraseAt(p, at, ['total amount of', 'amount of', 'total amount', 'sum of'])
  const aggregate = AGGREGATES[word(p, at)]
  const money = amountOf === undefined ? -1 : skip(p, at + amountOf.length)
  if (isMoneyNoun(p, money) || isForm(p, money, ['spend', 'earn'])) return figureTo(money + 1, REVENUE_MEASURE)
  if (aggregate !== undefined) {
    const inner = skip(p, at + 1, 'of the a an all')
    const found = valueOf(p, inner, aggregate)
    if (found !== undefined) return found
  }
  const plain = moneyOrUnits(p, at, 'sum')
  if (plain !== undefined) return plain
  const attribute = attributeAt(p, at)
  // “most cancelled flights”: what says yes or no of the noun behind it is no figure.
  const isFlagOf = attribute?.candidates.some((c) => isFlag(p.catalogue, c.attribute)) === true
  if (isBareCount && isFlagOf && p.names.entitiesAt(at + attribute.length).length > 0) return countAt(p, at)
  if (attribute !== undefined) return { measure: { kind: 'attribute', match: attribute }, next: at + attribute.length }
  return isBareCount ? countAt(p, at) : undefined
}

/** `average price of products`: the table after `of` says whose price. */
function valueOf(p: Parser, at: number, aggregate: Aggregate): MeasureMatch | undefined {
  const plain = moneyOrUnits(p, at, aggregate)
  if (plain !== undefined) return plain
  const match = attributeAt(p, at)
  if (match === undefined) return undefined
  const next = at + match.length
  const isOpen = match.owner === undefined && /^(of|for)$/.test(word(p, next))
  const of = isOpen ? skip(p, next + 1) : -1
  const anchor = of < 0 || p.values.has(of) ? undefined : p.names.entitiesAt(of)[0]?.entity
  return figureTo(next, { kind: 'column', aggregate, match, ...given({ anchor }) })
}

/** `how many`, `number of`, `count`: the noun that follows is what is counted. */
export const countRule: Rule = (p) => {
  if (p.clause !== undefined && !isPhrase(p, p.at, 'how many')) return false
  const opener = phraseAt(p, p.at, ['how many', 'total number of', 'the number of', 'number of', 'count of', 'count'])
  if (opener === undefined) return false
  // “and how many” after a ranking or a breakdown asks to show the figure, which is shown anyway.
  const isShown =
    p.reading.ranking === undefined
      ? p.reading.measures.length === 0 && p.reading.subject !== undefined
      : word(p, p.at - 1) === 'and'
  if (isShown && p.at + opener.length >= p.tokens.length) {
    p.at += opener.length
    return true
  }
  const first = skip(p, p.at + opener.length)
  // “pieces of equipment”: the things themselves.
  const isPieces =
    isForm(p, first, UNIT_NOUNS) && word(p, first + 1) === 'of' && p.names.entitiesAt(first + 2).length > 0
  const next = isPieces ? first + 2 : first
  const isSold = entityIsAbsent(p, next) && p.tokens.some((_, i) => isForm(p, i, SALE_VERBS))
  const units = moneyOrUnits(p, next, 'sum') ?? (isSold ? figureTo(next + 1, { kind: 'units' }) : undefined)
  if (isForm(p, next, UNIT_NOUNS) && !p.counting && addFigure(p, units)) return true
  const second = p.counting ? undefined : measureAt(p, p.at, false)
  if (second?.conditions !== undefined && (p.reading.counted !== undefined || p.reading.measures.length > 0))
    return refuse('The second count has a condition of its own. Please ask for one figure at a time.')
  if (p.reading.counted !== undefined && addFigure(p, second)) return true
  if (!p.counting && p.reading.measures.length > 0) noteFigure(p)
  if (p.counting || p.reading.counted !== undefined)
    return refuse('The question asks for two counts. Please ask for one figure at a time.')
  p.counting = true
  p.at = next
  return true
}

/** `different`, `distinct`, `unique`. */
export const distinctRule: Rule = (p) => {
  if (!isForm(p, p.at, ['different', 'distinct', 'unique'])) return false
  p.reading.distinct = true
  p.at++
  return true
}

/** `how much`, money nouns, `average …`, `total …`, `units sold`. */
export const figureRule: Rule = (p) => {
  if (isPhrase(p, p.at, 'how much')) return howMuch(p)
  const aggregate = AGGREGATES[word(p, p.at)]
  if (addFigure(p, averageAt(p, p.at))) return true
  if (aggregate === undefined) {
    const money = moneyOrUnits(p, p.at, 'sum')
    if (money === undefined) return false
    if (/^(in|at)$/.test(word(p, p.at - 1)) && (p.reading.subject ?? p.reading.counted) !== undefined) {
      return refuse(
        `I do not know what “in ${p.tokens[p.at]?.text}” means here: no column of ${p.catalogue.database} holds that value.`,
      )
    }
    return addFigure(p, money)
  }
  if (pairOfAggregates(p)) return true
  const own = attributeAt(p, p.at)
  if (own !== undefined && own.length > 1 && own.candidates[0]?.score === EXACT) {
    // `total amount` is a column of that name before it is a sum of amounts.
    if (p.reading.subject !== undefined || p.reading.counted !== undefined || aggregate !== 'sum') return false
    return addMeasure(p, { kind: 'column', aggregate: 'sum', match: own }, p.at + own.length)
  }
  const of = word(p, p.at + 1) === 'of' ? skip(p, p.at + 2) : -1
  const whole = of < 0 || own === undefined ? undefined : nounPhraseAt(p, of)?.match
  const isOwn = own?.candidates.some((c) => c.attribute.entity === whole?.entity) === true
  if (isOwn && whole !== undefined && aggregate === 'sum')
    return addMeasure(p, { kind: 'column', aggregate, match: own, anchor: whole.entity }, p.at + 1)
  if (aggregate === 'sum' && totalOfRows(p)) return true
  // `total` is also a column's name.
  return addFigure(p, measureAt(p, p.at, false))
}

/** `total payments`, `sum of unpaid invoices`: what the rows come to, or how many there are. */
function totalOfRows(p: Parser): boolean {
  const start = skip(p, p.at + 1, 'of the all our')
  const made = word(p, start).endsWith('ed') && !p.values.has(start) ? amountOfVerb(p, start) : undefined
  if (made?.at === start) {
    p.used.add(start)
    return addMeasure(p, { kind: 'column', aggregate: 'sum', match: asMatch(made.attribute, word(p, start)) }, start)
  }
  const thing = attributeAt(p, start) === undefined ? nounPhraseAt(p, start)?.match : undefined
  if (thing === undefined || isMoneyNoun(p, start)) return false
  const { entity } = thing
  const amounts = entity.attributes.filter(isMoney)
  const amount = amountOf(entity)
  const isSum = start > p.at + 1 || word(p, p.at) === 'sum' || isAmountNoun(entity.noun)
  if (isSum && amount !== undefined)
    return addMeasure(p, { kind: 'column', aggregate: 'sum', match: asMatch(amount, entity.nouns) }, start)
  if (isSum && entity === p.sales.header?.entity && p.sales.line !== undefined)
    return addMeasure(p, REVENUE_MEASURE, start)
  if (amounts.length > 0)
    return refuse(
      `“${word(p, p.at)} ${entity.nouns}” could be their number or the sum of ${listed(amounts.map((a) => a.column.name))}. Please say “number of” or name the column.`,
    )
  if (isSum) return false
  p.counting = true
  p.at++
  return true
}

/** `min and max price`: two aggregates of one thing. */
function pairOfAggregates(p: Parser): boolean {
  const joint = word(p, p.at + 1)
  const [first, second] = [AGGREGATES[word(p, p.at)], AGGREGATES[word(p, p.at + 2)]]
  if (joint !== 'and' || first === undefined || second === undefined || first === second) return false
  const found = measureAt(p, p.at + 2, false)
  const measure = found?.measure.kind === 'measure' ? found.measure.measure : undefined
  if (found === undefined || measure?.kind !== 'column') return false
  addMeasure(p, { ...measure, aggregate: first }, p.at)
  p.at += 2
  return addMeasure(p, measure, found.next)
}

/** `monthly sales`: an adverb of time before a figure is a breakdown. */
export const adverbRule: Rule = (p) => {
  const grain = GRAIN_ADVERBS[word(p, p.at)]
  if (grain === undefined) return false
  p.reading.groups.push({ kind: 'grain', grain })
  p.at++
  return true
}

/** Verbs of money and trade, where they are not the start of a clause. */
export const saleVerbRule: Rule = (p) => {
  const isMoneyMake =
    isForm(p, p.at, ['make', 'bring']) &&
    (p.reading.measures.some((m) => m.kind === 'money') || moneyFollows(p, p.at + 1))
  if (isForm(p, p.at, MONEY_VERBS) || isMoneyMake) {
    const subject = p.reading.measures.some((m) => m.kind === 'money')
    if (!subject) p.reading.saleVerb = 'money'
    p.at = skip(p, p.at + 1, 'in')
    return true
  }
  // “purchase orders” may be a table.
  const isName = p.names.entitiesAt(p.at).some((m) => m.length > 1)
  if (!isForm(p, p.at, SALE_VERBS) || isName) return false
  p.reading.saleVerb = p.reading.saleVerb ?? 'units'
  p.at++
  return true
}

function moneyFollows(p: Parser, start: number): boolean {
  const at = skip(p, start, 'in the a most least highest lowest more than over at less')
  return isMoneyNoun(p, at) || isMoneyNoun(p, at + 1)
}

/** `share of`, `percentage of`, `what percent of`. */
export const shareRule: Rule = (p) => {
  if (isOfName(p)) return ++p.at > 0
  const at = skip(p, p.at, 'the')
  if (!isForm(p, at, ['share', 'percentage', 'percent', 'proportion', 'fraction'])) return false
  if (p.reading.share) return refuse('The question asks for two shares. Please ask for one at a time.')
  p.reading.share = true
  if (word(p, at - 1) === "'s") p.reading.isAmong = true
  p.at = skip(p, at + 1, 'of the all total our')
  if (p.reading.measures.length === 0 && moneyOrUnits(p, p.at, 'sum') === undefined) p.counting = true
  return true
}

/** “discount %”, where a column is called so: no share of anything. */
function isOfName(p: Parser): boolean {
  return (
    word(p, p.at) === 'percent' &&
    p.tokens.some((_, start) => {
      const named = start < p.at ? p.names.attributesAt(start) : undefined
      const isAll = named !== undefined && start + named.length === p.at
      return isAll && named.candidates.every(({ attribute: { column } }) => /%|percent|pct/i.test(column.name))
    })
  )
}
