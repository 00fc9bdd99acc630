import { isDate, isMoney, isNumericAttribute, entityName, withoutOwner } from '../../databases/glossary/catalogue.ts'
import type { Attribute, Catalogue, Entity } from '../../databases/glossary/catalogue.ts'
import { findSales } from '../../databases/glossary/sales.ts'
import { BUYERS } from '../../databases/glossary/vocabulary.ts'
import { singular } from '../../databases/glossary/words.ts'
import type { ColumnName } from './names.ts'
import type { Test } from './reading.ts'
import { distance, isToOne, shortestPaths } from './paths.ts'
import { joinWords, declineQuestion, type ValueHit } from './types.ts'

export const nameOf = (attribute: Attribute): string => `${entityName(attribute.entity)}.${attribute.column.name}`

export function entityOf({ entities }: Catalogue, table: string): Entity {
  return entities.find((one) => entityName(one) === table) ?? declineQuestion(`There is no table ${table}.`)
}

/** How far a column's table is along keys that lead to one row; undefined where there is no such way. */
export function keyDistance(from: Entity, to: Entity): number | undefined {
  const [path] = shortestPaths(from, to)
  return path !== undefined && isToOne(path) ? path.length : undefined
}

/** The column nearest to the rows of a table, or the one with this exact name. Refuses several. */
export function chooseColumn(names: readonly ColumnName[], from: Entity, text: string): Attribute {
  const reached = names.flatMap((one) => {
    const far = distance(from, one.attribute.entity)
    return far === undefined ? [] : [{ ...one, far }]
  })
  const nearest = Math.min(...reached.map(({ far }) => far))
  const near = reached.filter(({ far }) => far === nearest)
  const best = Math.max(...near.map(({ score }) => score))
  const top = buyersFirst(
    near.filter(({ score }) => score === best),
    ({ attribute }) => attribute.entity,
  )
  if (top.length === 1) return top[0]!.attribute
  if (top.length === 0) return declineQuestion(`${capital(from.nouns)} have no “${text}”.`)
  return declineQuestion(`“${text}” may mean ${joinWords(top.map(({ attribute }) => nameOf(attribute)))}.`)
}

type NamedHits = Pick<Extract<Test, { kind: 'value' }>, 'hits' | 'isNamed'>

/** Who buys comes before who supplies, where both are as near to a sale. */
function buyersFirst<T>(some: readonly T[], entityIn: (one: T) => Entity): readonly T[] {
  const buyers = some.filter((one) => BUYERS.includes(singular(entityIn(one).words.at(-1) ?? '')))
  return some.length > 1 && buyers.length > 0 ? buyers : some
}

/** The columns of one value that are meant, seen from the rows of a table; several of them in one table are refused. */
export function chooseHit({ hits, isNamed }: NamedHits, from: Entity, catalogue: Catalogue, text: string): ValueHit {
  const reached = hits.flatMap((hit) => {
    const entity = entityOf(catalogue, hit.table)
    const far = distance(from, entity)
    if (far === undefined) return []
    const isName = entity.label.some(({ column }) => column.name === hit.column)
    // “What did they release?”: a word like any other, and the name of a track.
    const isWord = /^\p{Ll}+$/u.test(text) && hit.value !== text
    const isMeant = isNamed === true || (far === 0 ? !(isName && isWord) : far < 10 || (isName && !isWord))
    return isMeant ? [{ hit, far }] : []
  })
  const nearest = Math.min(...reached.map(({ far }) => far))
  const near = buyersFirst(
    reached.filter(({ far }) => far === nearest),
    ({ hit }) => entityOf(catalogue, hit.table),
  )
  const [one, other] = near
  if (one === undefined) return declineQuestion(`“${text}” says nothing about ${from.nouns}.`, [text])
  // “Tracks by AC/DC”: the composer, or the artist of the album.
  const lastWord = ({ hit }: { hit: ValueHit }): string | undefined =>
    entityOf(catalogue, hit.table)
      .attributes.find(({ column }) => column.name === hit.column)
      ?.words.at(-1)
  const rivals = reached.filter((two) => two.far > nearest && two.far < 10 && lastWord(two) !== lastWord(one))
  if (rivals.length > 0)
    return declineQuestion(
      `“${text}” may mean ${joinWords([one, ...rivals].map(({ hit }) => `${hit.table}.${hit.column}`))}.`,
    )
  if (other === undefined) return one.hit
  return declineQuestion(`“${text}” may mean ${joinWords(near.map(({ hit }) => `${hit.table}.${hit.column}`))}.`)
}

