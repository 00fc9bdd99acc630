import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from 'docx'
import ExcelJs from 'exceljs'
import { describe, expect, it } from 'vitest'
import { deflatedZeros, foreignWorkbook, sheetOf, workbookOf, zip } from '../../../test/documents/support/files.ts'
import { READABLE } from '../types.ts'
import { parseDocument } from './parse.ts'

const paragraph = (text: string): Paragraph => new Paragraph(text)
const cell = (text: string): TableCell => new TableCell({ children: [paragraph(text)] })

function word(children: (Paragraph | Table)[], title?: string): Promise<Buffer> {
  return Packer.toBuffer(new Document({ ...(title === undefined ? {} : { title }), sections: [{ children }] }))
}

async function shown(name: string, bytes: Buffer) {
  const { text, blocks } = await parseDocument({ name, bytes })
  return blocks.map(({ kind, level, page, start, end }) =>
    [kind, level ?? page, text.slice(start, end)].filter((part) => part !== undefined),
  )
}

describe('merged cells', () => {
  it('of a workbook count for each row and column that they span, and header rows are joined', async () => {
    const book = new ExcelJs.Workbook()
    const sheet = book.addWorksheet('Sales')
    sheet.addRows([
      ['Branch sales report'],
      [],
      ['Region', 'Branch', '2024', null, '2025'],
      [null, null, 'Plan', 'Actual', 'Plan', 'Actual'],
      ['North', 'Harbour', 120, 118, 130, 127],
      [null, 'Station', 90, 95, 99, 104],
    ])
    for (const range of ['A1:F1', 'A3:A4', 'B3:B4', 'C3:D3', 'E3:F3', 'A5:A6']) sheet.mergeCells(range)
    const bytes = Buffer.from(await book.xlsx.writeBuffer())
    expect((await shown('sales.xlsx', bytes)).map((block) => block.at(-1))).toEqual([
      'Sales',
      'Branch sales report',
      'Region | Branch | 2024 Plan | 2024 Actual | 2025 Plan | 2025 Actual\n' +
        'North | Harbour | 120 | 118 | 130 | 127\nNorth | Station | 90 | 95 | 99 | 104',
    ])
  })

  it('of a Word document count for each row', async () => {
    const region = new TableCell({ children: [paragraph('North')], rowSpan: 2 })
    const table = new Table({
      rows: [
        new TableRow({ children: [region, cell('Alder'), cell('41')] }),
        new TableRow({ children: [cell('Birch'), cell('57')] }),
      ],
    })
    expect(await shown('depots.docx', await word([table]))).toEqual([
      ['table', 'North | Alder | 41\nNorth | Birch | 57'],
    ])
  })

  it('of a web page keep the following cells in their columns', async () => {
    const page =
      '<table><tr><td colspan="2" rowspan="2">North</td><td>1</td></tr><tr><td>2</td></tr><tr><td>a</td><td>b</td><td>3</td></tr></table>'
    expect(await shown('a.html', Buffer.from(page))).toEqual([
      ['table', 'North | North | 1\nNorth | North | 2\na | b | 3'],
    ])
  })
})

