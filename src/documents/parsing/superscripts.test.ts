import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { pdf, zip } from '../../../test/documents/support/files.ts'
import { parseDocument } from './parse.ts'

async function textOf(name: string, bytes: Buffer | string): Promise<string> {
  return (await parseDocument({ name, bytes: Buffer.from(bytes) })).text
}

async function fixture(name: string): Promise<string> {
  return textOf(name, await readFile(new URL(`../../../test/fixtures/superscripts/${name}`, import.meta.url)))
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** A Word document of one paragraph. */
function docx(runs: string, styles: string): Buffer {
  const type = 'application/vnd.openxmlformats-officedocument'
  return zip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${type}.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
    },
    { name: 'word/styles.xml', content: `<w:styles ${WORD}>${styles}</w:styles>` },
    {
      name: 'word/document.xml',
      content: `<w:document ${WORD}><w:body><w:p>${runs}</w:p></w:body></w:document>`,
    },
  ])
}

describe('a superscript is not joined to the number before it', () => {
  it('in a PDF', async () => {
    const text = await fixture('fees.pdf')
    expect(text).toContain('EUR 15² per day')
    expect(text).toContain('EUR 120³.')
  })

  it('in a PDF where it is raised and as large as the text', async () => {
    const bytes = await pdf((pdf) => {
      pdf.fontSize(12).text('The tank holds 10', 72, 100, { lineBreak: false })
      pdf.text('3', 72 + pdf.widthOfString('The tank holds 10'), 96, { lineBreak: false })
      pdf.text(' litres.', 72 + pdf.widthOfString('The tank holds 103'), 100, { lineBreak: false })
    })
    expect(await textOf('tank.pdf', bytes)).toBe('The tank holds 10³ litres.')
  })

  it('in a PDF with subscripts, while small capitals stay letters', async () => {
    const bytes = await pdf((pdf) => {
      const draw = (text: string, size: number, x: number, y: number): number => {
        // PDFKit places the top of a line; the baseline is what counts here.
        pdf.fontSize(size).text(text, x, y - size * 0.8, { lineBreak: false })
        return x + pdf.widthOfString(text)
      }
      let x = draw('CO', 12, 72, 100)
      x = draw('2', 8, x, 103)
      x = draw(' of W', 12, x, 100)
      draw('IEN', 9, x, 100 - 0.3)
    })
    expect(await textOf('air.pdf', bytes)).toBe('CO₂ of WIEN')
  })

  it('in a Word document', async () => {
    const text = await fixture('fees.docx')
    expect(text).toBe(
      'The reading room fee is EUR 15¹ per day.\n\nThe hall measures 40 m² and the tank holds 10³ litres.\n\n1. Students pay half.',
    )
  })

  it('in a Word document that raises it by a character style', async () => {
    const style =
      '<w:style w:type="character" w:styleId="Mark"><w:name w:val="Mark"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    const runs = '<w:r><w:t>EUR 15</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Mark"/></w:rPr><w:t>2</w:t></w:r>'
    expect(await textOf('fee.docx', docx(runs, style))).toBe('EUR 15²')
  })

  it('in the headings, lists and tables of a web page', async () => {
    const page =
      '<h2>Fee of EUR 15<sup>2</sup></h2><ul><li>Card 120<sup>3</sup></li></ul>' +
      '<table><tr><td>Copy</td><td>1<sup>a</sup></td></tr></table>'
    expect(await textOf('fees.html', page)).toBe('Fee of EUR 15²\n\n- Card 120³\n\nCopy | 1ᵃ')
  })

  it('in a workbook', async () => {
    expect(await fixture('staff.xlsx')).toContain('Ana Kovac | Room 12³ |')
  })

  it('in an OpenDocument file', async () => {
    const span = (style: string, text: string) => `<text:span text:style-name="${style}">${text}</text:span>`
    const content =
      '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:style="s"><office:automatic-styles>' +
      '<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>' +
      '<style:style style:name="T2" style:family="text"><style:text-properties style:text-position="-33% 58%"/></style:style>' +
      `</office:automatic-styles><office:body><office:text><text:p>EUR 15${span('T1', '2')}, CO${span('T2', '2')}` +
      '</text:p></office:text></office:body></office:document-content>'
    const bytes = zip([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
      { name: 'content.xml', content },
    ])
    expect(await textOf('fee.odt', bytes)).toBe('EUR 15², CO₂')
  })
})
