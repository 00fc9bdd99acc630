import { exactNumber, parseExactJson, type ExactNumber } from '../shared/exact-number.ts'

/** Maximum length of a cell's text in UTF-16 units. The cell states how much was cut off. */
const MAX_CELL_CHARACTERS = 10_000

/** An integer or exact decimal, in the plain notation of databases. */
export function numberCell(text: string): ExactNumber {
  const number = exactNumber(text)
  // A numeric of PostgreSQL can have 131,072 digits.
  return typeof number === 'string' ? textCell(number) : number
}

/** A floating-point cell. `NaN` and the infinities are not JSON, so they become text. */
export function floatCell(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

/** Maximum number of bytes shown. Keys and hashes are shorter; longer values are files. */
const MAX_SHOWN_BYTES = 64

/** A few bytes as a SQL literal; many bytes as their number. */
export function bytesCell(hex: string, [before, after]: readonly [string, string]): string {
  const length = hex.length / 2
  return length > MAX_SHOWN_BYTES ? `<${length} bytes>` : `${before}${hex}${after}`
}

/** A high surrogate at the end of a truncated text. */
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
