import { isExactNumber } from '../../shared/exact-number.ts'
import { columnNumber } from './safe-workbook.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** What the library that reads workbooks leaves out of a cell. */
export interface CellDetails {
  readonly isStruckOut: boolean
  /** A date in ISO 8601, or a number with more digits than a double has. */
  readonly written: string | undefined
}

/**
 * Cells of which the library leaves something out, by `cellKey`.
 * @param struckStyles numbers of the styles that strike out
 * @throws Error if the XML is not well-formed or has impossible cells, which the library does not notice
 */
export async function readCellDetails(
  sheet: ZipEntry,
  struckStyles: ReadonlySet<number>,
): Promise<ReadonlyMap<number, CellDetails>> {
  const details = new Map<number, CellDetails>()
  let row = 0
  let column = -1
  let type = ''
  let isStruckOut = false
  let text = ''
  let written: string | undefined
  await readXml(sheet, {
    open(name, { r: reference, t = 'n', s = '0' }) {
      text = ''
      if (name === 'row') {
        row = Number(reference ?? row + 1)
        if (!(row >= 1 && row <= MAX_ROWS)) throw new RangeError(`There is no row ${row}.`)
        column = -1
      } else if (name === 'c') {
        column = reference === undefined ? column + 1 : columnOf(reference)
        type = t
        isStruckOut = struckStyles.has(Number(s))
        written = undefined
      }
    },
    text(piece) {
      text += piece
    },
    close(name) {
      if (name === 'v' && (type === 'd' || (type === 'n' && isLongNumber(text)))) written = text
      if (name !== 'c' || (written === undefined && !isStruckOut)) return
      details.set(cellKey(row - 1, column), { isStruckOut, written })
    },
  })
  return details
}

/** Spreadsheet programs write doubles with at most 17 digits; other programs also write longer numbers. */
const MAX_DOUBLE_DIGITS = 17

function isLongNumber(value: string): boolean {
  if (!isExactNumber(value)) return false
  return value.includes('.')
    ? value.replace(/^[-0.]+|\D/g, '').length > MAX_DOUBLE_DIGITS
    : String(Number(value)) !== value
}

export const MAX_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384

/** Rows and columns count from 0. */
export function cellKey(row: number, column: number): number {
  return row * MAX_COLUMNS + column
}

/** `C7` is in column 2. */
function columnOf(reference: string): number {
  const column = columnNumber(/^[A-Z]*/.exec(reference)![0])
  if (column < 1 || column > MAX_COLUMNS) throw new RangeError(`There is no column ${reference}.`)
  return column - 1
}
