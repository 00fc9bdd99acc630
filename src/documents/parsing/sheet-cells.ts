import { format, getFormatDateInfo, isDateFormat, isTextFormat } from 'numfmt'
import { withTarget } from '../../markup/links.ts'
import { isExactNumber, roundBinaryNoise } from '../../shared/exact-number.ts'

/** A cell as stored in XML. @see ECMA-376 Part 1, 18.3.1.4, 18.18.11 */
export interface Cell {
  /** `n` number, `s` number of a shared string, `str` and `inlineStr` text, `b` boolean, `e` error, `d` ISO 8601. */
  readonly type: string
  /** Absent if none is stored. */
  readonly value: string | undefined
  /** Empty if the formula is stored only in another cell. */
  readonly formula: string | undefined
  /** The pattern of its number format. */
  readonly pattern: string | undefined
}

/** A cell as the sheet displays it; dates are ISO 8601. A formula without a stored value is shown as its text. */
export function cellText(cell: Cell, strings: readonly string[], isFrom1904: boolean): string {
  const { type, value, formula, pattern = GENERAL } = cell
  if (isUncalculated(cell)) return uncalculated(formula ?? '')
  if (value === undefined) return ''
  switch (type) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'str':
      return unescapeText(value)
    case 'inlineStr':
    case 'd':
    case 'e':
      return value
    case 'b':
      return value === '' ? '' : String(Number(value) !== 0).toUpperCase()
    default:
      return numberText(value, commonPattern(pattern), isFrom1904)
  }
}

/** Characters that XML cannot store are written as `_x000D_`. @see ECMA-376 Part 1, 22.9.2.19 */
export function unescapeText(text: string): string {
  return text.replaceAll(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** A value with the address that the function of its formula links it to: `=HYPERLINK("https://…", "portal")`. */
export function withFormulaTarget(shown: string, formula = ''): string {
  return withTarget(shown, /^(?:\w+:)?=?HYPERLINK\("([^"]+)"/i.exec(formula)?.[1] ?? '')
}

/** Whether a formula has no value. Some programs store an empty value, which is valid only for text. */
export function isUncalculated({ type, value, formula }: Cell): boolean {
  return formula !== undefined && (value === undefined || (value === '' && type === 'n'))
}

/** Shown instead of a value that no program has calculated. */
export function uncalculated(formula: string): string {
  return `=${formula.replace(/^=/, '').slice(0, MAX_FORMULA)} (not calculated)`
}

const MAX_FORMULA = 200
const GENERAL = 'General'
/** Maximum length of a pattern in spreadsheet programs. */
const MAX_PATTERN = 255

/** The number in its format; unchanged if the format is missing or does not apply. */
function numberText(value: string, pattern: string, isFrom1904: boolean): string {
  const number = Number.parseFloat(value)
  const plain = plainCell(value)
  const isApplied = pattern.length <= MAX_PATTERN && !/^general$/i.test(pattern) && Number.isFinite(number)
  // Formats work on doubles.
  if (!isApplied || String(roundBinaryNoise(number)) !== plain) return plain
  try {
    if (isTextFormat(pattern)) return plain
    if (!isDateFormat(pattern)) return format(pattern, number, { nbsp: false }).trim()
    return dateText(number, pattern, isFrom1904)
  } catch {
    return plain
  }
}

/**
 * The pattern with elapsed time in lower case, which `numfmt` needs, and without locales: programs use the separators of
 * the reader, so that all numbers of a sheet have the same.
 */
function commonPattern(pattern: string): string {
  return pattern
    .replaceAll(/\[(?:h+|m+|s+)\]/gi, (code) => code.toLowerCase())
    .replaceAll(/\[\$([^\]-]*)-[^\]]*\]/g, (_, currency: string) => (currency === '' ? '' : `[$${currency}]`))
}

/** Spreadsheet programs write doubles with at most 17 digits; other programs also write longer numbers. */
const MAX_DOUBLE_DIGITS = 17

/** The digits of a number without rounding errors. */
export function plainCell(value: string): string {
  const digits = value.replace(/^[-0.]+|\D/g, '').length
  if (isExactNumber(value) && (!value.includes('.') || digits > MAX_DOUBLE_DIGITS)) return value
  const number = Number.parseFloat(value)
  return Number.isFinite(number) ? String(roundBinaryNoise(number)) : ''
}

const TIME = 'h:mm:ss'
const DAY = 'yyyy-mm-dd'
const WITH_TIME = `${DAY} ${TIME}`
const MONEY = '#,##0'
const ACCOUNT = '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)'

/** Patterns of the formats that have a number instead; the currency depends on the reader's country. @see ECMA-376 Part 1, 18.8.30 */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: `${MONEY}_);(${MONEY})`,
  6: `${MONEY}_);(${MONEY})`,
  7: `${MONEY}.00_);(${MONEY}.00)`,
  8: `${MONEY}.00_);(${MONEY}.00)`,
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  18: TIME,
  19: TIME,
  20: TIME,
  21: TIME,
  22: WITH_TIME,
  37: `${MONEY}_);(${MONEY})`,
  38: `${MONEY}_);(${MONEY})`,
  39: `${MONEY}.00_);(${MONEY}.00)`,
  40: `${MONEY}.00_);(${MONEY}.00)`,
  41: ACCOUNT,
  42: ACCOUNT,
  43: ACCOUNT.replaceAll('##0', '##0.00'),
  44: ACCOUNT.replaceAll('##0', '##0.00'),
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
}
/** The other built-in date formats; 27 to 36 and 50 to 58 are East Asian. */
const DATE_FORMATS: readonly (readonly [from: number, to: number])[] = [
  [14, 17],
  [27, 36],
  [50, 58],
  [81, 81],
]

/** The pattern of a format that is known by its number alone. */
export function builtInPattern(id: number): string {
  return BUILT_IN[id] ?? (DATE_FORMATS.some(([from, to]) => id >= from && id <= to) ? DAY : GENERAL)
}

const DAYS_BEFORE_1970 = 25_569
/** Spreadsheet programs count 1900 as a leap year. */
const MARCH_1900 = 61
const DAYS_1904 = 1462
const DAY_MS = 86_400_000

/** ISO 8601, since the order of day and month depends on the reader; lengths of time as they are shown. */
function dateText(number: number, pattern: string, isFrom1904: boolean): string {
  const { year, month, day, hours } = getFormatDateInfo(pattern)
  const isTime = !year && !month && !day
  const isLength = isTime && (number >= 1 || !hours || pattern.includes('[h'))
  if (isLength) return format(pattern, number, { nbsp: false }).trim()
  // Programs do not show negative dates.
  if (number < 0) return plainCell(String(number))
  const serial = isFrom1904 && !isTime ? number + DAYS_1904 : number
  const days = serial < 1 || serial >= MARCH_1900 ? serial : serial + 1
  const date = new Date(Math.round((days - DAYS_BEFORE_1970) * DAY_MS))
  if (Number.isNaN(date.getTime())) return ''
  const [date8601, time] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19).split('T')
  if (date8601! < '1900-01-01') return time!
  return time === '00:00:00' ? date8601! : `${date8601}T${time}`
}
