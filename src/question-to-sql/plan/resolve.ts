import { onlyOf } from '../../core/only.ts'
import type { Attribute, Edge, Entity } from '../../terms/catalogue.ts'
import { isDate, qualifiedName, tellsTime, withoutOwner } from '../../terms/catalogue.ts'
import { choosePath } from './choose-path.ts'
import { distance, isLinkedOnce, isToOne, shortestPaths, type Path } from '../../terms/joins.ts'
import { EXACT, type AttributeMatch } from '../../terms/names.ts'
import type { Condition } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { nameOf, type PlanContext } from './scope.ts'
import type { ValueHit } from '../types.ts'
import { isKindColumn } from '../../terms/kinds.ts'
import { isSoldItem } from '../../terms/sold.ts'
import { MAKERS } from '../../terms/vocabulary.ts'
import { mainDates, tellsOf } from '../../terms/dates.ts'
import { sameWord, sameWords } from '../../terms/words.ts'

/** The column meant by a name, seen from a table. Two equally good columns stop the question. */
export function resolveAttribute(
  context: PlanContext,
  match: AttributeMatch,
  base: Entity,
  anchor?: Entity,
): Attribute {
  const origin = anchor ?? base
  const owned = match.candidates.filter((c) => match.owner === undefined || c.attribute.entity === match.owner)
  const inAnchor = anchor === undefined ? [] : owned.filter((c) => c.attribute.entity === anchor && c.score > 1)
  const pool = inAnchor.length > 0 ? inAnchor : owned
  // Its own column of that very name is nearer than any other; in a large schema, measuring all the others takes long.
  const exact = pool.filter((c) => c.attribute.entity === origin && c.score === EXACT)
  const costed = (exact.length > 0 ? exact : pool).flatMap(({ attribute, score }) => {
    if (attribute.entity.table.kind === 'view' && attribute.entity !== origin) return []
    const steps = distance(origin, attribute.entity) ?? distance(base, attribute.entity)
    return steps === undefined ? [] : [{ attribute, cost: steps + (EXACT - score) * 15 }]
  })
  const least = Math.min(...costed.map((c) => c.cost))
  const best = costed.filter((c) => c.cost === least).map((c) => c.attribute)
  const named =
    best.length > 1
      ? best.filter((a) =>
          a.words.some(
            (w) => !match.text.split(' ').some((t) => sameWord(t, w)) && context.hints.some((h) => sameWord(h, w)),
          ),
        )
      : best
  const [attribute, ...others] = named.length === 1 ? named : ofBuyer(context, base, best)
  if (attribute === undefined) return refuse(`I see no way from ${base.nouns} to a column “${match.text}”.`)
  if (others.length > 0) return refuse(`“${match.text}” could be ${listed(best.map(nameOf))}. Please say which.`)
  if (pool.length > 1 || match.candidates[0]?.score !== EXACT)
    context.assumptions.add(`“${match.text}” is ${nameOf(attribute)}`)
  return attribute
}

/** What was sold where is told by who bought it: the way through the sale wins over the way through the goods. */
function ofBuyer(context: PlanContext, base: Entity, choices: readonly Attribute[]): readonly Attribute[] {
  const { header, line } = context.sales
  if (choices.length < 2 || base !== line?.entity || header === undefined) return choices
  const bought = choices.filter((a) => shortestPaths(base, a.entity)[0]?.some((e) => e.to === header.entity))
  return bought.length === 1 ? bought : choices
}

/** Can this name be found from a table without refusing? */
export function canResolve(context: PlanContext, match: AttributeMatch, base: Entity): Attribute | undefined {
  try {
    return resolveAttribute({ ...context, assumptions: new Set() }, match, base)
  } catch {
    return undefined
  }
}

/** By how much one reading of a value must be nearer than another to be taken unasked. */
const MARGIN = 40

type ValueCondition = Extract<Condition, { kind: 'value' }>

export interface ResolvedValue {
  readonly attribute: Attribute
  readonly values: readonly string[]
}

