import { onlyOf } from '../../core/only.ts'
import { saleOf } from '../../terms/sales.ts'
import { BUYERS, PAY } from '../../terms/vocabulary.ts'
import { qualifiedName, type Entity } from '../../terms/catalogue.ts'
import type { Measure, Reading } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { AGGREGATES } from '../words/lexicon.ts'
import { nameOf, type PlanContext } from './scope.ts'
import { isSoldItem } from '../../terms/sold.ts'

/** Settles what only the whole question can tell: who “who” is, what a verb of trade measures. Changes the reading. */
export function settle(context: PlanContext, reading: Reading): void {
  settleWho(context, reading)
  refuseSalary(context, reading)
  settleSale(context, reading)
  settleMedian(context, reading)
}

/** `median price` was read as an average; it is one figure, of rows or of groups. */
function settleMedian({ hints, catalogue }: PlanContext, reading: Reading): void {
  if (!hints.includes('median')) return
  const isName = catalogue.entities.some((e) => e.attributes.some((a) => a.words.includes('median')))
  const isAverage = (m: Measure): boolean => m.kind === 'average' || ('aggregate' in m && m.aggregate === 'avg')
  const isTwice = hints.filter((w) => AGGREGATES[w] === 'avg').length > 1
  const isBound = reading.conditions.some((c) => c.kind === 'metric' && isAverage(c.measure))
  const isWhich = reading.who || (reading.subject && hints.some((w) => /^(?:which|that|has|have|with)$/.test(w)))
  if (isName || isTwice || isBound || reading.share || (isWhich && reading.ranking === undefined))
    refuse('I can compute one median, of a column or of a figure per group. Please ask for it by itself.')
  let found = 0
  const medianOf = (m: Measure): Measure => {
    if (!isAverage(m)) return m
    found++
    return m.kind === 'average' ? { ...m, isMedian: true } : { kind: 'average', of: m, isMedian: true }
  }
  reading.measures = reading.measures.map(medianOf)
  const { ranking } = reading
  if (ranking?.by?.kind === 'measure')
    reading.ranking = { ...ranking, by: { kind: 'measure', measure: medianOf(ranking.by.measure) } }
  if (found === 0) refuse('I do not see what the median is of. Please name a column, or a figure and “per …”.')
}

/** What a person is paid is not what was sold. */
function refuseSalary(context: PlanContext, reading: Reading): void {
  if (!context.hints.some((h) => h.startsWith('earn'))) return
  const spoken = [reading.subject, reading.counted, ...reading.groups].flatMap((d) =>
    d?.kind === 'entity' ? [d.entity] : [],
  )
  const persons = reading.conditions.flatMap((c) => (c.kind === 'person' ? [c.entity] : []))
  for (const entity of [...spoken, ...persons]) {
    const pay = entity.attributes.find((a) => a.words.some((w) => PAY.includes(w)))
    if (pay !== undefined) refuse(`“earn” could mean ${nameOf(pay)} or revenue. Please name the one you mean.`)
  }
}

/** `who spent …` is about customers, if there is such a table. */
function settleWho(context: PlanContext, reading: Reading): void {
  // “Who has the heaviest pet?” asks for no pet.
  const isHolder =
    reading.who && reading.ranking?.by?.kind === 'attribute' && /^(has|have|had|owns?)$/.test(context.hints[1] ?? '')
  if (isHolder && reading.subject !== undefined)
    refuse('I do not see who is meant by “who”. Please name the table, as in “which …”.')
  if (!reading.who || reading.subject !== undefined || reading.counted !== undefined) return
  const by = reading.ranking?.by
  if (by?.kind === 'attribute') {
    const best = by.match.candidates.filter((c) => c.score === by.match.candidates[0]?.score)
    const entity = onlyOf([...new Set(best.map((c) => c.attribute.entity))].filter((e) => e.label.length > 1))
    if (entity !== undefined) reading.subject = { kind: 'entity', entity }
    return
  }
  const named = whoIs(context, reading)
  if (named !== undefined) {
    reading.subject = { kind: 'entity', entity: named }
    return
  }
  if (!isBuying(context, reading)) return
  const only = onlyOf(context.catalogue.entities.filter((e) => BUYERS.includes(e.noun)))
  if (only === undefined || context.hints.some((h) => h.startsWith('earn'))) return
  context.assumptions.add(`“who” is taken to ask for ${only.nouns}`)
  reading.subject = { kind: 'entity', entity: only }
}

/** Does the question speak of what customers do: spend, buy, order? Tickets are handled by others. */
function isBuying(context: PlanContext, reading: Reading): boolean {
  const sale = saleOf(context.sales)
  const by = reading.ranking?.by?.kind === 'measure' ? reading.ranking.by.measure : undefined
  const ofSales = (m: Measure | undefined): boolean =>
    m?.kind === 'money' || m?.kind === 'units' || (m?.kind === 'count' && m.entity === sale)
  return (
    reading.saleVerb !== undefined ||
    ofSales(by) ||
    reading.conditions.some(
      (c) =>
        (c.kind === 'has' && (c.entity === 'sale' || c.entity === sale)) || (c.kind === 'metric' && ofSales(c.measure)),
    )
  )
}

/** `who is Callum Westering`, `who is the Head of Sales`: the one table of people that the value is in. */
function whoIs(context: PlanContext, reading: Reading): Entity | undefined {
  const condition = onlyOf(reading.conditions)
  if (condition?.kind === 'person') return condition.entity
  if (condition?.kind !== 'value') return undefined
  const people = context.catalogue.entities.filter(
    (e) => e.label.length > 1 && condition.alternatives.every((hits) => hits.some((h) => h.table === qualifiedName(e))),
  )
  if (people.length > 1)
    refuse(`“${condition.text}” could be about ${listed(people.map((e) => e.nouns))}. Please say which.`)
  return people[0]
}

/** `how many products do we sell`: in the present and without a time, what is on offer. */
function isOffer(context: PlanContext, reading: Reading): boolean {
  const said = ` ${context.hints.join(' ')} `
  const hasTime = reading.conditions.some((c) => c.kind === 'date') || reading.groups.some((g) => g.kind === 'grain')
  return / do (we|you|they) sell /.test(said) && !hasTime
}

/** `how many tracks were sold` asks for units; a verb of trade that nothing used stops the question. */
function settleSale(context: PlanContext, reading: Reading): void {
  const { saleVerb, counted } = reading
  if (saleVerb === undefined || reading.measures.length > 0 || reading.ranking?.by !== undefined) return
  const isItem = counted?.kind === 'entity' && isSoldItem(context.sales, counted.entity)
  if (saleVerb === 'units' && isItem && isOffer(context, reading)) {
    delete reading.saleVerb
    context.assumptions.add(`“do we sell” is read as how many ${counted.entity.nouns} there are, not as units sold`)
    return
  }
  if (saleVerb === 'units' && isItem) {
    delete reading.counted
    if (counted.entity !== context.sales.line?.entity)
      context.assumptions.add(`“${counted.entity.nouns} sold” adds up quantities`)
    reading.measures.push({ kind: 'units', of: counted.entity })
    return
  }
  if (reading.share && saleVerb === 'money') return
  refuse(
    'I do not see what the sale in the question should be measured by. Please say: units, revenue, or the number of what.',
  )
}
