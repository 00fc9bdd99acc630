import { Document, Packer, Paragraph, TextRun } from 'docx'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { pdf } from '../../../test/documents/support/files.ts'
import { parseDocument } from './parse.ts'

async function textOf(name: string, bytes: Buffer | string): Promise<string> {
  return (await parseDocument({ name, bytes: Buffer.from(bytes) })).text
}

async function fixture(name: string): Promise<string> {
  return textOf(name, await readFile(new URL(`../../../test/fixtures/superscripts/${name}`, import.meta.url)))
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
    const styles = { characterStyles: [{ id: 'Mark', name: 'Mark', run: { superScript: true } }] }
    const children = [new TextRun('EUR 15'), new TextRun({ text: '2', style: 'Mark' })]
    const sections = [{ children: [new Paragraph({ children })] }]
    expect(await textOf('fee.docx', await Packer.toBuffer(new Document({ styles, sections })))).toBe('EUR 15²')
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
})