describe('a Word document', () => {
  it('includes text in simple fields, in a set direction and under a reading, and links with options', async () => {
    const file = (body: string) =>
      zip([
        {
          name: '_rels/.rels',
          content:
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        },
        {
          name: 'word/document.xml',
          content: `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p>${body}</w:p></w:body></w:document>`,
        },
      ])
    const run = (content: string) => `<w:r>${content}</w:r>`
    const text = (content: string) => run(`<w:t>${content}</w:t>`)
    const field = (type: string) => run(`<w:fldChar w:fldCharType="${type}"/>`)
    const link = 'HYPERLINK "https://a.example/b" \\l "c" \\o "A tip"'
    const bytes = file(
      `<w:fldSimple w:instr=" MERGEFIELD &quot;a>b&quot; ">${text('42 ')}</w:fldSimple><w:bdo w:val="ltr">${text('555-0100 ')}</w:bdo>` +
        run(`<w:ruby><w:rt>${text('とうきょう')}</w:rt><w:rubyBase>${text('東京 ')}</w:rubyBase></w:ruby>`) +
        `${field('begin')}${run(`<w:instrText>${link}</w:instrText>`)}${field('separate')}${text('rules')}${field('end')}`,
    )
    expect(await shown('a.docx', bytes)).toEqual([['paragraph', '42 555-0100 東京 rules (https://a.example/b#c)']])
  })

  it('becomes headings, paragraphs, lists and tables', async () => {
    const bytes = await word(
      [
        new Paragraph({ text: 'Rules of the house', heading: HeadingLevel.TITLE }),
        new Paragraph({ text: 'Returns', heading: HeadingLevel.HEADING_1 }),
        new Paragraph({
          children: [new TextRun('Money comes '), new TextRun({ text: 'back', bold: true }), new TextRun('.')],
        }),
        new Paragraph({ text: 'pictures', bullet: { level: 0 } }),
        new Paragraph({ text: 'of the damage', bullet: { level: 1 } }),
        new Paragraph({ text: 'Fees', heading: HeadingLevel.HEADING_2 }),
        new Table({
          rows: [
            new TableRow({ children: [cell('Country'), cell('Fee')] }),
            new TableRow({ children: [cell('France | Monaco'), cell('4.50')] }),
          ],
        }),
      ],
      'House rules',
    )
    expect(await shown('rules.docx', bytes)).toEqual([
      ['heading', 1, 'Rules of the house'],
      ['heading', 2, 'Returns'],
      ['paragraph', 'Money comes back.'],
      ['list', '- pictures\n  - of the damage'],
      ['heading', 3, 'Fees'],
      ['table', 'Country | Fee\nFrance | Monaco | 4.50'],
    ])
    const { title, date } = await parseDocument({ name: 'rules.docx', bytes })
    expect(title).toBe('House rules')
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it('without a title begins with headings of the first level', async () => {
    const bytes = await word([
      new Paragraph({ text: 'Returns', heading: HeadingLevel.HEADING_1 }),
      new Paragraph({ text: 'Fees', heading: HeadingLevel.HEADING_2 }),
    ])
    expect(await shown('a.docx', bytes)).toEqual([
      ['heading', 1, 'Returns'],
      ['heading', 2, 'Fees'],
    ])
  })
})

describe('a workbook', () => {
  it('has a page for each sheet, with values of formulas and ISO dates', async () => {
    const book = new ExcelJs.Workbook()
    const prices = book.addWorksheet('Prices')
    prices.addRow(['Prices of 2025'])
    prices.addRow(['Article', 'Price', 'From', 'Twice', 'In stock'])
    prices.addRow(['Kettle', 0.1 + 0.2, new Date('2025-01-31T00:00:00Z'), { formula: 'B3*2', result: 0.6 }, true])
    prices.addRow([{ richText: [{ text: 'Red ' }, { text: 'lamp' }] }, 7, new Date('2025-02-01T12:30:00Z')])
    const later = { formula: 'C3+1', result: 45_689, date1904: false }
    prices.addRow(['Chair', null, later, { formula: 'A1/0', result: { error: '#DIV/0!' } }])
    prices.getCell('C5').numFmt = 'dd.mm.yyyy'
    prices.addRow([])
    prices.addRow([null, 'Sum', 9])
    book.addWorksheet('Empty')
    book.addWorksheet('Notes').addRow(['Only one remark.'])
    const bytes = Buffer.from(await book.xlsx.writeBuffer())
    expect(await shown('prices.xlsx', bytes)).toEqual([
      ['heading', 1, 'Prices'],
      ['paragraph', 1, 'Prices of 2025'],
      [
        'table',
        1,
        'Article | Price | From | Twice | In stock\n' +
          'Kettle | 0.3 | 2025-01-31 | 0.6 | TRUE\n' +
          'Red lamp | 7 | 2025-02-01T12:30:00 |  |\n' +
          'Chair |  | 2025-02-01 | #DIV/0! |',
      ],
      ['table', 1, 'Sum | 9'],
      ['heading', 1, 'Notes'],
      ['table', 3, 'Only one remark.'],
    ])
  })

  it('of another program is read in the order of its sheets, without temporary files', async () => {
    expect(await shown('foreign.xlsx', foreignWorkbook())).toEqual([
      ['heading', 1, 'Zeta'],
      ['table', 1, 'first | 5'],
      ['heading', 1, 'Alpha'],
      ['table', 2, 'last | 5'],
    ])
  })

  it('is read with prefixed names, dates from 1904, errors, and without readings above characters', async () => {
    const ns = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    const cells =
      '<x:c r="B2" t="s"><x:v>1</x:v></x:c><x:c r="D2" s="1"><x:v>1.5</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c>' +
      '<x:c r="F2" t="e"><x:f>1/0</x:f><x:v>#DIV/0!</x:v></x:c><x:c t="b"><x:f>1=1</x:f><x:v>1</x:v></x:c>' +
      '<x:c t="d"><x:v>2025-01-31</x:v></x:c><x:c t="s"><x:f>B2</x:f><x:v>0</x:v></x:c>'
    const bytes = workbookOf({
      'workbook.xml': `<x:workbook ${ns}><x:workbookPr date1904="true"/><x:sheets><x:sheet name="A &amp; B" sheetId="1"/></x:sheets></x:workbook>`,
      'sharedStrings.xml':
        `<x:sst ${ns}><x:si><x:t>plain_x000d_text</x:t></x:si>` +
        '<x:si><x:r><x:t>東</x:t></x:r><x:r><x:t xml:space="preserve">京 &#38;</x:t></x:r><x:rPh><x:t>ひ</x:t></x:rPh></x:si></x:sst>',
      'styles.xml':
        `<x:styleSheet ${ns}><x:numFmts><x:numFmt numFmtId="170" formatCode="[Red]yyyy\\-mm"/></x:numFmts>` +
        '<x:cellStyleXfs><x:xf numFmtId="14"/></x:cellStyleXfs><x:cellXfs><x:xf numFmtId="0"/><x:xf numFmtId="170"/></x:cellXfs></x:styleSheet>',
      'worksheets/sheet1.xml': `<x:worksheet ${ns}><x:sheetData><x:row r="2">${cells}</x:row></x:sheetData></x:worksheet>`,
    })
    expect(await shown('a.xlsx', bytes)).toEqual([
      ['heading', 1, 'A & B'],
      ['table', 1, '東京 & |  | 1904-01-02T12:00:00 | #N/A | #DIV/0! | TRUE | 2025-01-31 | plain text'],
    ])
  })

  it('keeps numbers as they are written, without rounding errors of doubles', async () => {
    const values = '1118748237849833472 12345678901234567.89 19.989999999999998 12345678901234.561 1.5E-7 7.50'
    const cells = values.replace(/\S+/g, '<c><v>$&</v></c>')
    const bytes = sheetOf(`<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`)
    const [, table] = await shown('a.xlsx', bytes)
    expect(table?.[2]).toBe('1118748237849833472 | 12345678901234567.89 | 19.99 | 12345678901234.56 | 1.5e-7 | 7.5')
  })

  it.each([
    ['entities of its own', '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>', '<c t="str"><v>&b;</v></c>'],
    ['a column that no sheet has', '', '<c r="ZZZ1"><v>1</v></c>'],
    ['parts that are cut off', '', '<c r="A1"><v>1</v>'],
  ])('with %s is reported as damaged', async (_, before, cells) => {
    const bytes = sheetOf(`${before}<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`)
    await expect(parseDocument({ name: 'a.xlsx', bytes })).rejects.toMatchObject({
      code: 'DocumentError',
      message: 'a.xlsx is damaged or incomplete; save or copy it again and add that.',
    })
  })

  it('that repeats one long text is refused by the sum of its cells', async () => {
    const text = 'x'.repeat(10_000)
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`
    const bytes = sheetOf(`<worksheet><sheetData>${row.repeat(100)}</sheetData></worksheet>`, {
      'sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>`,
    })
    await expect(parseDocument({ name: 'a.xlsx', bytes })).rejects.toThrow(/more than 20,000,000 characters/)
  })
})

