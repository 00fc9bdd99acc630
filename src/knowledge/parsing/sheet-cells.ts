import { isExactNumber, withoutNoise } from '../../core/exact-number.ts'

/** A cell as its XML has it. @see ECMA-376 Part 1, 18.3.1.4, 18.18.11 */
export interface Cell {
  /** `n` number, `s` number of a shared string, `str` and `inlineStr` text, `b` boolean, `e` error, `d` ISO 8601. */
  readonly type: string
  readonly value: string
  readonly isFormula: boolean
  readonly isDate: boolean
}

/** A cell as text: values of formulas, days as ISO 8601, numbers without the noise of binary fractions. */
export function cellText(
  { type, value, isFormula, isDate }: Cell,
  strings: readonly string[],
  isFrom1904: boolean,
): string {
  switch (type) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'str':
    case 'inlineStr':
    case 'd':
      return value
    case 'b':
      return value === '' ? '' : String(Number(value) !== 0).toUpperCase()
    case 'e':
      // One that was written is content; what a formula failed at is not.
      return isFormula ? '' : value
    default:
      return isDate ? dateText(Number.parseFloat(value), isFrom1904) : numberText(value)
  }
}

/** Spreadsheet programs write doubles, with 17 digits at most; other programs also write longer integers and decimals. */
const MAX_DOUBLE_DIGITS = 17

function numberText(value: string): string {
  const digits = value.replace(/^[-0.]+|\D/g, '').length
  if (isExactNumber(value) && (!value.includes('.') || digits > MAX_DOUBLE_DIGITS)) return value
  const number = Number.parseFloat(value)
  return Number.isFinite(number) ? String(withoutNoise(number)) : ''
}

/** Formats of dates and times that have a number instead of a pattern; 27 to 36 and 50 to 58 are those of East Asia. */
const DATE_FORMATS: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [81, 81],
]

/** Whether a format, by its pattern or the number of a built-in one, shows dates: that alone tells a date from a number. */
export function isDateFormat(format: string | number): boolean {
  if (typeof format === 'number') return DATE_FORMATS.some(([from, to]) => format >= from && format <= to)
  // Quoted text, colours in brackets and characters that are only shown or only take room are no part of the pattern.
  return /[ymdhs]/i.test(format.replaceAll(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '').replace(/^general$/i, ''))
}

const DAYS_BEFORE_1970 = 25_569
const DAYS_1904 = 1462
const DAY_MS = 86_400_000

/** A day, a day with time, or a time alone, which spreadsheets keep as the day before their first one. */
function dateText(serial: number, isFrom1904: boolean): string {
  const date = new Date(Math.round((serial - DAYS_BEFORE_1970 + (isFrom1904 ? DAYS_1904 : 0)) * DAY_MS))
  if (Number.isNaN(date.getTime())) return ''
  const [day, time] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19).split('T')
  if (day! < '1900-01-01') return time!
  return time === '00:00:00' ? day! : `${day}T${time}`
}
