import PdfDocument from 'pdfkit'
import type { Block, DemoDocument } from './blocks.ts'

const MARGIN = 62
const SIZES = { title: 22, 1: 15, 2: 12, text: 10.5, small: 8.5 } as const

/**
 * Lays a document out on A4 with headings by size, tables with lines, and page numbers. The same document gives the
 * same bytes: the date is a parameter, the standard fonts are not embedded, and nothing is compressed, which each version
 * of zlib does its own way.
 */
export async function renderPdf(document: DemoDocument, writtenAt: Date): Promise<Buffer> {
  const pdf = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    compress: false,
    info: { Title: document.title, Author: 'Brindlemoor Coffee', CreationDate: writtenAt, ModDate: writtenAt },
  })
  const chunks: Buffer[] = []
  const written = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  pdf.font('Helvetica-Bold').fontSize(SIZES.title).text(document.title).moveDown(0.3)
  pdf.font('Helvetica').fontSize(SIZES.small).text(document.subtitle).moveDown(1.5)
  for (const block of document.blocks) drawBlock(pdf, block)
  numberPages(pdf, document.title)
  pdf.end()
  await written
  return Buffer.concat(chunks)
}

function drawBlock(pdf: PDFKit.PDFDocument, block: Block): void {
  switch (block.kind) {
    case 'heading':
      pdf.font('Helvetica-Bold').fontSize(SIZES[block.level]).text(block.text).moveDown(0.5)
      break
    case 'paragraph':
      pdf.font('Helvetica').fontSize(SIZES.text).text(block.text, { lineGap: 3 }).moveDown(0.9)
      break
    case 'list':
      drawList(pdf, block.items)
      break
    case 'table':
      drawTable(pdf, block)
      break
    case 'page':
      pdf.addPage()
  }
}

/** With bullets that are characters, as word processors write them; pdfkit's own lists draw circles. */
function drawList(pdf: PDFKit.PDFDocument, items: readonly string[]): void {
  pdf.font('Helvetica').fontSize(SIZES.text)
  for (const item of items) {
    const { y } = pdf
    pdf.text('•', MARGIN + 4, y, { lineBreak: false })
    pdf.text(item, MARGIN + 16, y, { lineGap: 3 })
  }
  pdf.x = MARGIN
  pdf.moveDown(0.9)
}

function drawTable(pdf: PDFKit.PDFDocument, { head, rows }: Block & { kind: 'table' }): void {
  pdf.fontSize(9.5)
  const table = pdf.table({ defaultStyle: { padding: 4, borderColor: '#999999' } })
  table.row(head.map((text) => ({ text, font: { src: 'Helvetica-Bold' }, backgroundColor: '#eeeeee' })))
  for (const row of rows) table.row(row.map((text) => ({ text, font: { src: 'Helvetica' } })))
  table.end()
  pdf.x = MARGIN
  pdf.moveDown(1.2)
}

/** Below the margin, where pdfkit would begin a new page if the margin were left as it is. */
function numberPages(pdf: PDFKit.PDFDocument, title: string): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.page.margins.bottom = 0
    const text = `Brindlemoor Coffee - ${title} - page ${page + 1} of ${count}`
    pdf
      .font('Helvetica')
      .fontSize(SIZES.small)
      .text(text, MARGIN, pdf.page.height - 40, { lineBreak: false })
  }
}
