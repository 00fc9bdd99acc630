import { addDays } from '../../../language/days.ts'
import type { Period } from '../../../language/periods.ts'

/** What a query compares its rows with. What it only prints, and what it leaves out, is not among it. */
export interface Compared {
  /** Texts as written, with the signs of a pattern. */
  readonly texts: readonly string[]
  readonly numbers: readonly number[]
  /** The first days that rows may have, and the first ones that they may no longer have. */
  readonly from: ReadonlySet<string>
  readonly before: ReadonlySet<string>
  /** What it calls by name, in lower case. */
  readonly names: ReadonlySet<string>
  /** It counts from the day on which it runs, or computes one end of a period from the other. */
  readonly isReckoned: boolean
}

const TEXT = String.raw`'(?:[^']|'')*'`
const COMMENT = new RegExp(String.raw`(${TEXT}|"(?:[^"]|"")*"|\x60[^\x60]*\x60)|--[^\n]*|/\*[\s\S]*?\*/`, 'g')
/** A text that is only shown, and what columns are called in the result. */
const SHOWN = new RegExp(
  String.raw`(?<=\bSELECT\s+(?:DISTINCT\s+)?|\b(?:THEN|ELSE)\s+)${TEXT}|(?<!CAST\s*\(\s*)${TEXT}(?=\s+(?:AS|FROM)\b)|\bAS\s+(?!\()(?:"[^"]*"|\x60[^\x60]*\x60|${TEXT}|\w+)`,
  'gi',
)
const EXCLUDED = new RegExp(
  String.raw`(?:<>|!=|\bNOT\s+I?LIKE\b|\bNOT\s+IN\b)\s*(?:\w+\s*\(\s*)?(?:${TEXT}|-?[\d.]+|\([^()]*\))`,
  'gi',
)
/** Of MySQL and SQLite, where it is compared with: elsewhere it is a name. */
const DOUBLE_QUOTED = /(?<=(?:[=<>(,]|\bLIKE)\s*)"([^"]*)"(?!\s*\.)/gi
const LED = String.raw`(?<led><=?|>=?|=|\bBETWEEN\b|\bAND\b)?\s*(?:\b[A-Z_]+\s*\(?\s*)?`
/** A day from which another one is computed is no end itself. */
const MOVED = String.raw`(?<moved>\s*(?:::\s*\w+\s*)?(?:[-+]\s*INTERVAL\b|,\s*'[-+]))?`
const LITERAL = new RegExp(
  String.raw`${LED}(?:'(?<text>(?:[^']|'')*)'${MOVED}|(?<![\w.'"])(?<digits>\d+(?:\.\d+)?))`,
  'gi',
)
const DAY = /^\d{4}-\d\d-\d\d/
const RECKONED =
  /\b(?:INTERVAL|NOW\s*\(|CURRENT_(?:DATE|TIMESTAMP)|CURDATE|DATE_ADD|DATE_SUB)|'now'|'[+-]?\d+ (?:day|month|year)s?'/i

/** @param keepsExcluded whether what is left out was asked for: “not in Peru” */
export function comparedIn(sql: string, keepsExcluded: boolean): Compared {
  const read = sql.replace(COMMENT, (_, kept?: string) => kept ?? ' ').replace(SHOWN, ' ')
  const own = (keepsExcluded ? read : read.replace(EXCLUDED, ' ')).replace(DOUBLE_QUOTED, "'$1'")
  const texts: string[] = []
  const numbers: number[] = []
  const [from, before] = [new Set<string>(), new Set<string>()]
  for (const { groups } of own.matchAll(LITERAL)) {
    const { led = '', text, digits, moved } = groups!
    const day = DAY.exec(text ?? '')?.[0]
    if (day === undefined) {
      if (text !== undefined) texts.push(text.replaceAll("''", "'"))
      for (const found of digits === undefined ? (text!.match(/\d+(?:\.\d+)?/g) ?? []) : [digits]) {
        // “More than 4” is “at least 5”.
        numbers.push(Number(found), ...(/^[<>]/.test(led) ? [Number(found) - 1, Number(found) + 1] : []))
      }
      continue
    }
    if (moved !== undefined) continue
    const [first, end] = [led === '>' ? addDays(day, 1) : day, led === '<' ? day : addDays(day, 1)]
    if (!led.startsWith('<')) from.add(first)
    if (!led.startsWith('>')) before.add(end)
    numbers.push(Number((led.startsWith('<') ? addDays(end, -1) : first).slice(0, 4)))
  }
  const quoted = [...read.matchAll(/["\x60[]([^"\x60\]]+)["\x60\]]/g)].map(([, name]) => name!)
  const plain = read.replace(new RegExp(TEXT, 'g'), ' ').match(/[\p{L}\p{N}_$]+/gu) ?? []
  const names = new Set([...quoted, ...plain].map((name) => name.toLowerCase()))
  return { texts, numbers, from, before, names, isReckoned: RECKONED.test(own) }
}

/** Whether rows of exactly these days are asked for, as far as a text can tell. */
export function asksFor(
  { texts, numbers, from, before, isReckoned }: Compared,
  period: Pick<Period, 'from' | 'before'>,
  today: string,
): boolean {
  const last = period.before === undefined ? undefined : addDays(period.before, -1)
  const isBegun = period.from === undefined || from.has(period.from)
  // What ends in the future needs no end.
  const isEnded =
    period.before === undefined || before.has(period.before) || (period.before > today && before.size === 0)
  if (isBegun && isEnded) return true
  if (isReckoned && (from.size === 0 || isBegun) && (before.size === 0 || isEnded)) return true
  if (from.size + before.size > 0) return false
  const ends = [period.from, last].filter((day) => day !== undefined)
  const isMonth = (day: string): boolean => texts.some((text) => text.startsWith(day.slice(0, 7)))
  if (ends.every(isMonth)) return true
  if (!ends.every((day) => numbers.includes(Number(day.slice(0, 4))))) return false
  if (period.from?.slice(4) !== '-01-01' && period.from !== undefined) return hasPart(numbers, period.from)
  return last === undefined || last.endsWith('-12-31') || hasPart(numbers, last)
}

/** The number of its month or quarter. */
function hasPart(numbers: readonly number[], day: string): boolean {
  const month = Number(day.slice(5, 7))
  return numbers.includes(month) || numbers.includes(Math.ceil(month / 3))
}

/** A text as words that can be compared: no accents, no case. */
export function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}
