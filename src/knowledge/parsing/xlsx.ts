import { Readable } from 'node:stream'
import { DocumentText, tooLong } from './document-text.ts'
import { packageProperties, smallPart } from './properties.ts'
import { cellText } from './sheet-cells.ts'
import { addSheet, type SheetRow } from './sheet-blocks.ts'
import type { Parsed, ZipSource } from './source.ts'
import { zipStream, type ZipEntry } from './zip.ts'

/** What the reader knows of a sheet and its types leave out. */
interface Sheet extends AsyncIterable<{ readonly number: number; readonly values: unknown; getCell(n: number): Cell }> {
  readonly name: string
}
interface Cell {
  readonly value: unknown
  readonly numFmt?: string
}

/** A workbook: each sheet is a page with its name as heading and its rows as tables. */
export async function parseXlsx(source: ZipSource): Promise<Parsed> {
  const { default: ExcelJs } = await import('exceljs')
  const reader = new ExcelJs.stream.xlsx.WorkbookReader(Readable.from(zipStream(inOrder(source.entries))), {
    worksheets: 'emit',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
    entries: 'ignore',
  })
  const sheets = new Map<string, SheetRow[]>()
  let left = source.limits.characters
  for await (const worksheet of reader) {
    const sheet = worksheet as unknown as Sheet
    const rows: SheetRow[] = []
    sheets.set(sheet.name, rows)
    for await (const row of sheet) {
      const cells: string[] = []
      const { model } = reader as unknown as Workbook
      const width = (row.values as unknown[]).length - 1
      for (let column = 1; column <= width; column++) {
        const text = cellText(row.getCell(column), model?.properties?.date1904 === true)
        cells.push(text)
        left -= text.length + 1
        if (left < 0) throw tooLong(source.name, source.limits.characters)
      }
      if (cells.some((text) => text !== '')) rows.push({ number: row.number, cells })
    }
  }
  const text = new DocumentText(source.name, source.limits.characters)
  const names = orderOf(reader as unknown as Workbook, [...sheets.keys()])
  for (const [i, name] of names.entries()) addSheet(text, name, sheets.get(name)!, i + 1)
  return {
    text: text.text(),
    blocks: text.blocks,
    pages: names.length,
    ...packageProperties(source.entries),
    notes: [],
  }
}

interface Workbook {
  readonly model?: {
    readonly sheets?: readonly { readonly name: string }[]
    readonly properties?: { readonly date1904?: boolean }
  }
}

/** Sheets as the workbook shows them; their files may be numbered otherwise. */
function orderOf({ model }: Workbook, found: readonly string[]): string[] {
  const named = (model?.sheets ?? []).map(({ name }) => name).filter((name) => found.includes(name))
  return [...named, ...found.filter((name) => !named.includes(name))]
}

const RELATIONS = 'xl/_rels/workbook.xml.rels'
const STRINGS = 'xl/sharedStrings.xml'
const BEFORE_SHEETS = [RELATIONS, 'xl/workbook.xml', 'xl/styles.xml', STRINGS]

/**
 * The parts that the reader needs, in the order in which it needs them: it writes sheets that come before what they refer
 * to into temporary files, which would stay behind when the process is killed.
 */
function inOrder(entries: readonly ZipEntry[]): ZipEntry[] {
  // Targets may be written from the root; the reader knows them only as relative to the workbook.
  const relations = smallPart(entries, RELATIONS)?.replaceAll(/Target="\/xl\//g, 'Target="') ?? '<Relationships/>'
  const made: Readonly<Record<string, ZipEntry>> = {
    [RELATIONS]: stored(RELATIONS, relations),
    [STRINGS]: entries.find(({ name }) => name === STRINGS) ?? stored(STRINGS, '<sst/>'),
  }
  const first = BEFORE_SHEETS.flatMap((name) => made[name] ?? entries.find((entry) => entry.name === name) ?? [])
  return [...first, ...entries.filter(({ name }) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))]
}

function stored(name: string, text: string): ZipEntry {
  const data = Buffer.from(text)
  return { name, method: 0, data, crc32: 0, size: data.length }
}
