import { isDate, isMoney, isNumericAttribute, entityName, withoutOwner } from '../../databases/glossary/catalogue.ts'
import type { Attribute, Catalogue, Entity } from '../../databases/glossary/catalogue.ts'
import { BUYERS } from '../../databases/glossary/vocabulary.ts'
import { singular } from '../../databases/glossary/words.ts'
import type { ColumnName } from './names.ts'
import { distance, isToOne, shortestPaths } from './paths.ts'
import type { Test } from './reading.ts'
import { declineQuestion, joinWords, type ValueHit } from './types.ts'

export const nameOf = (attribute: Attribute): string => `${entityName(attribute.entity)}.${attribute.column.name}`

export function entityOf({ entities }: Catalogue, table: string): Entity {
  return entities.find((one) => entityName(one) === table) ?? declineQuestion(`There is no table ${table}.`)
}

/** Number of many-to-one joins to the table of a column; undefined if it is unreachable. */
export function keyDistance(from: Entity, to: Entity): number | undefined {
  const [path] = shortestPaths(from, to)
  return path !== undefined && isToOne(path) ? path.length : undefined
}

interface Far {
  readonly entity: Entity
  readonly far: number
}

/** Those nearest to the asked table. Who buys comes before who supplies, where both are as near to a sale. */
function nearestOf<T extends Far>(reached: readonly T[]): readonly T[] {
  const nearest = Math.min(...reached.map(({ far }) => far))
  const near = reached.filter(({ far }) => far === nearest)
  const buyers = near.filter(({ entity }) => BUYERS.includes(singular(entity.words.at(-1) ?? '')))
  return buyers.length > 0 ? buyers : near
}

/** The column nearest to the rows of a table, or the one with this exact name. Refuses several. */
export function chooseColumn(names: readonly ColumnName[], from: Entity, text: string): Attribute {
  const reached = names.flatMap(({ attribute, score }) => {
    const far = distance(from, attribute.entity)
    return far === undefined ? [] : [{ attribute, score, far, entity: attribute.entity }]
  })
  const nearest = Math.min(...reached.map(({ far }) => far))
  const best = Math.max(...reached.map(({ far, score }) => (far === nearest ? score : 0)))
  const top = nearestOf(reached.filter(({ far, score }) => far === nearest && score === best))
  if (top.length === 0) return declineQuestion(`${capital(from.nouns)} have no “${text}”.`)
  return (
    only(top)?.attribute ??
    declineRivals(
      text,
      top.map(({ attribute }) => nameOf(attribute)),
    )
  )
}

type NamedHits = Pick<Extract<Test, { kind: 'value' }>, 'hits' | 'isNamed'>

/** The column of a value that is meant, seen from the rows of a table. Refuses several. */
export function chooseHit({ hits, isNamed }: NamedHits, from: Entity, catalogue: Catalogue, text: string): ValueHit {
  const reached = hits.flatMap((hit) => {
    const entity = entityOf(catalogue, hit.table)
    const far = distance(from, entity)
    if (far === undefined) return []
    const isName = entity.label.some(({ column }) => column.name === hit.column)
    // “What did they release?”: a word like any other, and the name of a track.
    const isWord = /^\p{Ll}+$/u.test(text) && hit.value !== text
    const isMeant = isNamed === true || (far === 0 ? !(isName && isWord) : far < 10 || (isName && !isWord))
    return isMeant ? [{ hit, far, entity }] : []
  })
  const near = nearestOf(reached)
  const [one] = near
  if (one === undefined) return declineQuestion(`“${text}” says nothing about ${from.nouns}.`, [text])
  // “Tracks by AC/DC”: the composer, or the artist of the album.
  const lastWord = ({ hit, entity }: (typeof reached)[number]): string | undefined =>
    entity.attributes.find(({ column }) => column.name === hit.column)?.words.at(-1)
  const rivals = reached.filter((two) => two.far > one.far && two.far < 10 && lastWord(two) !== lastWord(one))
  const possible = [...near, ...rivals]
  return (
    only(possible)?.hit ??
    declineRivals(
      text,
      possible.map(({ hit }) => `${hit.table}.${hit.column}`),
    )
  )
}

function declineRivals(text: string, names: readonly string[]): never {
  return declineQuestion(`“${text}” may mean ${joinWords(names)}.`)
}

const AMOUNT = /^(?:total|amount|total amount|grand total)$/

/** The amount of a row: `total`, `amount`, or its only money. */
export function amountAttribute(entity: Entity): Attribute | undefined {
  const money = entity.attributes.filter((one) => isMoney(one) && !one.isKey)
  return only(money.filter((one) => AMOUNT.test(withoutOwner(one).map(singular).join(' ')))) ?? only(money)
}

/** Whether sums of a column mean something: amounts and quantities, not prices or rates. */
export function isAdditive(attribute: Attribute): boolean {
  return hasLastWord(attribute, /^(?:total|subtotal|amount|quantity)$/)
}

function hasLastWord(attribute: Attribute, pattern: RegExp): boolean {
  return isNumericAttribute(attribute) && pattern.test(singular(attribute.words.at(-1) ?? ''))
}

const LENGTHS = /^(?:millisecond|second|minute|hour|duration|length)$/

/** The column that “longest”, “most expensive” or “newest” compares. */
export function superlativeColumn(entity: Entity, hint: string): Attribute | undefined {
  const { attributes } = entity
  if (hint === 'date') return eventDate(entity) ?? only(attributes.filter(isDate))
  if (hint === 'length') return only(attributes.filter((one) => hasLastWord(one, LENGTHS)))
  const amount = amountAttribute(entity)
  if (hint === 'any') return amount !== undefined && AMOUNT.test(withoutOwner(amount).join(' ')) ? amount : undefined
  return amount ?? only(attributes.filter((one) => /^(?:(?:list|unit) )?price$/.test(withoutOwner(one).join(' '))))
}

/** The element of a list of one. */
export function only<T>(some: readonly T[]): T | undefined {
  return some.length === 1 ? some[0] : undefined
}

/** The day on which something happened, such as `order_date` of orders. Undefined where no column is clearly that. */
export function eventDate(entity: Entity): Attribute | undefined {
  const dates = entity.attributes.filter(isDate)
  const own = new Set(entity.words.map(singular))
  const eventDates = dates.filter(({ words }) => {
    const [first = '', second] = words.slice(-2).map(singular)
    return (words.length === 1 && first === 'date') || (second === 'date' && own.has(first))
  })
  const isEvent = entity.attributes.some(isMoney) && entity.edges.some(({ kind }) => kind === 'one')
  return only(eventDates) ?? (isEvent ? only(dates) : undefined)
}

/** The event date of a table, or of the one nearest table that its rows belong to. */
export function nearestEventDate(entity: Entity): Attribute | undefined {
  const own = eventDate(entity)
  if (own !== undefined || entity.attributes.some(isDate)) return own
  return only(entity.edges.flatMap(({ kind, to }) => (kind === 'one' && to !== entity ? (eventDate(to) ?? []) : [])))
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** The columns of a name that can be computed with. */
export function numeric(names: readonly ColumnName[], text: string): readonly ColumnName[] {
  const numbers = names.filter(({ attribute }) => isNumericAttribute(attribute))
  return numbers.length > 0 ? numbers : declineQuestion(`“${text}” is no number to compute with.`)
}
