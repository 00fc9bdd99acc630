import { unitOf } from './column-words.ts'
import type { Attribute } from './catalogue.ts'
import { UNIT_SUFFIXES } from './vocabulary.ts'
import { forms, plural } from './words.ts'

/** Units that people use, and how many of a column's own unit one of them is. */
export const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  millisecond: { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000 },
  second: { second: 1, minute: 60, hour: 3600 },
  minute: { minute: 1, hour: 60 },
  cent: { cent: 1, eur: 100, usd: 100 },
  penny: { penny: 1, gbp: 100 },
  byte: { byte: 1, kb: 1000, kilobyte: 1000, mb: 1_000_000, megabyte: 1_000_000, gb: 1_000_000_000 },
}

/** Words for units that may follow an amount. */
export const UNIT_WORDS: readonly string[] = [
  ...new Set([...Object.values(UNITS).flatMap((row) => Object.keys(row)), ...Object.keys(UNIT_SUFFIXES)]),
].filter((word) => word.length > 1)

/** How a unit is said behind a number: 1 cent, 5 cents, 5 kg. */
export function saidUnit(unit: string, amount = 2): string {
  return amount === 1 || !/^[a-z]{3,}$/.test(unit) ? unit : plural(unit)
}

/** How many of the column's own unit one of what people said is: 60,000 milliseconds in a minute. Undefined where that is not known. */
export function factorTo(attribute: Attribute | undefined, said: string): number | undefined {
  if (attribute?.unit !== undefined && attribute.unit === unitOf(said)) return 1
  const own = attribute?.unit === undefined ? attribute?.words : [attribute.unit]
  return Object.entries(UNITS).find(([name]) => own?.some((w) => forms(w).has(name)))?.[1][said]
}