const AMOUNT = /^(?:total|amount|total amount|grand total)$/

/** The amount of a row: `total`, `amount`, or its only money. */
export function amountAttribute(entity: Entity): Attribute | undefined {
  const money = entity.attributes.filter((one) => isMoney(one) && !one.isKey)
  const amounts = money.filter((one) => AMOUNT.test(withoutOwner(one).map(singular).join(' ')))
  return amounts.length === 1 ? amounts[0] : money.length === 1 ? money[0] : undefined
}

/** Whether sums of a column mean something: amounts and quantities, not prices or rates. */
export function isAdditive(attribute: Attribute): boolean {
  return (
    isNumericAttribute(attribute) && /^(?:total|subtotal|amount|quantity)$/.test(singular(attribute.words.at(-1) ?? ''))
  )
}

const LENGTHS = /^(?:millisecond|second|minute|hour|duration|length)$/

/** The column that “longest”, “most expensive” or “newest” compares. */
export function superlativeColumn(entity: Entity, hint: string): Attribute | undefined {
  if (hint === 'date') return eventDate(entity) ?? only(entity.attributes.filter(isDate))
  if (hint === 'length')
    return only(
      entity.attributes.filter((one) => isNumericAttribute(one) && LENGTHS.test(singular(one.words.at(-1) ?? ''))),
    )
  const amount = amountAttribute(entity)
  if (hint === 'any') return amount !== undefined && AMOUNT.test(withoutOwner(amount).join(' ')) ? amount : undefined
  const priced = entity.attributes.filter((one) =>
    /^(?:price|list price|unit price)$/.test(withoutOwner(one).join(' ')),
  )
  return amount ?? only(priced)
}

function only<T>(some: readonly T[]): T | undefined {
  return some.length === 1 ? some[0] : undefined
}

/** The day on which something happened, such as `order_date` of orders. Undefined where no column is clearly that. */
export function eventDate(entity: Entity): Attribute | undefined {
  const dates = entity.attributes.filter(isDate)
  const head = singular(entity.words.at(-1) ?? '')
  const eventDates = dates.filter((one) => {
    const [first = '', ...rest] = one.words.slice(-2).map(singular)
    return (
      (one.words.length === 1 && first === 'date') ||
      (rest[0] === 'date' && (first === head || entity.words.map(singular).includes(first)))
    )
  })
  if (eventDates.length === 1) return eventDates[0]
  const isEvent = entity.attributes.some(isMoney) && entity.edges.some(({ kind }) => kind === 'one')
  return isEvent ? only(dates) : undefined
}

/** The event date of a table, or of the one nearest table that its rows belong to. */
export function nearestEventDate(entity: Entity): Attribute | undefined {
  const own = eventDate(entity)
  if (own !== undefined || entity.attributes.some(isDate)) return own
  return only(entity.edges.flatMap(({ kind, to }) => (kind === 'one' && to !== entity ? (eventDate(to) ?? []) : [])))
}

/** The table with one row per item sold, or per sale if there is no such table. */
export function soldRows(catalogue: Catalogue): Entity | undefined {
  const { line, header, rivals } = findSales(catalogue)
  return rivals.length > 0 ? undefined : (line?.entity ?? header?.entity)
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** The columns of a name that can be computed with. */
export function numeric(names: readonly ColumnName[], text: string): readonly ColumnName[] {
  const numbers = names.filter(({ attribute }) => isNumericAttribute(attribute))
  return numbers.length > 0 ? numbers : declineQuestion(`“${text}” is no number to compute with.`)
}
