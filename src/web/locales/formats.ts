import { formatNumber, type ExactNumber } from '../../client/run.ts'
/** Formats of numbers, dates and durations in a language. */
export interface Formats {
  number(value: ExactNumber, digits?: number): string
  /** A ratio from 0 to 1. */
  percent(share: number): string
  money(usd: number): string
  /** A list in a sentence. */
  list(names: readonly string[]): string
  /** Compact notation, such as for narrow columns. */
  compact(value: number): string
  /** Compact and exact if it is a round number: for the axis of a chart. */
  axis(value: number): string
  time(at: number): string
  /** @param at milliseconds, or ISO 8601 */
  date(at: number | string): string
  day(at: number): string
  /** A calendar day; today and yesterday by name. */
  calendarDay(at: number, now: number): string
  /** A date or timestamp from a database; any other text unchanged. */
  stamp(text: string): string
  /** A month from a database, such as `2026-01`. */
  month(text: string): string
  duration(ms: number): string
}

const STAMP = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)?)?$/

const KEY = 'tutti.numbers'
/** Thousands and decimal separators; the default depends on the language. */
const SEPARATORS = {
  '': undefined,
  comma: [',', '.'],
  point: ['.', ','],
  space: ['\u202F', ','],
  apostrophe: ['’', '.'],
} as const

/** The user's number format. */
export type Numbers = keyof typeof SEPARATORS

/** The number format stored in this browser. */
export function storedNumbers(): Numbers {
  const stored = localStorage.getItem(KEY) ?? ''
  return stored in SEPARATORS ? (stored as Numbers) : ''
}

export function storeNumbers(numbers: Numbers): void {
  localStorage.setItem(KEY, numbers)
}

/** @param language with its region, such as `de-AT` */
export function formatsOf(language: string, numbers: Numbers = ''): Formats {
  const formatWith = (format: Intl.NumberFormat) => (value: ExactNumber) =>
    withSeparators(format, value, SEPARATORS[numbers])
  const number = (digits: number) =>
    formatWith(new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }))
  const percent = formatWith(new Intl.NumberFormat(language, { style: 'percent' }))
  const list = new Intl.ListFormat(language)
  const plain = formatWith(new Intl.NumberFormat(language))
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const integer = formatWith(new Intl.NumberFormat(language, { maximumFractionDigits: 0 }))
  // Some languages have no compact form for thousands.
  const isShort = (value: number): boolean =>
    Math.abs(value) < 1_000 || short.formatToParts(value).some(({ type }) => type === 'compact')
  const compact = (value: number): string => (isShort(value) ? formatWith(short) : integer)(value)
  const axis = formatWith(new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 4 }))
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const dated = (more: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', ...more })
  const onlyDay = dated({ timeZone: 'UTC' })
  const stamp = (text: string): string => {
    const [, of, clock, seconds = '', utc, hours, minutes = '00'] = STAMP.exec(text) ?? []
    if (of === undefined || !isDay(of)) return text
    if (clock === undefined) return onlyDay.format(Date.parse(of))
    // A timestamp without a time zone is local time and is not converted.
    const zone = utc ?? (hours === undefined ? undefined : `${hours}:${minutes}`)
    const at = Date.parse(`${of}T${clock}${seconds}${zone ?? 'Z'}`)
    const timeStyle = /[1-9]/.test(seconds) ? 'medium' : 'short'
    return Number.isNaN(at) ? text : dated({ timeStyle, ...(zone === undefined ? { timeZone: 'UTC' } : {}) }).format(at)
  }
  const month = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' })
  const yearly = new Intl.DateTimeFormat(language, { dateStyle: 'full' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const money = formatWith(
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      maximumSignificantDigits: 3,
    }),
  )
  const one = number(1)
  return {
    number: (value, digits) => (digits === undefined ? plain : number(digits))(value),
    percent,
    list: (names) => list.format(names),
    money,
    compact,
    axis,
    time: (at) => time.format(at),
    date: (at) => date.format(new Date(at)),
    day: (at) => day.format(at),
    calendarDay: (at, now) => {
      // Rounded: days on which clocks change have other lengths.
      const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000)
      const formatWith = (new Date(at).getFullYear() === new Date(now).getFullYear() ? weekday : yearly).format(at)
      if (days !== 0 && days !== 1) return formatWith
      const name = relative.format(-days, 'day')
      return `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)}, ${formatWith}`
    },
    stamp,
    month: (text) => month.format(Date.parse(`${text}-01`)),
    duration: (ms) => {
      if (ms < 100) return `${Math.round(ms)} ms`
      const seconds = Math.round(ms / 1000)
      if (seconds < 60) return `${one(Math.min(ms / 1000, 59.9))} s`
      const minutes = Math.floor(seconds / 60)
      if (minutes < 60) return `${minutes} min ${seconds % 60} s`
      return `${plain(Math.floor(minutes / 60))} h ${minutes % 60} min`
    },
  }
}

/** Returns whether the date exists. */
function isDay(text: string): boolean {
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function withSeparators(
  format: Intl.NumberFormat,
  value: ExactNumber,
  separators: (typeof SEPARATORS)[Numbers],
): string {
  if (separators === undefined) return formatNumber(format, value)
  const [group, decimal] = separators
  return format
    .formatToParts(value as number)
    .map((part) => (part.type === 'group' ? group : part.type === 'decimal' ? decimal : part.value))
    .join('')
}