/** The column that a value is meant to be in. Where several hold it, how it was said decides; a draw stops the question. */
export function resolveValue(context: PlanContext, condition: ValueCondition, base: Entity): ResolvedValue {
  const columns = commonColumns(context, condition)
  const allowed =
    condition.attribute === undefined
      ? columns
      : columns.filter((c) => condition.attribute?.candidates.some((k) => k.attribute === c))
  const soldIn = allowed.filter((a) => isPlace(a) && isSoldWhere(context, condition, base, a))
  const costed = (soldIn.length > 0 ? soldIn : allowed).flatMap((attribute) => {
    const cost = costOf(condition, attribute, base)
    return cost === undefined ? [] : [{ attribute, cost }]
  })
  const least = Math.min(...costed.map((c) => c.cost))
  const best = costed.filter((c) => c.cost === least).map((c) => c.attribute)
  const [attribute, ...others] = ofBuyer(context, condition.anchor ?? base, best)
  if (attribute === undefined) {
    const places = columns.map(nameOf)
    return refuse(
      places.length === 0
        ? `No single column holds ${condition.text}.`
        : `“${condition.text}” is a value of ${listed(places)}, which I cannot relate to ${(condition.anchor ?? base).nouns}.`,
    )
  }
  if (others.length > 0) return refuse(`“${condition.text}” could be ${listed(best.map(nameOf))}. Please say which.`)
  const rivals = costed.filter(
    (c) => isRival(c.attribute, attribute, condition.anchor ?? base) && c.cost < least + MARGIN,
  )
  if (rivals.length > 0) {
    const choices = [attribute, ...rivals.map((c) => c.attribute)].map(nameOf)
    return refuse(
      `“${condition.text}” could be ${listed(choices)}. Please say which, as in “the ${attribute.entity.noun} ${condition.text}”.`,
    )
  }
  const about = condition.anchor ?? base
  if (attribute.entity !== about && !soldIn.includes(attribute) && !saysOfOthers(context, condition, about, attribute))
    return refuse(
      `“${condition.text}” is a value of ${nameOf(attribute)}, which says nothing of ${about.nouns} themselves.`,
    )
  const own = attribute.entity.label.includes(attribute)
    ? undefined
    : about.attributes.find((a) => sameWords(withoutOwner(a), withoutOwner(attribute)))
  if (own !== undefined && attribute.entity !== about)
    return refuse(`“${condition.text}” is no value of ${nameOf(own)}, only of ${listed(columns.map(nameOf), 'and')}.`)
  // “billed to Japan”, where a doctor lives and no patient does: the patients' country is as near.
  const twin = context.catalogue.entities
    .flatMap((e) => e.attributes)
    .find(
      (a) =>
        !columns.includes(a) &&
        isPlace(attribute) &&
        sameWords(withoutOwner(a), withoutOwner(attribute)) &&
        attribute.entity !== about &&
        costOf(condition, a, base) === least,
    )
  if (twin !== undefined)
    return refuse(`“${condition.text}” could be ${listed([nameOf(attribute), nameOf(twin)])}. Please say which.`)
  const rest = columns.filter((c) => c !== attribute).map(nameOf)
  if (rest.length > 0)
    context.assumptions.add(
      `“${condition.text}” is read as ${nameOf(attribute)}, though it also occurs in ${listed(rest, 'and')}`,
    )
  const values = condition.alternatives.flatMap((hits) =>
    hits.filter((h) => isColumn(attribute, h)).map((h) => h.value),
  )
  return { attribute, values: [...new Set(values)] }
}

/**
 * What a value in another table says of these rows: names, kinds and places are also theirs (Rock tracks, customers in an
 * address's city); what state another row is in is not: customers with an open order are no open customers.
 */
function saysOfOthers(context: PlanContext, condition: ValueCondition, about: Entity, attribute: Attribute): boolean {
  const { entity, column } = attribute
  const path = choosePath(about, entity, context.hints, condition.via) ?? []
  const isLinked = isToOne(path) || isLinkedOnce(path)
  // “Hotels are open” speaks of no guest called Open.
  const isState =
    condition.mention === 'state' || (condition.mention === 'adjective' && /^\p{Ll}/u.test(condition.text))
  if (isState && (!isLinked || (entity.label.length > 1 && entity.label.includes(attribute)))) return false
  // Hotels lie where they are, not where the guests come from who booked them.
  if (isPlace(attribute) && crossed(path).length > 0) return false
  tellWay(context, condition.text, about, path)
  if (entity.label.includes(attribute) || isPlace(attribute)) return true
  if (isKindColumn(context.catalogue, { table: qualifiedName(entity), column: column.name })) return true
  const isSaid = condition.anchor === undefined || /^(from|in|by)$/.test(condition.mention)
  return isSaid && reachesOnce(about, entity, context.hints)
}

/** The tables between, where rows are tied to the last one by something that happened: hotels to guests by bookings. */
function crossed(path: Path): readonly string[] {
  if (isToOne(path) || isLinkedOnce(path) || path.at(-1)?.kind === 'many') return []
  return path.slice(0, -1).map((e) => e.to.nouns)
}

/** Says by which tables a value belongs to rows that may have had to do with many such. */
export function tellWay({ assumptions }: PlanContext, text: string, about: Entity, path: Path): void {
  const way = crossed(path)
  if (way.length > 0) assumptions.add(`“${text}” is told of ${about.nouns} through ${listed(way, 'and')}`)
}

/** `best-selling products in Germany`: where they were sold, not where they come from. */
function isSoldWhere(
  context: PlanContext,
  { mention, anchor }: ValueCondition,
  base: Entity,
  place: Attribute,
): boolean {
  const { header, line } = context.sales
  if (mention !== 'in' || header === undefined || base !== line?.entity) return false
  if (anchor !== undefined && !isSoldItem(context.sales, anchor)) return false
  return shortestPaths(base, place.entity)[0]?.some((e) => e.to === header.entity) ?? false
}

