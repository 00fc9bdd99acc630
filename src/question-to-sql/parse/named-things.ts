import { unitOf } from '../../terms/column-words.ts'
import { given } from '../../core/given.ts'
import { saleOf } from '../../terms/sales.ts'
import { SALE_NOUNS } from '../../terms/vocabulary.ts'
import { distance } from '../../terms/joins.ts'
import { isNumeric, type Entity } from '../../terms/catalogue.ts'
import { EXACT, type AttributeCandidate, type AttributeMatch, type EntityMatch } from '../../terms/names.ts'
import { isFlag } from '../../terms/flags.ts'
import type { Dimension } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { GRAIN_ADVERBS, GRAINS } from '../words/lexicon.ts'
import { reportsAt } from './hierarchy.ts'
import { isForm, isMoneyNoun, phraseAt, skip, word, type Parser } from './parser.ts'
import { dateAt } from '../words/dates.ts'

/** The one table named here. A name that fits several stops the question, unless a column name fits better. */
export function entityAt(p: Parser, at: number): EntityMatch | undefined {
  const matches = p.names.entitiesAt(at)
  const [first, ...others] = matches
  if (first !== undefined) {
    if (others.length === 0) return first
    const tables = matches.filter((m) => m.via === undefined)
    if (tables.length === 1) return tables[0]
    const sameTable = matches.every((m) => m.entity === first.entity)
    if (sameTable) return { entity: first.entity, length: first.length, score: first.score }
    const text = p.tokens
      .slice(at, at + first.length)
      .map((t) => t.text)
      .join(' ')
    return refuse(
      `“${text}” could mean ${listed(matches.map((m) => m.entity.table.name))}. Please say which table you mean.`,
    )
  }
  const reports = reportsAt(p, at)
  if (reports !== undefined) return reports
  const event = saleOf(p.sales)
  const isSaleNoun = isForm(p, at, SALE_NOUNS) && !isMoneyNoun(p, at)
  return isSaleNoun && event !== undefined ? { entity: event, length: 1, score: 1 } : undefined
}

/** A column named here, unless a table name fits the words better. */
export function attributeAt(p: Parser, at: number): AttributeMatch | undefined {
  const match = p.names.attributesAt(at)
  if (match === undefined) return undefined
  const entity = p.names.entitiesAt(at)[0]
  if (entity === undefined) return match
  const score = match.candidates[0]?.score ?? 0
  if (entity.length !== match.length) return entity.length > match.length ? undefined : match
  // “revenue”, of a view that has such a column: the amounts, and not its rows.
  const isOwnFigure = ({ attribute }: AttributeCandidate): boolean =>
    attribute.entity === entity.entity && attribute.entity.table.kind === 'view' && isNumeric(attribute)
  if (!p.counting && score === EXACT && match.candidates.some(isOwnFigure)) return match
  return score === EXACT && entity.score < EXACT ? match : undefined
}

/** A year, quarter, month or day to break down by; a column of that very name comes first, where what is asked for leads to it. */
export function grainAt(p: Parser, at: number): { readonly dimension: Dimension; readonly next: number } | undefined {
  const weekday = phraseAt(p, at, ['day of the week', 'day of week'])
  const calendar = word(p, at) === 'calendar' ? 1 : 0
  const grain = weekday === undefined ? (GRAINS[word(p, at + calendar)] ?? GRAIN_ADVERBS[word(p, at)]) : 'weekday'
  const column = p.names.attributesAt(at)
  const isColumn = column?.candidates.some(
    ({ score, attribute }) =>
      score === EXACT && attribute.words.at(-1) === word(p, at) && isWithin(p, attribute.entity),
  )
  if (grain === undefined || isColumn === true) return undefined
  return { dimension: { kind: 'grain', grain }, next: at + (weekday?.length ?? calendar + 1) }
}

/** Is this one of the tables that the question speaks of, or one that they lead to? */
function isWithin(p: Parser, entity: Entity): boolean {
  const named = p.tokens.flatMap((_, at) => p.names.entitiesAt(at).map((match) => match.entity))
  const sale = saleOf(p.sales)
  const spoken = named.length > 0 || sale === undefined ? named : [sale]
  const isTable = entity.table.kind === 'table'
  return spoken.length === 0 || spoken.some((one) => one === entity || (isTable && distance(one, entity) !== undefined))
}

/** What can be broken down by at this place, with its length. */
export function dimensionAt(
  p: Parser,
  start: number,
): { readonly dimension: Dimension; readonly next: number } | undefined {
  const at = skip(p, start)
  const grain = grainAt(p, at)
  if (grain !== undefined) return grain
  const attribute = attributeAt(p, at)
  // `per active customer` is a filter in disguise, which a breakdown cannot take.
  const isAdjective = attribute?.candidates.some((c) => isFlag(p.catalogue, c.attribute)) === true
  if (attribute !== undefined && isAdjective && entityAt(p, at + attribute.length) !== undefined) return undefined
  // “per minute”, where a length is in minutes: what it is counted in is nothing to break down by.
  const unit = unitOf(word(p, at))
  if (attribute?.length === 1 && unit !== undefined && attribute.candidates.some((c) => c.attribute.unit === unit))
    return undefined
  if (attribute !== undefined) {
    // `country of the customer`
    const of = word(p, at + attribute.length) === 'of' ? skip(p, at + attribute.length) : -1
    const owner = of < 0 || attribute.owner !== undefined || p.values.has(of) ? undefined : p.names.entitiesAt(of)[0]
    const candidates = attribute.candidates.filter((c) => c.attribute.entity === owner?.entity)
    if (owner === undefined || candidates.length === 0)
      return { dimension: { kind: 'attribute', match: attribute }, next: at + attribute.length }
    const match = { ...attribute, candidates, owner: owner.entity }
    return { dimension: { kind: 'attribute', match }, next: of + owner.length }
  }
  const entity = entityAt(p, at)
  if (entity === undefined) return undefined
  const via = given({ via: entity.via })
  return { dimension: { kind: 'entity', entity: entity.entity, ...via }, next: at + entity.length }
}

/** Is there a time further on, before another verb or noun that it could belong to? */
export function isDatedLater(p: Parser, start: number): boolean {
  for (let at = start; at < p.tokens.length && p.tokens[at]?.kind !== 'comma'; at++) {
    if (dateAt(p.tokens, at, p.today) !== undefined) return true
    if (at > start && p.names.entitiesAt(at).length > 0 && !p.values.has(at)) return false
  }
  return false
}
