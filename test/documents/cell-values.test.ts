import { Document, Packer, Paragraph, TextRun } from 'docx'
import ExcelJs from 'exceljs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseDocument } from '../../src/documents/parsing/parse.ts'

async function fixture(name: string) {
  return parseDocument({ name, bytes: await readFile(new URL(`../fixtures/documents/${name}`, import.meta.url)) })
}

async function textOf(name: string, bytes: Buffer | string): Promise<string> {
  return (await parseDocument({ name, bytes: Buffer.from(bytes) })).text
}

async function workbook(fill: (sheet: ExcelJs.Worksheet, book: ExcelJs.Workbook) => void): Promise<Buffer> {
  const book = new ExcelJs.Workbook()
  fill(book.addWorksheet('A'), book)
  return Buffer.from(await book.xlsx.writeBuffer())
}

describe('values of documents equal the displayed ones', () => {
  it.each([
    ['depots.xlsx', ['North | Alder |', 'North | Birch |', 'North | Cedar |']],
    ['sales.xlsx', ['Branch | 2024 Plan | 2024 Actual | 2025 Plan | 2025 Actual', 'Station | 90 | 95 | 99 | 104']],
    [
      'contracts.xlsx',
      ['00042 | Padded GmbH', '007345 | Brightwater Ltd | 2025-03-09', '8.25% | 1,234.50 EUR', '2024-12-31'],
    ],
    ['lease.docx', ['the house rules portal (https://intranet.example/house-rules)']],
    ['tenpo.csv', ['店舗 | 電話 | 店長', '梅田店 | 06-3333-4444 | 鈴木']],
    ['branches.pdf', ['Branch | 2024 Plan | 2024 Actual | 2025 Plan | 2025 Actual']],
    [
      'regions.pdf',
      ['Region | First half 2025 Plan | First half 2025 Actual | First half 2025 Diff | Second half 2025 Plan'],
    ],
    [
      'struck-out.pdf',
      ['ends on ~~31 May 2027~~ 30 June 2029', 'See the house rules (https://intranet.example/rules)'],
    ],
  ])('in %s', async (name, values) => {
    const { text } = await fixture(name)
    for (const value of values) expect(text).toContain(value)
  })

  it.each(['rates.pdf', 'rates2.pdf'])('once when they are drawn twice, in %s', async (name) => {
    expect((await fixture(name)).text).toMatch(
      /^Room rates of the guest house\n\nA double room costs 84 euros\.?\n\nBreak/,
    )
  })

  it('in an uncertain legacy encoding, with a note', async () => {
    expect((await fixture('tenpo.csv')).notes).toEqual([expect.stringContaining('Shift_JIS')])
    const { text, notes } = await parseDocument({ name: 'a.txt', bytes: Buffer.from('ed c1 c7 c1 da c9 ce', 'latin1') })
    expect({ text, notes }).toEqual({ text: 'ed c1 c7 c1 da c9 ce', notes: [] })
  })

  it.each([
    ['EUC-JP', '\xa4\xcc\xa4\xeb\xc9\xf7\xcf\xa4', 'ぬる風呂'],
    ['EUC-KR', '\xc3\xca\xbd\xc9\xc0\xb8\xb7\xce', '초심으로'],
    ['EUC-KR', '\xc0\xa5\xc0\xc7 \xc0\xcc\xc1\xdf\xbc\xba', '웹의 이중성'],
  ])('in short text in %s, with a note', async (encoding, bytes, shown) => {
    const { text, notes } = await parseDocument({ name: 'a.txt', bytes: Buffer.from(bytes, 'latin1') })
    expect(text).toBe(shown)
    expect(notes).toEqual([expect.stringMatching(new RegExp(encoding, 'i'))])
  })

  it('in formats of numbers and lengths of time', async () => {
    const bytes = await workbook((sheet) => {
      sheet.addRow([0.5, 1234567.891, -1200, 1.25, 9_007_199_254_740_991, 0, 1.5, 1234, 1])
      const formats = ['0%', '#,##0.00', '#,##0_);(#,##0)', '[h]:mm', '0', '00-000', '[HH]', '#,##0 [$€-407]', 'yyyy']
      for (const [i, format] of formats.entries()) sheet.getCell(1, i + 1).numFmt = format
    })
    expect(await textOf('a.xlsx', bytes)).toContain(
      '50% | 1234567.891 | -1200 | 30:00 | 9007199254740991 | 00-000 | 36 | 1234 € | 1900-01-01',
    )
  })

  it('with all digits of numbers, so that what is computed from them is right', async () => {
    const bytes = await workbook((sheet) => {
      sheet.addRow([1000.4, 0.0249, 1_500_000, 0, -1200.5, 12.5, 1234, 7, 1])
      const formats = [
        '€ #,##0',
        '0%',
        '#,##0,"k"',
        '€ 0;€ 0;€ -',
        '$#,##0;($#,##0)',
        '0.00',
        '00000',
        ';;;',
        '"yes";"no"',
      ]
      for (const [i, format] of formats.entries()) sheet.getCell(1, i + 1).numFmt = format
    })
    expect(await textOf('a.xlsx', bytes)).toContain(
      '€ 1000.4 | 2.49% | 1500000 | € 0 | $-1200.5 | 12.50 | 01234 |  | yes',
    )
  })

  it('as uncalculated formulas', async () => {
    const bytes = await workbook((sheet) => sheet.addRow(['Sum', { formula: 'A1*1.2' } as ExcelJs.CellFormulaValue]))
    const { text, notes } = await parseDocument({ name: 'a.xlsx', bytes })
    expect(text).toContain('Sum | =A1*1.2 (not calculated)')
    expect(notes).toHaveLength(1)
  })

  it('as formulas of a program that stores 0 for each and asks for their calculation, as XlsxWriter does', async () => {
    const bytes = await workbook((sheet, book) => {
      book.calcProperties.fullCalcOnLoad = true
      sheet.addRow([0, { formula: 'A1+2', result: 0 }, { formula: 'A1+3', result: 3 }])
    })
    expect(await textOf('a.xlsx', bytes)).toContain('0 | =A1+2 (not calculated) | 3')
  })

  it('with the addresses of links in a workbook and a page', async () => {
    const bytes = await workbook((sheet) =>
      sheet.addRow([
        { text: 'portal', hyperlink: 'https://a.example/x' },
        { formula: 'HYPERLINK("https://a.example/z","plan")', result: 'plan' },
      ]),
    )
    expect(await textOf('a.xlsx', bytes)).toContain('portal (https://a.example/x) | plan (https://a.example/z)')
    const links =
      '<a href="https://a.example/y">rules</a> <a href="#z">z</a> <a href="mailto:a@b.example">a@b.example</a>'
    expect(await textOf('a.html', `<p>${links}</p>`)).toBe('rules (https://a.example/y) z a@b.example')
  })
})

