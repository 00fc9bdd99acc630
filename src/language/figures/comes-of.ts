import { numeric } from './derive.ts'
import type { RowsNamed } from './labels.ts'
import { negative, sharpened } from './printed.ts'
import type { NumberFigure } from './read.ts'
import { inOrder } from './row-periods.ts'
import { COMPARED, FALLEN, ONLY, RISEN, SEVERAL } from './row-words.ts'
import { isPrinted, ofFirst, ofRow, ofRows, withReadings, type Row } from './rows.ts'

/** Whether a figure comes of these rows, or of all that the sentence names. */
export function comesOf(
  { table: given, rows: all, totalOf }: RowsNamed,
  printed: NumberFigure,
  named: readonly Row[],
  clause: string,
): boolean {
  const { isPercent } = printed
  // “By -30” is 30 less.
  const isBelow = printed.readings[0]!.value < 0
  const figure = isBelow ? withReadings(printed, negative) : printed
  const { columns, rows } = given
  const compared = COMPARED.test(clause)
    ? columns.flatMap((column) =>
        rows.flatMap((row) =>
          Math.abs((numeric(row[column]) ?? Number.NaN) - (numeric(named[0]![column]) ?? Number.NaN)),
        ),
      )
    : []
  const told = [named, all].flatMap((some) => ofRows(given, some)).filter((one) => one.isShare === isPercent)
  const isUp = RISEN.test(clause) === FALLEN.test(clause) ? undefined : RISEN.test(clause)
  const table = inOrder(given)
  const own = named.flatMap((row) => ofRow(table, row, isPercent, COMPARED.test(clause), isBelow ? false : isUp))
  const isCounted = named.length > 1 || ONLY.test(clause)
  const counted = !isCounted ? [] : [isPercent ? (100 * named.length) / rows.length : named.length]
  const first =
    isPercent && SEVERAL.test(clause)
      ? named.flatMap((row) => columns.flatMap((column) => ofFirst(given, row, column, totalOf(column))))
      : []
  const sharp = isPercent ? figure : withReadings(figure, (reading) => sharpened(reading, 0.005))
  return (
    [...told.map(({ value }) => value), ...counted].some((value) => isPrinted(value, figure)) ||
    [...own, ...first, ...compared].some((value) => isPrinted(value, sharp))
  )
}
