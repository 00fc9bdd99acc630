import type { Table } from '../../core/table.ts'
import { numeric } from './derive.ts'
import { BETTER_LESS } from './extremes.ts'
import type { RowsNamed } from './labels.ts'
import { columnsCalled, measuresOf } from './measures.ts'
import { CLAUSE } from './parts.ts'
import { LESS, MORE } from './row-words.ts'
import type { Row } from './rows.ts'

/** “North has more orders than South.” */
const THAN = new RegExp(
  String.raw`(?<!\p{L})(?:(?<more>${MORE}|stronger|better|stärker|besser)|${LESS}|weaker|worse|schwächer|schlechter)(?!\p{L})(?<what>(?:\s\p{L}+){0,3}?)(?:\sin\s_+|\s(?:came|come|comes)?\s?from\s_+)?\s(?:than|als)\s(?:(?:in|for|at|from|of|that|those|the|both|either|die|der|von)\s)*(?=_)`,
  'iu',
)
const LEADS =
  /(?<!\p{L})(?:beats?|outsold|outsells|outperform(?:s|ed)|exceed(?:s|ed)|surpass(?:es|ed)|overt(?:akes|ook)|leads?|tops|(?:is|was|lies|stays|came|comes|finished) ahead of|schlägt|übertrifft|überholte?|(?:liegt|lag) vor)\s(?=_)/iu
const TRAILS =
  /(?<!\p{L})(?:trails?|trailed|lags|lagged|lags behind|lagged behind|(?:is|was|lies|stays|came|comes|finished) behind|falls short of|fell short of|loses to|lost to|(?:was|is|got|been) (?:beaten|overtaken|outsold|outperformed|exceeded|surpassed|led) by|(?:liegt|lag) hinter)\s(?=_)/iu
