interface Cell {
  readonly value: unknown
  /** Format of numbers, which alone tells a date from a number. */
  readonly numFmt?: string
}

/** A cell as text: values of formulas, days as ISO 8601, numbers without the noise of binary fractions. */
export function cellText({ value, numFmt }: Cell, isFrom1904: boolean): string {
  if (typeof value === 'object' && value !== null && !(value instanceof Date))
    return objectText(value, numFmt, isFrom1904)
  return scalarText(value)
}

function objectText(value: object, numFmt: string | undefined, isFrom1904: boolean): string {
  if ('richText' in value && Array.isArray(value.richText)) {
    return value.richText.map((part: { text?: unknown }) => scalarText(part.text)).join('')
  }
  if ('error' in value) return scalarText(value.error)
  if ('text' in value) return cellText({ value: value.text }, isFrom1904)
  if ('result' in value) {
    const { result } = value
    // The reader leaves the results of formulas as numbers, also where they are shown as dates.
    if (typeof result === 'number' && numFmt !== undefined && isDateFormat(numFmt)) return dateText(result, isFrom1904)
    return cellText({ value: result }, isFrom1904)
  }
  return ''
}

function scalarText(value: unknown): string {
  if (value instanceof Date) return isoText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : ''
  if (typeof value === 'string') return value
  return typeof value === 'boolean' ? String(value).toUpperCase() : ''
}

/** Quoted text and colours in brackets are no part of the pattern. */
function isDateFormat(numFmt: string): boolean {
  return /[ymdhs]/i.test(numFmt.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '').replace(/^general$/i, ''))
}

const DAYS_BEFORE_1970 = 25_569
const DAYS_1904 = 1462
const DAY_MS = 86_400_000

function dateText(serial: number, isFrom1904: boolean): string {
  return isoText(new Date(Math.round((serial - DAYS_BEFORE_1970 + (isFrom1904 ? DAYS_1904 : 0)) * DAY_MS)))
}

/** A day, a day with time, or a time alone, which spreadsheets keep as the day before their first one. */
function isoText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  const [day, time] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19).split('T')
  if (day! < '1900-01-01') return time!
  return time === '00:00:00' ? day! : `${day}T${time}`
}
