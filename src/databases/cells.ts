import { exactNumber, parseExactJson, type ExactNumber } from '../shared/exact-number.ts'

/** Longest text of a cell, in UTF-16 units. The cell itself says what was cut off. */
const MAX_CELL_CHARACTERS = 10_000

/** An integer or exact decimal, in the plain notation of databases. */
export function numberCell(text: string): ExactNumber {
  const number = exactNumber(text)
  // A numeric of PostgreSQL can have 131,072 digits.
  return typeof number === 'string' ? textCell(number) : number
}

/** A floating-point cell: `NaN` and the infinities are not JSON, so they become text. */
export function floatCell(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

/** Longer ones are files; keys, hashes and the like are shorter. */
const MAX_SHOWN_BYTES = 64

/** A few bytes as they can be written in a query, of many how many they are. */
export function bytesCell(hex: string, [before, after]: readonly [string, string]): string {
  const length = hex.length / 2
  return length > MAX_SHOWN_BYTES ? `<${length} bytes>` : `${before}${hex}${after}`
}

/** The first half of a surrogate pair that the cut went through. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/

/** Text as it is, cut with a visible mark when it is huge. */
export function textCell(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text
  return `${text.slice(0, MAX_CELL_CHARACTERS).replace(HALF_CHARACTER, '')}… [cut: ${text.length} characters in all]`
}

/** A JSON cell as a value; as text where it is huge. */
export function jsonCell(text: string): unknown {
  return text.length > MAX_CELL_CHARACTERS ? textCell(text) : parseExactJson(text)
}

/**
 * `2024-01-31 10:20:30.5+02` as ISO 8601: `2024-01-31T10:20:30.5+02:00`. Works on text, so nothing is shifted by a time
 * zone or rounded to milliseconds. Anything that is not such a timestamp (`infinity`, years BC) stays as it is.
 */
export function timestampCell(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)?(:\d\d)?$/.exec(text)
  if (match === null) return text
  const [, date, time, hours, minutes] = match
  return `${date}T${time}${hours === undefined ? '' : `${hours}${minutes ?? ':00'}`}`
}
