import * as docx from 'docx'
import type { Block, DemoDocument } from './blocks.ts'
import { withFixedTimes } from './zip-times.ts'

/** Lays a document out as a Word file, with Word's own headings, lists and tables. The same document gives the same bytes. */
export async function renderDocx(document: DemoDocument, writtenAt: Date): Promise<Buffer> {
  const made = new docx.Document({
    title: document.title,
    creator: 'Brindlemoor Coffee',
    sections: [
      {
        children: [
          new docx.Paragraph({ text: document.title, heading: docx.HeadingLevel.TITLE }),
          new docx.Paragraph({ text: document.subtitle }),
          ...document.blocks.flatMap((block) => parts(block)),
        ],
      },
    ],
  })
  const core = { path: 'docProps/core.xml', data: coreProperties(document.title, writtenAt) }
  return withFixedTimes(await docx.Packer.toBuffer(made, undefined, [core]))
}

function parts(block: Block): (docx.Paragraph | docx.Table)[] {
  switch (block.kind) {
    case 'heading': {
      const heading = block.level === 1 ? docx.HeadingLevel.HEADING_1 : docx.HeadingLevel.HEADING_2
      return [new docx.Paragraph({ text: block.text, heading })]
    }
    case 'paragraph':
      return [new docx.Paragraph({ text: block.text, spacing: { after: 160 } })]
    case 'list':
      return block.items.map((text) => new docx.Paragraph({ text, bullet: { level: 0 } }))
    case 'table':
      return [tableOf(block), new docx.Paragraph({})]
    case 'page':
      return [new docx.Paragraph({ pageBreakBefore: true })]
  }
}

function tableOf({ head, rows }: Block & { kind: 'table' }): docx.Table {
  const row = (cells: readonly string[], isHead: boolean) =>
    new docx.TableRow({
      tableHeader: isHead,
      children: cells.map((text) => {
        const run = new docx.TextRun({ text, bold: isHead })
        return new docx.TableCell({ children: [new docx.Paragraph({ children: [run] })] })
      }),
    })
  return new docx.Table({
    width: { size: 100, type: docx.WidthType.PERCENTAGE },
    rows: [row(head, true), ...rows.map((cells) => row(cells, false))],
  })
}

/** The library would write the time of day into it. */
function coreProperties(title: string, writtenAt: Date): string {
  const at = writtenAt.toISOString()
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${title}</dc:title><dc:creator>Brindlemoor Coffee</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${at}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${at}</dcterms:modified></cp:coreProperties>`
}
