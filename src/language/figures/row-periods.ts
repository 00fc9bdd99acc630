import { isYear } from '../../core/locale.ts'
import type { Table } from '../../core/table.ts'
import { bareMonthsIn, DATES, datesIn, monthsOf, says, type PartialDate } from './dates.ts'
import type { Figure } from './read.ts'
import type { Row } from './rows.ts'

/** A day or period that a sentence speaks of. */
export interface Claimed {
  readonly at: number
  readonly length: number
  readonly dates: readonly PartialDate[]
}

/** The days, months and years of a sentence, each once. */
export function claimedIn(text: string, figures: readonly Figure[]): Claimed[] {
  const read = figures.flatMap((figure): Claimed[] => {
    if (figure.kind === 'name') return []
    const { at, text: said } = figure
    if (figure.kind === 'date') return [{ at, length: said.length, dates: figure.dates }]
    const isAYear = /^(?:1[5-9]|20|21)\d\d$/.test(said) && figure.isYear !== false && figure.unit === undefined
    return isAYear ? [{ at, length: said.length, dates: [{ year: Number(said) }] }] : []
  })
  const isRead = (at: number): boolean => read.some((one) => at >= one.at && at < one.at + one.length)
  const bare = bareMonthsIn(text).filter(({ at }) => !isRead(at))
  return [...read, ...bare]
}

/** What days or periods a row is of: by each date in it, or by a year and a month in columns of their own. */
export function periodsOf({ columns }: Table, row: Row): PartialDate[] {
  const year = columns.map((column) => row[column]).find((cell, i) => isYear(columns[i]!, cell))
  const dated = year === undefined ? {} : { year: Number(year) }
  const own = columns.flatMap((column): PartialDate[] => {
    const cell = row[column]
    const months = typeof cell === 'number' ? monthsOf(column, cell) : []
    if (months.length > 0) return [{ ...dated, months }]
    return typeof cell === 'string' && cell.length < 40 ? (wholly(cell) ?? []).map((one) => ({ ...dated, ...one })) : []
  })
  return own.length > 0 || year === undefined ? own : [dated]
}

/** The day or period that a cell is, and nothing but that. */
function wholly(cell: string): readonly PartialDate[] | undefined {
  const [month] = bareMonthsIn(cell)
  if (month?.length === cell.trim().length) return month.dates
  return DATES.some((form) => cell.replace(form, '').trim() === '') ? datesIn(cell)[0] : undefined
}

/** Whether a row of these days or periods is one that is claimed; a row that has no year is of any. */
export function isOf(periods: readonly PartialDate[], { dates }: Claimed): boolean {
  return periods.some((known) =>
    dates.some(({ year, ...rest }) => {
      const claimed = known.year === undefined || year === undefined ? rest : { year, ...rest }
      return Object.keys(claimed).some((key) => key !== 'minutes') && says(known, claimed)
    }),
  )
}

/** In the order of time where the first row is later than the last. */
export function inOrder(table: Table): Table {
  const [first, last] = [table.rows[0], table.rows.at(-1)].map((row) => {
    const [period] = row === undefined ? [] : periodsOf(table, row)
    return 10_000 * (period?.year ?? 0) + 100 * (period?.months?.[0] ?? 0) + (period?.day ?? 0)
  })
  return first! > last! ? { ...table, rows: table.rows.toReversed() } : table
}
