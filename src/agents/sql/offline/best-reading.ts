import type { DatabaseSchema } from '../../../databases/schema.ts'
import { listed, nameFit, type Linked, type NameFit } from '../../../question-to-sql/index.ts'
import { EXACT } from '../../../terms/names.ts'
import type { Terms } from '../../../terms/terms.ts'

/** A question as it was read against one database. */
export interface ReadBy {
  readonly schema: DatabaseSchema
  readonly terms: Terms
  readonly linked: Linked
}

interface Chosen<T extends ReadBy> {
  readonly reading: T
  /** Its answer, or what is said where the database that was meant gives none. */
  readonly linked: Linked
  /** Other databases that the question may be about, by name, with what they have of it. */
  readonly also: ReadonlyMap<string, string>
}

/**
 * The reading that accounts best for the words: a database that has them as its own names comes before one that knows them as
 * other words for its names, whether it can answer or not; among equals the surest.
 */
export function bestReading<T extends ReadBy>(
  question: string,
  today: string,
  readings: readonly T[],
): Chosen<T> | undefined {
  const [only, more] = readings
  if (only === undefined) return undefined
  if (more === undefined) return { reading: only, linked: only.linked, also: new Map() }
  const sorted = readings
    .map((reading) => ({ reading, fits: nameFit(question, reading.schema, { terms: reading.terms, today }) }))
    .toSorted(
      (a, b) =>
        sum(b.fits, 'own') - sum(a.fits, 'own') ||
        sum(b.fits, 'all') - sum(a.fits, 'all') ||
        sureness(b.reading.linked) - sureness(a.reading.linked),
    )
  const answering = sorted.filter(({ reading }) => reading.linked.kind !== 'refusal')
  const best = answering.find((one) => !sorted.some((other) => isNearer(other.fits, one.fits))) ?? sorted[0]!
  const { reading, fits } = best
  const others = sorted.filter((one) => one !== best)
  if (reading.linked.kind === 'refusal') {
    const able = answering.map((one) => one.reading.schema.name)
    const reason = `${reading.linked.reason}${told(reading, able, others)}`
    return { reading, linked: { kind: 'refusal', reason }, also: new Map() }
  }
  const also = others.flatMap((other): [string, string][] => {
    const isPossible = answering.includes(other) ? !isNearer(fits, other.fits) : isAsNear(other.fits, fits)
    // “revenue”, which is worked out here, is a column there.
    const isMore = other.fits.some(({ all, own }, at) => all > own && fits[at]!.all === 0)
    return isPossible || isMore ? [[other.reading.schema.name, namesIn(other.fits)]] : []
  })
  return { reading, linked: reading.linked, also: new Map(also) }
}

function sum(fits: readonly NameFit[], of: 'own' | 'all'): number {
  return fits.reduce((all, fit) => all + fit[of], 0)
}

function sureness(linked: Linked): number {
  return linked.kind === 'refusal' ? -1 : linked.confidence
}

/** Knows all that the other knows at least as well. */
function isAsNear(one: readonly NameFit[], other: readonly NameFit[]): boolean {
  return one.some(({ own }) => own > 0) && one.every(({ own }, at) => own >= other[at]!.own)
}

/** Has by its very name what is a table to the other by another word alone, or a column. What is no name there may be a value. */
function isNearer(one: readonly NameFit[], other: readonly NameFit[]): boolean {
  const isName = ({ table, own }: NameFit, at: number): boolean => {
    const { table: itsTable, own: its } = other[at]!
    return (table === EXACT && itsTable < EXACT) || (own === EXACT && its > 0 && its < EXACT)
  }
  return isAsNear(one, other) && one.some(isName)
}

/** The words that are names in a database. */
function namesIn(fits: readonly NameFit[]): string {
  const words = fits.filter(({ all }) => all > 0).map(({ word }) => `“${word}”`)
  return words.length === 0 ? 'what can be asked so' : listed(words, 'and')
}

/** What a refusal says of the other databases. */
function told(
  { schema, linked }: ReadBy,
  able: readonly string[],
  others: readonly { readonly reading: ReadBy }[],
): string {
  if (able.length > 0)
    return ` That is of the database “${schema.name}”, which has the words of the question as its own names; to ask ${listed(able)}, name it.`
  const unknown = UNKNOWN.exec(linked.kind === 'refusal' ? linked.reason : '')?.[0]
  const same = others.flatMap(({ reading }) => {
    const isSame =
      reading.linked.kind === 'refusal' && unknown !== undefined && reading.linked.reason.startsWith(unknown)
    return isSame ? [`“${reading.schema.name}”`] : []
  })
  return same.length === 0 ? '' : ` Nor is it known in ${listed(same)}.`
}

const UNKNOWN = /^I do not understand “[^”]*”/
