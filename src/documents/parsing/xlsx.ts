import { posix } from 'node:path'
import { read, type CellObject, type DenseWorkSheet, type Range, type WorkBook } from '@e965/xlsx'
import { DocumentText, tooLong } from './document-text.ts'
import { packageProperties } from './properties.ts'
import { safeWorkbook } from './safe-workbook.ts'
import { addSheet } from './sheet-blocks.ts'
import { cellText, uncalculatedText } from './sheet-cells.ts'
import { cellKey, MAX_COLUMNS, MAX_ROWS, readCellDetails } from './sheet-details.ts'
import type { Parsed, ZipSource } from './source.ts'
import type { TableRow } from './table-rows.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** A workbook, with what the library reads of it but does not declare. */
interface Book extends WorkBook {
  readonly Styles: {
    readonly Fonts?: readonly { readonly strike?: boolean | number }[]
    readonly CellXf?: readonly { readonly fontId?: number }[]
  }
  readonly Workbook: NonNullable<WorkBook['Workbook']> & {
    readonly CalcPr: { readonly fullCalcOnLoad?: string }
    readonly Sheets: readonly { readonly id?: string }[]
  }
}

/** A workbook: each sheet is a page with its name as heading and its rows as tables. */
export async function parseXlsx({ name: file, bytes, entries, limits }: ZipSource): Promise<Parsed> {
  // Without stubs, formulas that have no value would be left out.
  const book = read(safeWorkbook(bytes, entries), {
    dense: true,
    cellNF: true,
    cellHTML: true,
    sheetStubs: true,
  }) as Book
  const parts = new Map(entries.map((entry) => [entry.name, entry]))
  const paths = await sheetPaths(parts.get('xl/_rels/workbook.xml.rels'))
  const struckStyles = struckStylesOf(book)
  const isFrom1904 = book.Workbook.WBProps?.date1904 === true
  const text = new DocumentText(file, limits.characters)
  let remaining = limits.characters
  let uncalculated = 0
  let pages = 0
  for (const [i, name] of book.SheetNames.entries()) {
    const sheet = book.Sheets[name] as DenseWorkSheet | undefined
    if (sheet?.['!type'] === 'chart') continue
    const entry = parts.get(paths.get(book.Workbook.Sheets[i]?.id ?? '') ?? `xl/worksheets/sheet${i + 1}.xml`)
    // The library leaves out sheets that it cannot read.
    if (sheet === undefined || entry === undefined) throw new Error(`The sheet ${name} cannot be read.`)
    const details = await readCellDetails(entry, struckStyles)
    const shown = (cell: CellObject | undefined, key: number): string => {
      if (cell === undefined) return ''
      if (!isUncalculated(cell, book)) return cellText(cell, details.get(key), isFrom1904)
      uncalculated++
      return uncalculatedText(cell.f!)
    }
    const rows: TableRow[] = []
    if (sheet['!data'].length > MAX_ROWS) throw new RangeError(`The sheet ${name} has too many rows.`)
    for (const [row, stored = []] of sheet['!data'].entries()) {
      if (stored.length > MAX_COLUMNS) throw new RangeError(`The sheet ${name} has too many columns.`)
      const cells = Array.from(stored, (cell, column) => {
        const text = shown(cell, cellKey(row, column))
        remaining -= text.length + 1
        if (remaining < 0) throw tooLong(file, limits.characters)
        return text
      })
      if (cells.some((cell) => cell !== '')) rows.push({ number: row + 1, cells })
    }
    const merged = (sheet['!merges'] ?? []).map(({ s: first, e: last }: Range) => {
      return { top: first.r + 1, bottom: last.r + 1, left: first.c, right: last.c }
    })
    addSheet(text, name, rows, ++pages, merged)
  }
  return {
    text: text.text(),
    blocks: text.blocks,
    pages,
    ...packageProperties(entries),
    notes: uncalculatedNote(uncalculated),
  }
}

/** The parts of sheets by their ids. @see ECMA-376 Part 2, 9.3 */
async function sheetPaths(relations: ZipEntry | undefined): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  if (relations === undefined) return paths
  await readXml(relations, {
    open(name, { Id = '', Target = '' }) {
      // A target is relative to the workbook, or written from the root.
      if (name === 'Relationship') paths.set(Id, posix.resolve('/xl', Target).slice(1))
    },
  })
  return paths
}

/** Whether a formula has no value. Programs that calculate nothing store 0 for each, and ask for the calculation. */
function isUncalculated({ t: type, v: value, f: formula }: CellObject, { Workbook: { CalcPr } }: Book): boolean {
  const needsCalculation = ['1', 'true'].includes(CalcPr.fullCalcOnLoad ?? '')
  return formula !== undefined && (type === 'z' || (needsCalculation && value === 0))
}

/** The numbers of styles that strike out. */
function struckStylesOf({ Styles: { Fonts: fonts = [], CellXf: styles = [] } }: Book): ReadonlySet<number> {
  return new Set(styles.flatMap(({ fontId }, i) => (fonts[fontId ?? -1]?.strike ? [i] : [])))
}

/** Formulas without stored values: the program that wrote the file did not calculate them. */
function uncalculatedNote(count: number): string[] {
  if (count === 0) return []
  const formulas = count === 1 ? 'One formula has' : `${count} formulas have`
  return [`${formulas} no stored value; open the file in a spreadsheet program, save it and add it again.`]
}
