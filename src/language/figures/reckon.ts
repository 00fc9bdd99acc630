import { given } from '../../core/given.ts'
import { hasCount, holds, ofUnit } from './derive.ts'
import type { Evidence } from './evidence.ts'
import type { RowsNamed } from './labels.ts'
import { exact, isWithin, negative, sharpened, type Reading } from './printed.ts'
import { ratiosOf } from './ratios.ts'
import type { NumberFigure } from './read.ts'
import { ofRows } from './rows.ts'
import { inUnit, RATIO, THINGS, unitOfColumn, type Unit } from './units.ts'

export interface Quantity {
  readonly value: number
  readonly unit?: Unit
}

/** More figures than these in a sentence and the one before make any other by chance. */
const MOST_OPERANDS = 24
/** Single values that were found; “3 orders, 218.09” makes an average without either being printed. */
const MOST_SINGLES = 8

/** What a figure comes to by one step from what was found and said; undefined where it comes of none of it. */
export function reckoned(
  figure: NumberFigure,
  sentence: string,
  { common, found }: { readonly common: Evidence; readonly found: readonly Evidence[] },
  named: readonly RowsNamed[],
  said: readonly Quantity[],
): number | undefined {
  const { unit, isPercent } = figure
  if (unit === RATIO) return ratioOf(figure, found, named, said)
  const isNone = new Set(named.filter((rows) => rows.isNoneOf(figure)).map(({ table }) => table))
  if (isPercent && isNone.size > 0) return undefined
  const isCount = !isPercent && (unit === undefined || unit === THINGS)
  const singles = found.flatMap(({ tables }) => tables.flatMap(singlesOf)).slice(0, MOST_SINGLES)
  const operands = operandsOf(isCount || isPercent ? undefined : unit, [...said, ...singles])
  const asked = common.values.filter((value) => value > 1).slice(0, MOST_SINGLES)
  const ofNamed = named.flatMap(({ table, together }) => ofRows(ofUnit(table, unit), together))
  const derived = found
    .filter(({ tables }) => !tables.some((table) => isNone.has(table)))
    .map((evidence) => evidence.derived(unit))
  for (const reading of figure.readings) {
    const sharp = isPercent ? reading : sharpened(reading)
    const isFound = derived.some(({ counts, sums, relations, percents }) =>
      isPercent
        ? holds(percents, reading) !== undefined ||
          (reading.value < 0 && holds(percents, negative(reading)) !== undefined)
        : (isCount && holds(counts, exact(reading.value)) !== undefined) ||
          holds(sums, reading) !== undefined ||
          holds(relations, sharp) !== undefined ||
          (reading.value < 0 && holds(relations, negative(sharp)) !== undefined),
    )
    if (
      isFound ||
      ofNamed.some(({ value, isShare }) => isShare === isPercent && isWithin(value, reading)) ||
      (isCount && isCountOf(sentence, reading, found, [...said.map(({ value }) => value), ...common.values])) ||
      operands.some((some) => calculated(some, asked, isPercent).some((value) => isWithin(value, sharp))) ||
      (!isPercent && found.some((one) => one.rated(unit).some((value) => isWithin(value, sharpened(reading, 0.01)))))
    )
      return reading.value
  }
  return undefined
}

/** Those that may be reckoned with each other: in this unit, or else each unit that there is by itself. */
function operandsOf(unit: Unit | undefined, all: readonly Quantity[]): number[][] {
  const units = unit === undefined ? [undefined, ...new Set(all.flatMap((one) => one.unit ?? []))] : [unit]
  return units.map((one) =>
    [...new Set(all.flatMap(({ value, unit: own }) => inUnit(value, own, one) ?? []))].slice(0, MOST_OPERANDS),
  )
}

/** “1.4 times as much”: of the rows that are named, or else of what was found or said. */
function ratioOf(
  figure: NumberFigure,
  found: readonly Evidence[],
  named: readonly RowsNamed[],
  said: readonly Quantity[],
): number | undefined {
  const ofNamed = named.flatMap((rows) => ratiosOf(rows, figure.text))
  const isNamed = named.some(({ rows }) => rows.length > 0)
  const amounts = operandsOf(
    undefined,
    said.filter(({ unit }) => unit !== RATIO),
  )
  const others = amounts.flatMap((some) =>
    some.flatMap((a) => some.flatMap((b) => (a === b || b === 0 ? [] : [a / b]))),
  )
  return figure.readings.find(
    (reading) =>
      [...ofNamed, ...(isNamed ? [] : others)].some((value) => isWithin(value, reading)) ||
      (!isNamed && found.some((evidence) => holds(evidence.derived().ratios, reading) !== undefined)),
  )?.value
}

/** By one step from the operands; products only with what the question names. */
function calculated(operands: readonly number[], asked: readonly number[], isPercent: boolean): number[] {
  const pairs = operands.flatMap((a, i) => operands.flatMap((b, j) => (i === j ? [] : [[a, b] as const])))
  if (isPercent) {
    return pairs.flatMap(([a, b]) =>
      b === 0 ? [] : [(100 * a) / b, (100 * (a - b)) / b, Math.abs((100 * (a - b)) / b)],
    )
  }
  const sum = operands.reduce((total, value) => total + value, 0)
  return [
    sum,
    ...pairs.flatMap(([a, b]) => [a + b, a - b, ...(b === 0 ? [] : [a / b])]),
    ...operands.flatMap((a) => asked.flatMap((b) => [a * b, a / b])),
  ]
}

/** How many rows there are above or below a figure that is named, or how many of the rows are named themselves. */
function isCountOf(
  sentence: string,
  { value }: Reading,
  found: readonly Evidence[],
  bounds: readonly number[],
): boolean {
  if (!Number.isInteger(value) || value < 0) return false
  return found.some(({ tables }) =>
    tables.some((table) => {
      const { columns, rows, truncated } = table
      // Of one row, none lies above it: that is no way to say that there are none.
      if (truncated === true || !hasCount(table) || value > rows.length || rows.length < 2) return false
      const label = columns.find((column) => typeof rows[0]?.[column] === 'string')
      if (label !== undefined && rows.length <= MOST_LABELS) {
        const named = rows.filter((row) => sentence.includes(String(row[label])))
        if (named.length === value && value > 1) return true
      }
      return columns.some((column) =>
        bounds.slice(0, MOST_OPERANDS).some((bound) => {
          const numbers = rows.map((row) => row[column]).filter((cell) => typeof cell === 'number')
          if (numbers.length !== rows.length) return false
          const [more, less] = [
            numbers.filter((one) => one > bound).length,
            numbers.filter((one) => one < bound).length,
          ]
          return [more, less, numbers.length - more, numbers.length - less].includes(value)
        }),
      )
    }),
  )
}

const MOST_LABELS = 200

function singlesOf({ rows, columns, rowCount }: Evidence['tables'][number]): Quantity[] {
  return rowCount === 1
    ? columns.flatMap((column) => {
        const [value, unit] = [rows[0]?.[column], unitOfColumn(column)]
        return typeof value === 'number' ? [{ value, ...given({ unit }) }] : []
      })
    : []
}