/** Two names of things of different kinds: a genre and a playlist called the same. */
function isRival(other: Attribute, chosen: Attribute, about: Entity): boolean {
  const isName = (a: Attribute): boolean => onlyOf(a.entity.label) === a && a.entity !== about
  if (other.entity === chosen.entity) return false
  // “bought AC/DC”: the artist, or the composer of a track?
  const isMaker = isName(other) && MAKERS.test(other.entity.noun)
  return isMaker ? !isPlace(chosen) && chosen.entity !== about : isName(other) && isName(chosen)
}

function isColumn(attribute: Attribute, hit: ValueHit): boolean {
  return qualifiedName(attribute.entity) === hit.table && attribute.column.name === hit.column
}

function commonColumns(context: PlanContext, condition: ValueCondition): readonly Attribute[] {
  return context.catalogue.entities
    .flatMap((e) => e.attributes)
    .filter((a) => condition.alternatives.every((hits) => hits.some((h) => isColumn(a, h))))
}

function costOf(condition: ValueCondition, attribute: Attribute, base: Entity): number | undefined {
  const { anchor, mention } = condition
  const near = anchor === undefined ? undefined : distance(anchor, attribute.entity)
  const far = distance(base, attribute.entity)
  const steps = near ?? (far === undefined ? undefined : far + 40)
  if (steps === undefined || (far === undefined && distance(base, anchor ?? base) === undefined)) return undefined
  const isLabel = attribute.entity.label.includes(attribute)
  const isOwnLabel = isLabel && attribute.entity === (anchor ?? base)
  if (mention === 'named') return steps + (isOwnLabel ? 0 : 100)
  // Who made it: `tracks by Iron Maiden` is the artist, though an album has that title too.
  if (mention === 'by' && isLabel && !isOwnLabel && MAKERS.test(attribute.entity.noun)) return steps - 3 * MARGIN
  if (mention === 'by') return steps + (isLabel && !isOwnLabel ? 0 : 60)
  if (mention === 'from') return steps + ((isLabel && !isOwnLabel) || isPlace(attribute) ? 0 : 60)
  if (mention === 'adjective' || mention === 'in') return steps + (isOwnLabel ? 60 : 0)
  // `how many tracks does Iron Maiden have` is hardly about tracks of that name.
  if (isOwnLabel && anchor !== undefined) return steps + 60
  return steps + (isLabel ? 0 : 5)
}

function isPlace(attribute: Attribute): boolean {
  return attribute.words.some((w) => /^(city|country|state|region|town|province|continent|location|nation)$/.test(w))
}

type DateCondition = Extract<Condition, { kind: 'date' }>

/** The date column that a time is about: named, implied by a verb, or the table's main date. */
export function resolveDate(
  context: PlanContext,
  condition: Pick<DateCondition, 'verb' | 'attribute' | 'anchor'>,
  base: Entity,
): Attribute {
  if (condition.attribute !== undefined) return resolveAttribute(context, condition.attribute, base, condition.anchor)
  const { verb } = condition
  if (verb !== undefined) {
    const owners = [condition.anchor, base, context.sales.header?.entity].filter((e) => e !== undefined)
    for (const owner of owners) {
      const date = onlyOf(owner.attributes.filter((a) => tellsTime(a) && a.words.some((w) => tellsOf(w, verb))))
      if (date !== undefined && distance(base, owner) !== undefined) return date
    }
  }
  if (context.date !== undefined && reachesOnce(base, context.date.entity, context.hints)) {
    context.assumptions.add(`the date is ${nameOf(context.date)}`)
    return context.date
  }
  for (const owner of dateOwners(context, base)) {
    const dates = mainDates(owner.attributes.filter(isDate))
    if (dates.length > 1)
      return refuse(
        `${owner.nouns} have several dates: ${listed(dates.map((a) => a.column.name))}. Please say which one you mean.`,
      )
    const [date] = dates
    if (date === undefined) continue
    if (owner.attributes.filter(isDate).length > 1 || owner !== base)
      context.assumptions.add(`the date is ${nameOf(date)}`)
    return date
  }
  return refuse(`I see no date of ${base.nouns} that the time in the question could be about.`)
}

/** A line of a sale has the sale's date; no other table borrows one. */
function dateOwners(context: PlanContext, base: Entity): readonly Entity[] {
  const { header, line } = context.sales
  return base === line?.entity && header !== undefined ? [base, header.entity] : [base]
}

/** The tables from which all of these can be reached without multiplying rows. */
export function reachesOnce(from: Entity, to: Entity, hints: readonly string[], via?: Edge): boolean {
  const path = choosePath(from, to, hints, via)
  return path !== undefined && isToOne(path)
}
