/** Longest text of a cell, in UTF-16 units. The cell itself says what was cut off. */
const MAX_CELL_CHARACTERS = 10_000

/**
 * A number where JavaScript holds and prints exactly this value and nothing beyond 2^53, else the text as it came. The
 * input is plain decimal notation, as databases print integers and exact decimals.
 */
export function exactNumber(text: string): number | string {
  // Longer ones are exact doubles only with padding, and a numeric can have 131,072 digits.
  if (text.length > 60) return textCell(text)
  const match = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text)
  if (match === null) return text
  const [, sign, whole = '', fraction = ''] = match
  const value = Number(text)
  if (`${whole}${fraction}` === '0') return 0
  if (value === 0 || Math.abs(value) > Number.MAX_SAFE_INTEGER) return text
  // A double carries any 15 significant decimal digits, however it prints them.
  const isShort = `${whole}${fraction}`.replace(/^0+/, '').length <= 15
  return isShort || String(value) === `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}` ? value : text
}

/**
 * For decimals that the database computed, such as averages and shares: a number although its 17th digit may be rounded, so
 * that such a column holds numbers throughout. Whole numbers stay exact.
 */
export function computedNumber(text: string): number | string {
  const exact = exactNumber(text)
  const value = Number(text)
  return typeof exact === 'string' && /^-?\d+\.\d+$/.test(text) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? value
    : exact
}

/** A floating-point cell: `NaN` and the infinities are not JSON, so they become text. */
export function floatCell(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

export function bytesCell(length: number): string {
  return `<${length} bytes>`
}

/** The first half of a surrogate pair that the cut went through. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/

/** Text as it is, cut with a visible mark when it is huge. */
export function textCell(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text
  return `${text.slice(0, MAX_CELL_CHARACTERS).replace(HALF_CHARACTER, '')}… [cut: ${text.length} characters in all]`
}

/**
 * A JSON cell as a value; as text where it is huge, or where parsing would round one of its numbers (16 digits or more).
 */
export function jsonCell(text: string): unknown {
  if (text.length > MAX_CELL_CHARACTERS || /\d{16}/.test(text)) return textCell(text)
  return JSON.parse(text)
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
