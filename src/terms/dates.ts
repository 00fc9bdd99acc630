import { onlyOf } from '../core/only.ts'
import { isDate, type Attribute, type Catalogue, type Entity } from './catalogue.ts'
import { isToOne, shortestPaths } from './joins.ts'
import { forms, sameWord } from './words.ts'

/** Two dates, and the table that has one of each for each of its rows. */
export interface DatePair {
  readonly from: Attribute
  readonly to: Attribute
  readonly home: Entity
}

const PLAIN = /^(?:date|day|time|at|on|actual|real)$/

/** What is left of a verb and of its nouns: `ship` of shipping, shipped and shipment; `deliver` of delivery. */
function stemOf(word: string): string {
  const stem = word.toLowerCase().replace(/(?:ments?|ings?|ed|al|ion|ies|es|e|y|s)$/, '')
  return stem.replace(/([^aeioulsz])\1$/, '$1')
}

/** Whether a word in the name of a date tells of what a word of the question does: `payment` of “paid”. */
export function tellsOf(own: string, word: string): boolean {
  if (PLAIN.test(own)) return false
  const stem = stemOf(own)
  return sameWord(own, word) || (stem.length > 2 && [...forms(word)].some((form) => stemOf(form) === stem))
}

/** The date of an event: of a thing that lasts, to which others belong, it may tell when that began. */
export function dateOfEvent({ attributes, edges }: Entity): Attribute | undefined {
  return edges.some(({ kind }) => kind === 'many') ? undefined : onlyOf(attributes.filter(isDate))
}

/** The table of what happens to these rows by a verb: its name tells of it (treatments of “treated”), or a date of it does. */
export function eventOfVerb({ edges }: Entity, verb: string, isDated: boolean): Entity | undefined {
  const tells = ({ words, attributes }: Entity): boolean =>
    isDated
      ? attributes.some((a) => isDate(a) && a.words.some((w) => tellsOf(w, verb)))
      : tellsOf(words.at(-1) ?? '', verb)
  return onlyOf(edges.filter(({ kind, to }) => kind === 'many' && tells(to)))?.to
}

/** The dates of tables that a word tells of: `order_date` and `ordered_at` for “order”, `shipped_on` for “shipping”. */
export function datesOfWord({ entities }: Catalogue, word: string): readonly Attribute[] {
  return entities
    .filter(({ table }) => table.kind === 'table')
    .flatMap(({ attributes }) => attributes.filter((a) => isDate(a) && a.words.some((own) => tellsOf(own, word))))
}

/**
 * The nearest pairs of one date of each kind: of the same row, or of a row and one that it points at. More than one where the
 * words leave it open.
 */
export function datePairs(starts: readonly Attribute[], ends: readonly Attribute[]): readonly DatePair[] {
  const pairs = starts.flatMap((from) =>
    ends.flatMap((to) => {
      const ways = [from.entity, to.entity].flatMap((home) => {
        const [path, ...others] = shortestPaths(home, home === from.entity ? to.entity : from.entity)
        return from !== to && path !== undefined && others.length === 0 && isToOne(path)
          ? [{ from, to, home, steps: path.length }]
          : []
      })
      return ways.slice(0, 1)
    }),
  )
  const least = Math.min(...pairs.map(({ steps }) => steps))
  return pairs.filter(({ steps }) => steps === least)
}

/** “Delivery time”: from the only other date of a row, which stands before it, to the one that the word tells of. */
export function spansTo(ends: readonly Attribute[]): readonly DatePair[] {
  return ends.flatMap((to) => {
    const { attributes } = to.entity
    const from = onlyOf(attributes.filter((a) => isDate(a) && a !== to))
    const isBefore = from !== undefined && attributes.indexOf(from) < attributes.indexOf(to)
    return isBefore ? [{ from, to, home: to.entity }] : []
  })
}

/** Of several dates, the one that says when the row came to be. */
export function mainDates(dates: readonly Attribute[]): readonly Attribute[] {
  if (dates.length < 2) return dates
  const bare = (a: Attribute): string =>
    a.words.filter((w) => !a.entity.words.some((own) => sameWord(own, w))).join(' ')
  const own = dates.filter((a) => a.words.some((w) => tellsOf(w, a.entity.words.at(-1) ?? '')))
  for (const wanted of [
    /^(date)?$/,
    /^(created|created at|created on|creation date|create date|placed at|opened at|date created)$/,
  ]) {
    const hits = dates.filter((a) => wanted.test(bare(a)))
    if (hits.length === 1) return hits
  }
  // A shipment came to be when it was shipped.
  return own.length === 1 ? own : dates
}
