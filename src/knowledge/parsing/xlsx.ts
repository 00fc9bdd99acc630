import { DocumentText, tooLong } from './document-text.ts'
import { packageProperties } from './properties.ts'
import { addSheet, type MergedCells, type SheetRow } from './sheet-blocks.ts'
import { cellText } from './sheet-cells.ts'
import type { Parsed, ZipSource } from './source.ts'
import { readWorkbook, TextPieces, type Workbook } from './workbook.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** A workbook: each sheet is a page with its name as heading and its rows as tables. */
export async function parseXlsx(source: ZipSource): Promise<Parsed> {
  const book = await readWorkbook(source.entries)
  const text = new DocumentText(source.name, source.limits.characters)
  let left = source.limits.characters
  const take = (cell: string): void => {
    left -= cell.length + 1
    if (left < 0) throw tooLong(source.name, source.limits.characters)
  }
  for (const [i, { name, entry }] of book.sheets.entries()) {
    const { rows, merged } = await rowsOf(entry, book, take)
    addSheet(text, name, rows, i + 1, merged)
  }
  return {
    text: text.text(),
    blocks: text.blocks,
    pages: book.sheets.length,
    ...packageProperties(source.entries),
    notes: [],
  }
}

/** The rows of a sheet that have something in them. `take` is told each cell, empty ones between others included. */
async function rowsOf(
  entry: ZipEntry,
  book: Workbook,
  take: (cell: string) => void,
): Promise<{ readonly rows: readonly SheetRow[]; readonly merged: readonly MergedCells[] }> {
  const rows: SheetRow[] = []
  const merged: MergedCells[] = []
  let number = 0
  let cells: string[] = []
  let column = 0
  let cell: Readonly<Record<string, string>> = {}
  let isFormula = false
  let value: string | undefined
  let inline = new TextPieces()
  await readXml(entry, {
    open(name, attributes) {
      inline.open(name, attributes)
      if (name === 'row') {
        number = Number(attributes['r'] ?? number + 1)
        cells = []
      } else if (name === 'c') {
        cell = attributes
        column = attributes['r'] === undefined ? cells.length : columnOf(attributes['r'])
        isFormula = false
        inline = new TextPieces()
      } else if (name === 'f') isFormula = true
      else if (name === 'v') value = ''
      else if (name === 'mergeCell') merged.push(...rangeOf(attributes['ref'] ?? ''))
    },
    text(piece) {
      if (value === undefined) inline.add(piece)
      else value += piece
    },
    close(name) {
      inline.close(name)
      if (name === 'v') {
        inline.value = value ?? ''
        value = undefined
      } else if (name === 'c') {
        const isDate = book.dateStyles[Number(cell['s'] ?? 0)] === true
        const given = { type: cell['t'] ?? 'n', value: inline.value, isFormula, isDate }
        const text = cellText(given, book.strings, book.isFrom1904)
        for (; cells.length < column; cells.push('')) take('')
        take(text)
        cells[column] = text
      } else if (name === 'row' && cells.some((text) => text !== '')) rows.push({ number, cells })
    },
  })
  return { rows, merged }
}

/** `A2:B4`. */
function rangeOf(reference: string): MergedCells[] {
  const [, first, top, last, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? []
  if (first === undefined || last === undefined) return []
  return [{ top: Number(top), bottom: Number(bottom), left: columnOf(first), right: columnOf(last) }]
}

const MOST_COLUMNS = 16_384

/** `C7` is in column 2, counted from 0. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? ''
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  if (column < 1 || column > MOST_COLUMNS) throw new RangeError(`There is no column ${reference}.`)
  return column - 1
}