describe('struck-out text is marked', () => {
  it('in a page, also by a style sheet', async () => {
    const page =
      '<style>.old{text-decoration:line-through}</style><p><del>EUR 12</del> <ins>EUR 14</ins> <span class="old">10</span></p>'
    expect(await textOf('a.html', page)).toBe('~~EUR 12~~ EUR 14 ~~10~~')
    expect(await textOf('a.html', '<p>a <sub>low <s>gone</s></sub> <del>b <s>c</s></del></p>')).toBe(
      'a low ~~gone~~ ~~b~~ ~~c~~',
    )
  })

  it('in a Word document and a workbook', async () => {
    for (const line of [{ strike: true }, { doubleStrike: true }]) {
      const runs = [new TextRun({ text: '2027', ...line }), new TextRun(' 2029')]
      const file = new Document({ sections: [{ children: [new Paragraph({ children: runs })] }] })
      expect(await textOf('a.docx', await Packer.toBuffer(file))).toBe('~~2027~~ 2029')
    }
    const styles = { characterStyles: [{ id: 'Gone', name: 'Gone', run: { strike: true } }] }
    const styled = [new TextRun({ text: '2027', style: 'Gone' }), new TextRun(' 2029')]
    const sections = [{ children: [new Paragraph({ children: styled })] }]
    expect(await textOf('a.docx', await Packer.toBuffer(new Document({ styles, sections })))).toBe('~~2027~~ 2029')
    const bytes = await workbook((sheet) => {
      sheet.addRow(['Fee', 12, 14])
      sheet.getCell('B1').font = { strike: true }
    })
    expect(await textOf('a.xlsx', bytes)).toContain('Fee | ~~12~~ | 14')
  })
})

it('header rows of two levels are joined without merged cells, in CSV', async () => {
  expect(await textOf('a.csv', 'Branch,2024,,2025,\n,Plan,Actual,Plan,Actual\nStation,90,95,99,104\n')).toBe(
    'Branch | 2024 Plan | 2024 Actual | 2025 Plan | 2025 Actual\nStation | 90 | 95 | 99 | 104',
  )
})
