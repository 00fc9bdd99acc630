import { SSF, type CellObject } from '@e965/xlsx'
import { parseHTML } from 'linkedom'
import { struckOut } from '../../domain/strikethrough.ts'
import { withTarget } from '../../markup/links.ts'
import { markStruckOut } from '../../markup/strikethrough.ts'
import { markSuperscripts } from '../../markup/superscripts.ts'
import { roundBinaryNoise } from '../../shared/exact-number.ts'
import type { CellDetails } from './sheet-details.ts'

/** A cell as the sheet displays it, but with all digits of numbers, without grouping; dates are ISO 8601. */
export function cellText(cell: CellObject, details: CellDetails | undefined, isFrom1904: boolean): string {
  const value = details?.written ?? valueText(cell, isFrom1904)
  const linked = withTarget(value, /^HYPERLINK\("([^"]+)"/i.exec(cell.f ?? '')?.[1] ?? '')
  return withTarget(details?.isStruckOut === true ? struckOut(linked) : linked, cell.l?.Target ?? '')
}

const MAX_FORMULA = 200

/** Shown instead of a value that no program has calculated. */
export function uncalculatedText(formula: string): string {
  return `=${formula.replace(/^=/, '').slice(0, MAX_FORMULA)} (not calculated)`
}

function valueText(
  { t: type, v: value, w: shown = '', h: html = '', z: pattern = '' }: CellObject,
  isFrom1904: boolean,
) {
  switch (type) {
    case 's':
      return /<(?:s|sup|sub)>/.test(html) ? richText(html) : String(value)
    case 'b':
      return String(value).toUpperCase()
    case 'n':
      return numberText(Number(value), String(pattern), shown, isFrom1904)
    case 'e':
      return shown
    default:
      return ''
  }
}

/** What is no tag in the library's HTML of a text, which it does not escape. */
const LOOSE_BRACKET = /<(?!\/?(?:span|[bis]|su[bp])>|span style="|br\/>)/g

/** Text with raised, lowered and struck-out parts. */
function richText(html: string): string {
  const escaped = html.replaceAll('&', '&amp;').replaceAll(LOOSE_BRACKET, '&lt;').replaceAll('<br/>', '\n')
  const { document } = parseHTML(`<html><body>${escaped}</body></html>`)
  markSuperscripts(document.body)
  markStruckOut(document.body)
  return document.body.textContent
}

/** Quoted and single characters, and conditions, colours and currencies; not lengths of time: `[h]`. */
const LITERALS = /"[^"]*"|[\\_*].|\[(?![hms]+\])[^\]]*\]/gi
/** A day as the library shows it in the built-in formats of East Asia, of which it gives no pattern. */
const BUILT_IN_DAY = /^\d+\/\d+\/\d+$/

/** The number in its format; unchanged if the format is missing or does not apply. */
function numberText(number: number, pattern: string, shown: string, isFrom1904: boolean): string {
  const plain = Number.isFinite(number) ? String(roundBinaryNoise(number)) : ''
  if (pattern === 'General') return plain
  const codes = pattern.replaceAll(LITERALS, '')
  if (/^(?:general|@)$/i.test(codes)) return plain
  const isDate = /[ymdhs]/i.test(codes) || (pattern === '' && BUILT_IN_DAY.test(shown))
  return isDate ? dateText(number, pattern, codes, isFrom1904) : exactText(number, shown.trim())
}

/** A displayed number with nothing but a currency or percent sign around it. */
const SIGNED = /^(-?)(\p{Sc}?\s*)(-?)([\d.,]+)(\s*[\p{Sc}%]?)$/u

/** The displayed text if it has all digits of the number, as codes and units have; otherwise with the whole number. */
function exactText(number: number, shown: string): string {
  // Accounts show losses in parentheses, and zero as a dash.
  const plain = shown.replace(/^\((.+)\)$/, '-$1')
  const [, , before = '', , digits = '', after = ''] = SIGNED.exec(plain) ?? []
  const value = roundBinaryNoise(after.endsWith('%') ? number * 100 : number)
  const isWhole = Number(plain.replaceAll(/[^\d.]/g, '')) === Math.abs(value)
  if (/^\p{Sc}?\s*-\s*\p{Sc}?$/u.test(shown)) return shown.replace('-', String(value))
  const isText = !/\d/.test(shown) || (isWhole && plain === shown && !digits.includes(','))
  return isText ? shown : `${before}${value}${after}`
}

const DAYS_BEFORE_1970 = 25_569
/** Spreadsheet programs count 1900 as a leap year. */
const MARCH_1900 = 61
const DAYS_1904 = 1462
const DAY_MS = 86_400_000

/** Dates as ISO 8601, because the order of day and month depends on the locale; durations as displayed. */
function dateText(number: number, pattern: string, codes: string, isFrom1904: boolean): string {
  const isTime = !/[yd]/i.test(codes) && /[hs[]/i.test(codes)
  if (isTime && (number >= 1 || !/h/i.test(codes) || codes.includes('['))) {
    return (SSF as { format(pattern: string, value: number): string }).format(pattern, number).trim()
  }
  // Programs do not show negative dates.
  if (number < 0) return String(roundBinaryNoise(number))
  const serial = isFrom1904 && !isTime ? number + DAYS_1904 : number
  const days = serial < 1 || serial >= MARCH_1900 ? serial : serial + 1
  const date = new Date(Math.round((days - DAYS_BEFORE_1970) * DAY_MS))
  if (Number.isNaN(date.getTime())) return ''
  const [date8601, time] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19).split('T')
  if (date8601! < '1900-01-01') return time!
  return time === '00:00:00' ? date8601! : `${date8601}T${time}`
}
