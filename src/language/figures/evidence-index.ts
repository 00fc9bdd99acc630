import { isYear as isYearColumn } from '../../core/locale.ts'
import { withApartDigits } from '../../core/superscripts.ts'
import type { Table } from '../../core/table.ts'
import { monthsOf, type PartialDate } from './dates.ts'
import { hasCount, isPeriodic, numeric, type Derived } from './derive.ts'
import type { Statements } from './elsewhere.ts'
import { plainDigits } from './printed.ts'
import { figuresIn } from './read.ts'
import { isShare, PERCENT, RATIO, SHARE, singleUnits, THINGS, unitOfColumn, type Unit } from './units.ts'

/** What an answer may rest on: what a person, a source or a tool said, and the tables that were found. */
export interface Material {
  readonly texts: readonly string[]
  readonly tables: readonly Table[]
}

/** Cells of text behind this row are read only where they are a plain number or date. */
const READ_ROWS = 500
/** “Double that”: what to multiply by, in words. */
const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:double|doubled|twice|half|halve|halved|verdopp\p{L}+|doppelt)\b/iu, 2],
  [/\b(?:triple|thrice|verdreifach\p{L}+)\b/iu, 3],
]
/** A percentage by its name in a text, as in “discount_percent: 15”. */
const SHARE_VALUE = new RegExp(String.raw`(?:${SHARE})\w{0,20}["']?\s?[:=|]\s?["']?(-?\d{1,12}(?:\.\d{1,12})?)`, 'gi')
const ISO_DAY = /^\d{4}-\d\d(?:-\d\d)?(?:[T ]|$)/

/** All that is read in material, in a form in which figures are found. */
export interface Index {
  /** In ascending order. */
  readonly numbers: readonly number[]
  /** Those of them that are percentages. */
  readonly percents: readonly number[]
  readonly dates: readonly PartialDate[]
  /** All letters and digits of the material, in lower case. */
  readonly letters: string
  /** Months and quarters that have a column of their own. */
  readonly months: ReadonlySet<number>
  /** In ascending order: by kind in the smallest unit, by kind and size as printed, and under '' those without a unit. */
  readonly units: ReadonlyMap<string, readonly number[]>
  readonly readings: Map<unknown, readonly unknown[]>
  readonly derived: Map<string, Derived>
  words?: ReadonlySet<string>
  statements?: Statements
  plain?: readonly string[]
  readonly years: ReadonlySet<number>
}

export function indexOf({ texts, tables }: Material): Index {
  const numbers = new Set<number>()
  const units = new Map<string, Set<number>>()
  const list = (key: string, value: number): void => void units.set(key, (units.get(key) ?? new Set()).add(value))
  const add = (value: number, unit: Unit | undefined): void => {
    numbers.add(value)
    if (unit === undefined) list('', value)
    else {
      list(unit.kind, value * unit.size)
      list(`${unit.kind} ${unit.size}`, value)
    }
  }
  const percents = new Set<number>()
  const dates: PartialDate[] = []
  const months = new Set<number>()
  const letters = texts.map(lettersOf)
  const read = (text: string): void => {
    for (const figure of figuresIn(text, { decimalComma: true })) {
      if (figure.kind === 'number' && figure.isYear === true) dates.push({ year: figure.readings[0]!.value })
      else if (figure.kind === 'number') {
        for (const { value } of figure.readings) {
          add(value, figure.isPercent ? PERCENT : figure.unit)
          if (figure.isPercent) percents.add(value)
        }
      }
      if (figure.kind === 'date') dates.push(...figure.dates)
    }
  }
  for (const text of texts) {
    read(text)
    for (const [, share] of text.matchAll(SHARE_VALUE)) percents.add(Number(share))
    for (const unit of singleUnits(text)) add(1, unit)
    for (const [words, value] of MULTIPLES) if (words.test(text)) numbers.add(value)
  }
  for (const table of tables) {
    const { columns, rows, rowCount } = table
    letters.push(...columns.map(lettersOf))
    // Rows by day or by month are as many days or months.
    if (hasCount(table)) add(rowCount, isPeriodic(table) ? undefined : THINGS)
    rows.forEach((row, place) => {
      for (const column of columns) {
        const cell = row[column]
        const number = numeric(cell)
        if (number !== undefined && isYearColumn(column, number)) dates.push({ year: number })
        else if (number !== undefined) {
          add(number, unitOfColumn(column))
          if (isShare(column)) percents.add(number)
          if (/ratio|factor|multiple/i.test(column)) add(number, RATIO)
          if (/cents?$|pence$|minor$/i.test(column)) add(number / 100, undefined)
          for (const month of monthsOf(column, number)) months.add(month)
        } else if (typeof cell === 'string') {
          letters.push(lettersOf(cell))
          if (place < READ_ROWS || ISO_DAY.test(cell)) read(cell)
        } else if (typeof cell === 'object' && cell !== null) {
          letters.push(lettersOf(JSON.stringify(cell)))
          read(JSON.stringify(cell))
        }
      }
    })
  }
  return {
    numbers: sorted(numbers),
    percents: sorted(percents),
    dates,
    years: new Set(dates.flatMap(({ year }) => year ?? [])),
    letters: letters.join('\n'),
    months,
    derived: new Map(),
    readings: new Map(),
    units: new Map([...units].map(([key, values]) => [key, sorted(values)])),
  }
}

function sorted(numbers: ReadonlySet<number>): number[] {
  return [...numbers].toSorted((a, b) => a - b)
}

/** Its letters and digits alone, in lower case. */
export function lettersOf(text: string): string {
  // A letter that is no digit keeps “15²” from becoming “152”.
  return withApartDigits(plainDigits(text), 'ʹ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}