/** What makes no claim of it, or one of something that a column does not hold. */
const NO_CLAIM =
  /(?<!\p{L})(?:not|never|no|nor|neither|hardly|if|whether|almost|nearly|together|combined|gr[eo]w\p{L}*|r[io]se|rising|f[ae]ll\p{L}*|increas\p{L}*|declin\p{L}*|chang\p{L}*|improv\p{L}*|nicht|kein\p{L}*)(?!\p{L})|n['’]t(?!\p{L})|\?/iu
const VALUED =
  /(?<!\p{L})(?:better|worse|beats?|beaten|outperform\p{L}*|leads?|led|tops|loses|lost|besser|schlechter|schlägt)(?!\p{L})/iu
/** What is said to be more than another, in rows that are named, and is not, in any column that it may be of. */
export function wrongComparisons(named: RowsNamed): string[] {
  const { table, rest } = named
  if (table.rows.length < 2) return []
  return named.parts(CLAUSE).flatMap((part) => {
    const text = rest.slice(...part)
    const found = THAN.exec(text) ?? LEADS.exec(text) ?? TRAILS.exec(text)
    if (found === null || NO_CLAIM.test(text)) return []
    const isThan = THAN.test(text)
    const isUp = isThan ? found.groups?.['more'] !== undefined : LEADS.test(text)
    const end = part[0] + found.index + found[0].length
    const [one, other] = [named.last([part[0], end]), named.first([end, part[1]])]
    if (one === undefined || other === undefined) return []
    const [a = [], b = []] = inSamePeriod(one, other, named.periodsIn(part))
    const columns = candidates(table, text, isThan ? (found.groups?.['what'] ?? '') : '')
    if (columns.length === 0 || (VALUED.test(text) && columns.some((column) => BETTER_LESS.test(column)))) return []
    const isWrong = columns.every((column) => (isUp ? isNoMore(a, b, column) : isNoMore(b, a, column)))
    return isWrong ? [named.textOf(part)] : []
  })
}

/** Of “more expensive than” no column is told, unless one is called so; without a word it may be any. */
function candidates(table: Table, text: string, what: string): readonly string[] {
  const words = what.trim().split(/\s+/).filter(Boolean)
  const called = columnsCalled(table, text)
  if (called.length > 0) return called
  return words.length === 0 ? measuresOf(table) : []
}

/** A period that is named once is of both. */
function inSamePeriod(
  one: readonly Row[],
  other: readonly Row[],
  periods: readonly (readonly Row[])[],
): (readonly Row[])[] {
  const [dated, ...more] = periods
  if (dated === undefined || more.length > 0) return [one, other]
  const within = (rows: readonly Row[]): readonly Row[] => {
    const both = rows.filter((row) => dated.includes(row))
    return both.length > 0 ? both : rows
  }
  return [within(one), within(other)]
}

/** Whether the most of some rows is no more than the least of the others. */
function isNoMore(some: readonly Row[], others: readonly Row[], column: string): boolean {
  const values = (rows: readonly Row[]): number[] => rows.flatMap((row) => numeric(row[column]) ?? [])
  const [a, b] = [values(some), values(others)]
  return a.length > 0 && b.length > 0 && Math.max(...a) <= Math.min(...b)
}

export const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const RANK = new RegExp(
  String.raw`(?:(?<!\p{L})(?:is|was|ranks?|ranked|came|comes|finished|placed|stands|lies|has|had|with)\s(?:in\s)?(?:the\s)?|^\W*(?:the\s)?)(?:(?<word>${ORDINALS.join('|')})|(?<digit>\d+)(?:st|nd|rd|th))(?:(?:[ -](?<end>highest|largest|biggest|best|most|strongest|greatest|lowest|smallest|least|fewest|worst|weakest))(?!\p{L})|(?=\s*(?:place|in|by|with|at|among|after|behind|overall|for|is|was|comes|goes|[.,;:)]|$)))`,
  'iu',
)
const LOW = /^(?:lowest|smallest|least|fewest|weakest)$/i
const EITHER = /^(?:best|worst)$/i

/** “Third by revenue”, of a row that stands at another place by every column that it may be of, and in the table. */
export function wrongRanks(named: RowsNamed): string[] {
  const { table, rest } = named
  if (table.rows.length < 2 || table.rows.length > MOST_ROWS) return []
  return named.parts(/[;:()|\n]|(?<!\p{L})(?:but|while|whereas|aber|während)(?!\p{L})/giu).flatMap((part) => {
    const text = rest.slice(...part)
    const found = RANK.exec(text)
    const { word = '', digit, end = '' } = found?.groups ?? {}
    const place = digit === undefined ? ORDINALS.indexOf(word.toLowerCase()) : Number(digit) - 1
    const rows = [
      ...new Set(
        [named.last([part[0], part[0] + (found?.index ?? 0)]), named.last(part)].filter((one) => one !== undefined),
      ),
    ]
    // A number that is no place of the table is found to be none as any other figure.
    const isPlace = place >= 0 && (digit === undefined || place < table.rows.length)
    if (found === null || !isPlace || rows.length === 0 || NO_CLAIM.test(text)) return []
    const [row, ...more] = rows[0]!
    if (
      row === undefined ||
      more.length > 0 ||
      (end === '' && place === 0 && /(?<!\p{L})first (?:for|with|at|after)(?!\p{L})/iu.test(text))
    )
      return []
    const called = columnsCalled(table, text)
    const columns = called.length > 0 ? called : measuresOf(table)
    const isThere = (values: readonly number[], own: number): boolean => {
      const before = values.filter((value) => value > own).length
      return before <= place && place < before + values.filter((value) => value === own).length
    }
    const isRight = columns.some((column) => {
      const values = table.rows.flatMap((one) => numeric(one[column]) ?? [])
      const own = numeric(row[column])
      if (own === undefined) return true
      const isHigh = isThere(values, own)
      const isLow = isThere(
        values.map((value) => -value),
        -own,
      )
      const isEither = EITHER.test(end) || (end === '' && BETTER_LESS.test(column))
      return isEither ? isHigh || isLow : LOW.test(end) ? isLow : isHigh
    })
    const isInOrder = end === '' && called.length === 0 && table.rows.indexOf(row) === place
    const isTold = table.columns.some((column) => numeric(row[column]) === place + 1)
    return isRight || isInOrder || isTold ? [] : [named.textOf(part)]
  })
}

const MOST_ROWS = 200
