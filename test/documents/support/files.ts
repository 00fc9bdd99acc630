import { createDeflateRaw, deflateRawSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'

export type Pdf = InstanceType<typeof PdfDocument>

/** A PDF as a test draws it. */
export async function pdf(draw: (pdf: Pdf) => void, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PdfDocument({ margin: 72, size: 'A4', ...options })
  const bytes = buffer(document)
  draw(document)
  document.end()
  return bytes
}

/** A table of cells that are put where their columns start. */
export function drawTable(document: Pdf, rows: readonly (readonly string[])[], columns: readonly number[]): void {
  for (const row of rows) {
    const { y } = document
    for (const [i, text] of row.entries()) document.text(text, columns[i], y, { lineBreak: false })
    document.y = y + 16
    document.x = 72
  }
}

export interface ZipPart {
  readonly name: string
  readonly content: Buffer | string
  /** What the archive says of its size; its real one when absent. */
  readonly declaredSize?: number
  /** Content that is deflated already. */
  readonly isDeflated?: boolean
}

/** A zip archive of given parts, honest or not. */
export function zip(parts: readonly ZipPart[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content, declaredSize, isDeflated = false } of parts) {
    const raw = Buffer.from(content)
    const data = isDeflated ? raw : deflateRawSync(raw)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(declaredSize ?? raw.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const record = [Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]
    local.push(...record)
    central.push(Buffer.from('PK\x01\x02\x14\x00'), fields, place, Buffer.from(name))
    offset += record.reduce((sum, piece) => sum + piece.length, 0)
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

/** So many zeros, deflated: a thousandth of their size. */
export async function deflatedZeros(megabytes: number): Promise<Buffer> {
  const stream = createDeflateRaw({ level: 1 })
  const bytes = buffer(stream)
  const zeros = Buffer.alloc(1_000_000, ' ')
  for (let i = 0; i < megabytes; i++) {
    if (!stream.write(zeros)) await new Promise((resolve) => stream.once('drain', resolve))
  }
  stream.end()
  return bytes
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A workbook of parts in its folder `xl`: `workbook.xml` and others. */
export function workbookOf(parts: Readonly<Record<string, string>>): Buffer {
  const types = { 'sharedStrings.xml': 'sharedStrings', 'styles.xml': 'styles' }
  const overrides = Object.entries(types)
    .filter(([name]) => name in parts)
    .map(([name, type]) => `<Override PartName="/xl/${name}" ContentType="${TYPE}.${type}+xml"/>`)
  return zip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${overrides.join('')}</Types>`,
    },
    ...Object.entries(parts).map(([name, content]) => ({ name: `xl/${name}`, content })),
  ])
}

/** A workbook of one sheet, by its XML. */
export function sheetOf(sheet: string, others: Readonly<Record<string, string>> = {}): Buffer {
  const workbook = `<workbook xmlns="${MAIN}"><sheets><sheet name="A"/></sheets></workbook>`
  return workbookOf({ 'workbook.xml': workbook, 'worksheets/sheet1.xml': sheet, ...others })
}

/** A workbook as other programs write it: strings inline, targets from the root, sheets in another order. */
export function foreignWorkbook(): Buffer {
  const sheet = (text: string): string =>
    `<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c>` +
    `<c r="B1"><v>5</v></c></row></sheetData></worksheet>`
  return workbookOf({
    'worksheets/sheet1.xml': sheet('last'),
    'worksheets/sheet2.xml': sheet('first'),
    'workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Zeta" sheetId="2" r:id="rId2"/><sheet name="Alpha" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    '_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="/xl/worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${OFFICE}/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
  })
}
