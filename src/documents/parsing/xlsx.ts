import { struckOut } from '../../domain/strikethrough.ts'
import { withTarget } from '../../markup/links.ts'
import { DocumentText, tooLong } from './document-text.ts'
import { packageProperties } from './properties.ts'
import { addSheet } from './sheet-blocks.ts'
import { cellText, isUncalculated, withFormulaTarget } from './sheet-cells.ts'
import type { Parsed, ZipSource } from './source.ts'
import { relationsOf } from './relations.ts'
import type { MergedCells, TableRow } from './table-rows.ts'
import { readWorkbook, TextPieces, type Workbook } from './workbook.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** A workbook: each sheet is a page with its name as heading and its rows as tables. */
export async function parseXlsx(source: ZipSource): Promise<Parsed> {
  const book = await readWorkbook(source.entries)
  const parts = new Map(source.entries.map((entry) => [entry.name, entry]))
  const text = new DocumentText(source.name, source.limits.characters)
  let remaining = source.limits.characters
  const take = (cell: string): void => {
    remaining -= cell.length + 1
    if (remaining < 0) throw tooLong(source.name, source.limits.characters)
  }
  let uncalculated = 0
  for (const [i, { name, entry }] of book.sheets.entries()) {
    const sheet = await readSheet(entry, book, take)
    uncalculated += sheet.uncalculated
    const targets = new Map((await relationsOf(parts, entry.name)).map(({ id, target }) => [id, target]))
    const rows = new Map(sheet.rows.map((row) => [row.number, row.cells]))
    for (const { row, column, id } of sheet.links) {
      const cells = rows.get(row)
      if (cells?.[column] !== undefined) cells[column] = withTarget(cells[column], targets.get(id) ?? '')
    }
    addSheet(text, name, sheet.rows, i + 1, sheet.merged)
  }
  return {
    text: text.text(),
    blocks: text.blocks,
    pages: book.sheets.length,
    ...packageProperties(source.entries),
    notes: uncalculatedNote(uncalculated),
  }
}

/** Formulas without stored values: the program that wrote the file did not calculate them. */
function uncalculatedNote(count: number): string[] {
  if (count === 0) return []
  if (count === 1) {
    return ['One formula has no stored value; open the file in a spreadsheet program, save it and add it again.']
  }
  return [`${count} formulas have no stored value; open the file in a spreadsheet program, save it and add it again.`]
}

interface Sheet {
  /** Rows that are not empty. */
  readonly rows: (TableRow & { readonly cells: string[] })[]
  readonly merged: MergedCells[]
  readonly links: { readonly row: number; readonly column: number; readonly id: string }[]
  /** How many formulas have no value. */
  uncalculated: number
}

/** `take` is called for each cell, including empty ones between others. */
async function readSheet(entry: ZipEntry, book: Workbook, take: (cell: string) => void): Promise<Sheet> {
  const sheet: Sheet = { rows: [], merged: [], links: [], uncalculated: 0 }
  let number = 0
  let cells: string[] = []
  let column = 0
  let cell: Readonly<Record<string, string>> = {}
  let formula: string | undefined
  let value: string | undefined
  let part = ''
  let inline = new TextPieces()
  await readXml(entry, {
    open(name, attributes) {
      inline.open(name, attributes)
      part = name
      if (name === 'row') {
        number = Number(attributes['r'] ?? number + 1)
        cells = []
      } else if (name === 'c') {
        cell = attributes
        column = attributes['r'] === undefined ? cells.length : columnOf(attributes['r'])
        formula = undefined
        value = undefined
        inline = new TextPieces()
      } else if (name === 'f') formula = ''
      else if (name === 'v') value = ''
      else if (name === 'mergeCell') sheet.merged.push(...rangeOf(attributes['ref'] ?? ''))
      else if (name === 'hyperlink') {
        const [, letters, row] = /^([A-Z]{1,3})(\d{1,7})/.exec(attributes['ref'] ?? '') ?? []
        if (letters === undefined) return
        sheet.links.push({ row: Number(row), column: columnOf(letters), id: attributes['id'] ?? '' })
      }
    },
    text(piece) {
      if (part === 'v') value += piece
      else if (part === 'f') formula += piece
      else inline.add(piece)
    },
    close(name) {
      inline.close(name)
      part = ''
      if (name === 'c') {
        const { pattern, isStruckOut = false } = book.styles[Number(cell['s'] ?? 0)] ?? {}
        const type = cell['t'] ?? 'n'
        if (book.needsCalculation && formula !== undefined && value === '0') value = undefined
        const content = { type, value: type === 'inlineStr' ? inline.value : value, formula, pattern }
        const display = withFormulaTarget(cellText(content, book.strings, book.isFrom1904), formula)
        const text = isStruckOut ? struckOut(display) : display
        if (isUncalculated(content)) sheet.uncalculated++
        for (; cells.length < column; cells.push('')) take('')
        take(text)
        cells[column] = text
      } else if (name === 'row' && cells.some((text) => text !== '')) sheet.rows.push({ number, cells })
    },
  })
  return sheet
}

/** `A2:B4`. */
function rangeOf(reference: string): MergedCells[] {
  const [, first, top, last, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? []
  if (first === undefined || last === undefined) return []
  return [{ top: Number(top), bottom: Number(bottom), left: columnOf(first), right: columnOf(last) }]
}

const MAX_COLUMNS = 16_384

/** `C7` is in column 2, counted from 0. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? ''
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  if (column < 1 || column > MAX_COLUMNS) throw new RangeError(`There is no column ${reference}.`)
  return column - 1
}