describe('an archive or another file', () => {
  it('that unpacks to 2 GB is refused, for any declared size', async () => {
    const bomb = await deflatedZeros(2000)
    const parts = [
      { name: 'word/document.xml', content: bomb, isDeflated: true, declaredSize: 100 },
      { name: '[Content_Types].xml', content: '<Types/>' },
    ]
    await expect(parseDocument({ name: 'bomb.docx', bytes: zip(parts) })).rejects.toMatchObject({
      code: 'DocumentError',
      message: expect.stringMatching(/^bomb\.docx unpacks to more than 400 MB, as zip bombs do;/),
    })
  })

  it('whose parts are small and many is refused by their sum', async () => {
    const part = await deflatedZeros(60)
    const parts = Array.from({ length: 10 }, (_, i) => ({
      name: i === 0 ? 'xl/workbook.xml' : `xl/worksheets/sheet${i}.xml`,
      content: part,
      isDeflated: true,
      declaredSize: 60_000_000,
    }))
    await expect(parseDocument({ name: 'bomb.xlsx', bytes: zip(parts) })).rejects.toThrow(/unpacks to more than 400 MB/)
  })

  it('of too many parts is refused', async () => {
    const parts = Array.from({ length: 50 }, (_, i) => ({ name: `word/${i}.xml`, content: '' }))
    await expect(parseDocument({ name: 'a.docx', bytes: zip(parts) }, { zipEntries: 49 })).rejects.toThrow(
      'a.docx holds more than 49 files; no document needs that many.',
    )
  })

  it('with a bomb in an inner archive is read, because inner archives are not opened', async () => {
    const inner = zip([{ name: 'bomb', content: await deflatedZeros(500), isDeflated: true }])
    const outer = zip([{ name: 'data/inner.zip', content: inner }])
    await expect(parseDocument({ name: 'a.zip', bytes: outer })).rejects.toThrow(
      `a.zip is an archive; unpack it and add the files in it that are ${READABLE}.`,
    )
  })

  it('that is truncated anywhere is a clear error', async () => {
    const bytes = await word([paragraph('Some text that is long enough to be cut. '.repeat(100))])
    for (const share of [0.1, 0.5, 0.99]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share))
      await expect(parseDocument({ name: 'cut.docx', bytes: cut })).rejects.toMatchObject({
        code: 'DocumentError',
        message: 'cut.docx is damaged or incomplete; save or copy it again and add that.',
      })
    }
  })

  it('with a damaged part is a clear error', async () => {
    const parts = [{ name: 'word/document.xml', content: Buffer.from('not deflated'), isDeflated: true }]
    await expect(parseDocument({ name: 'a.docx', bytes: zip(parts) })).rejects.toMatchObject({ code: 'DocumentError' })
    const broken = [{ name: 'word/document.xml', content: '<w:document><w:body>' }]
    await expect(parseDocument({ name: 'b.docx', bytes: zip(broken) })).rejects.toMatchObject({ code: 'DocumentError' })
  })

  it('of another Office program is rejected as unsupported', async () => {
    const parts = [{ name: 'visio/document.xml', content: '<p/>' }]
    await expect(parseDocument({ name: 'a.vsdx', bytes: zip(parts) })).rejects.toThrow(
      `a.vsdx has an unsupported format; save it as one of ${READABLE}.`,
    )
  })

  it.each([
    ['a.rtf', '{\\rtf1 x}'],
    ['a.eml', 'From: ann@example.com'],
    ['a.ppt', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0'],
  ])('%s is refused with the supported formats', async (name, content) => {
    await expect(parseDocument({ name, bytes: Buffer.from(content, 'latin1') })).rejects.toThrow(
      `${name} has an unsupported format; save it as one of PDF`,
    )
  })

  it('in an Office container with a password names the reason', async () => {
    const start = Buffer.from('D0CF11E0A1B11AE1', 'hex')
    const locked = Buffer.concat([start, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')])
    await expect(parseDocument({ name: 'a.xlsx', bytes: locked })).rejects.toThrow(
      'a.xlsx is protected by a password; save it without one and add that.',
    )
  })
})

describe('a hostile workbook', () => {
  const sheet = (rows: string, rest = ''): Buffer =>
    sheetOf(`<worksheet xmlns:r="x"><sheetData>${rows}</sheetData>${rest}</worksheet>`)
  const row = (text: string, n = 1, column = 'A'): string =>
    `<row r="${n}"><c r="${column}${n}" t="inlineStr"><is><t>${text}</t></is></c></row>`

  it.each([
    ['a row after the last', row('x', 1_048_577)],
    ['a row that no number counts', row('x', 9_999_999_999)],
    ['a column after the last', row('x', 1, 'XFE')],
    ['a column with many letters', row('x', 1, 'AAAAAAA')],
  ])('with %s is damaged', async (_, rows) => {
    await expect(parseDocument({ name: 'a.xlsx', bytes: sheet(rows) })).rejects.toThrow('a.xlsx is damaged')
  })

  it('shows no cells in comments, CDATA sections and processing instructions', async () => {
    const hidden = row('hidden', 2)
    const rows = `${row('shown')}<!-- ${hidden} --><?x ${hidden}?><![CDATA[${hidden}]]>${row('<![CDATA[a < b]]>', 3)}`
    const { text } = await parseDocument({ name: 'a.xlsx', bytes: sheet(rows) })
    expect(text).not.toContain('hidden')
    expect(text).toContain('shown')
    expect(text).toContain('a < b')
  })

  it('is read without links on very many cells', async () => {
    const links = ['A1:A1048576', 'A:A', 'A2:XFD1048576'].map((ref) => `<hyperlink ref="${ref}" location="a"/>`)
    const rest = `<hyperlinks>${links.join('')}<hyperlink ref="A2" location="near"/></hyperlinks>`
    const { text } = await parseDocument({ name: 'a.xlsx', bytes: sheet(row('one') + row('two', 2), rest) })
    expect(text).toContain('one')
    expect(text).toContain('two')
  })
})
