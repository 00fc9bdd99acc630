import { describe, expect, it } from 'vitest'
import { drawTable, pdf } from '../../../test/documents/support/files.ts'
import { parseDocument } from './parse.ts'

describe('a PDF', () => {
  it('becomes headings, paragraphs and lists with the numbers of their pages', async () => {
    const bytes = await pdf(
      (pdf) => {
        pdf.fontSize(22).text('Returns handbook').moveDown()
        pdf.fontSize(16).text('Damaged goods').moveDown(0.5)
        pdf.fontSize(11).text('Damaged goods are taken back within thirty days of their arrival. '.repeat(5)).moveDown()
        pdf.text('The second paragraph speaks of vouchers, which are given for nothing else.')
        pdf.addPage()
        pdf.fontSize(16).text('Steps').moveDown(0.5)
        pdf.fontSize(11).text('1. Write to the support.').text('2. Send a picture.').text('3. Wait for the money.')
      },
      { info: { Title: 'Handbook of returns', CreationDate: new Date('2025-03-04T00:00:00Z') } },
    )
    const { text, blocks, ...rest } = await parseDocument({ name: 'handbook.pdf', bytes })
    expect(rest).toEqual({ type: 'pdf', pages: 2, title: 'Handbook of returns', date: '2025-03-04', notes: [] })
    const shown = blocks.map(({ kind, page, level, start, end }) => [kind, page, level, text.slice(start, end)])
    expect(shown).toEqual([
      ['heading', 1, 1, 'Returns handbook'],
      ['heading', 1, 2, 'Damaged goods'],
      [
        'paragraph',
        1,
        undefined,
        'Damaged goods are taken back within thirty days of their arrival. '.repeat(5).trim(),
      ],
      ['paragraph', 1, undefined, 'The second paragraph speaks of vouchers, which are given for nothing else.'],
      ['heading', 2, 2, 'Steps'],
      ['list', 2, undefined, '1. Write to the support.\n2. Send a picture.\n3. Wait for the money.'],
    ])
  })

  it('joins words that were hyphenated at a line end, and keeps real hyphens', async () => {
    const bytes = await pdf((pdf) => {
      pdf.fontSize(11).text('The customer gets the mon-\ney back for every e-mail of the Anglo-\nAmerican post.')
    })
    const { text } = await parseDocument({ name: 'a.pdf', bytes })
    expect(text).toBe('The customer gets the money back for every e-mail of the Anglo-American post.')
  })

  it('returns its tables as rows, also with empty cells, right-aligned numbers and cells of two lines', async () => {
    const bytes = await pdf((pdf) => {
      pdf.fontSize(11).text('Prices are those of March.').moveDown()
      const rows = [
        ['Article', 'Colour', 'Price'],
        ['Kettle', 'red', '12.50'],
        ['Lamp', '', '7.00'],
        ['Table', 'oak, with', '120.00'],
        ['', 'a drawer', ''],
        ['Chair', 'blue', '45.00'],
      ]
      drawTable(pdf, rows, [72, 200, 320])
      pdf.moveDown().text('All prices are in euros, and hold until the end of the year for all customers.')
    })
    const { text, blocks } = await parseDocument({ name: 'prices.pdf', bytes })
    const table = blocks.find(({ kind }) => kind === 'table')!
    expect(text.slice(table.start, table.end).split('\n')).toEqual([
      'Article | Colour | Price',
      'Kettle | red | 12.50',
      'Lamp |  | 7.00',
      'Table | oak, with a drawer | 120.00',
      'Chair | blue | 45.00',
    ])
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'table', 'paragraph'])
  })

  it('joins cells of several lines, also in the first column', async () => {
    const bytes = await pdf((pdf) => {
      pdf.fontSize(10).table({
        columnStyles: [90, 90, '*'],
        rowStyles: { padding: 6 },
        data: [
          ['Reason for it', 'Report within', 'Who pays the carriage'],
          ['Damaged in transit to the customer', '7 days after the delivery came', 'We'],
          ['Wrong', '14 days', 'We'],
          ['Ordered too much', '14 days', 'The customer'],
          [
            'Quality',
            '14 days',
            'We pay for it, and for the carriage of what is sent in its place by another carrier than ours',
          ],
        ],
      })
    })
    const { text } = await parseDocument({ name: 'a.pdf', bytes })
    expect(text.split('\n')).toEqual([
      'Reason for it | Report within | Who pays the carriage',
      'Damaged in transit to the customer | 7 days after the delivery came | We',
      'Wrong | 14 days | We',
      'Ordered too much | 14 days | The customer',
      'Quality | 14 days | We pay for it, and for the carriage of what is sent in its place by another carrier than ours',
    ])
  })

  const WORDS =
    'the of a kettle is in lamp and by table for chair it stove on window as garden with river from at harbour or'.split(
      ' ',
    )
  /** Words in an order that does not repeat. */
  const story = (seed: number, words = 110): string =>
    Array.from({ length: words }, (_, i) => WORDS[((seed * 97 + i * i * 31 + i * 7) % 1009) % WORDS.length]).join(' ')
  const inOrder = (text: string): string => text.replaceAll(/\s+/g, ' ')

  it.each([
    ['two columns, 10 points apart', { columns: 2, columnGap: 10, width: 450 }],
    ['two justified columns', { columns: 2, columnGap: 12, width: 450, align: 'justify' as const }],
    ['three columns', { columns: 3, columnGap: 14, width: 480 }],
    ['three justified columns, 10 points apart', { columns: 3, columnGap: 10, width: 480, align: 'justify' as const }],
  ])('in %s is read in order, without a table in it', async (_, options) => {
    const text = [story(1), story(2), story(3), story(4)].join(' ')
    const bytes = await pdf((pdf) => {
      pdf.fontSize(16).text('A title that stands over all of the columns of this page', 50, 60, { width: 450 })
      pdf.fontSize(10).text(text, 50, 110, { ...options, height: options.columns === 2 ? 330 : 290 })
    })
    const read = await parseDocument({ name: 'a.pdf', bytes })
    expect(inOrder(read.text)).toBe(`A title that stands over all of the columns of this page ${text}`)
    expect(read.blocks.filter(({ kind }) => kind === 'table')).toEqual([])
    expect(read.notes).toEqual([])
  })

  it('is read block by block when two are side by side, also at other heights and of other lengths', async () => {
    const parts = [story(1, 60), story(2, 120), story(3, 50), story(4, 60)] as const
    const bytes = await pdf((pdf) => {
      pdf.fontSize(10).text(parts[0], 72, 72, { width: 450 })
      const { y } = pdf
      pdf.text(parts[1], 72, y + 20, { width: 215 })
      const end = pdf.y
      pdf.text(parts[2], 305, y + 25, { width: 215 }).text(parts[3], 72, end + 20, { width: 450 })
    })
    expect(inOrder((await parseDocument({ name: 'a.pdf', bytes })).text)).toBe(parts.join(' '))
  })

  it('names the pages with uncertain order', async () => {
    const bytes = await pdf((pdf) => {
      pdf.fontSize(10)
      for (let i = 0; i < 5; i++) {
        const y = 80 + i * 40
        pdf.text(`A remark of some length, number ${i}, on the things that are told`, 72, y, { width: 220 })
        pdf.text(`Another remark beside it that says ${i} things in two lines at least`, 330, y, { width: 200 })
      }
    })
    const { notes } = await parseDocument({ name: 'a.pdf', bytes })
    expect(notes).toEqual(['Page 1 is set in columns or tables whose order is doubtful; check it in the file.'])
  })

  it('separates rows whose group is named once', async () => {
    const rows = [
      ['Group', 'Article', 'Price'],
      ['Kitchen', 'Kettle', '12.50'],
      ['', 'Stove', '80.00'],
      ['', 'Spoon', '1.20'],
      ['Garden', 'Spade', '9.00'],
    ]
    const { text } = await parseDocument({
      name: 'a.pdf',
      bytes: await pdf((pdf) => drawTable(pdf.fontSize(10), rows, [72, 200, 320])),
    })
    expect(text.split('\n')).toEqual(rows.map((row) => row.join(' | ')))
  })

  it('names the pages without text', async () => {
    const bytes = await pdf((pdf) => {
      pdf.text('The first page has text.')
      pdf.addPage().rect(100, 100, 200, 200).fill('red')
      pdf.addPage().text('The third has, too.')
    })
    const { notes, blocks } = await parseDocument({ name: 'a.pdf', bytes })
    expect(notes).toEqual(['Page 2 is without text; if it is a scan, it needs text recognition (OCR).'])
    expect(blocks.map(({ page }) => page)).toEqual([1, 3])
  })

  it('without any text is a clear error', async () => {
    const bytes = await pdf((pdf) => pdf.rect(100, 100, 200, 200).fill('red'))
    await expect(parseDocument({ name: 'scan.pdf', bytes })).rejects.toMatchObject({
      code: 'DocumentError',
      message:
        'scan.pdf has no text, only pictures of it; run it through text recognition (OCR) and add what comes out.',
    })
  })

  it('with a password is a clear error', async () => {
    const bytes = await pdf((pdf) => pdf.text('secret'), { userPassword: 'x', pdfVersion: '1.7' })
    await expect(parseDocument({ name: 'locked.pdf', bytes })).rejects.toMatchObject({
      code: 'DocumentError',
      message: 'locked.pdf is protected by a password; save it without one and add that.',
    })
  })

  it('that is truncated anywhere is a clear error', async () => {
    const bytes = await pdf((pdf) => pdf.text('A sentence that goes on. '.repeat(2000)))
    for (const share of [0.02, 0.3, 0.6, 0.98]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share))
      await expect(parseDocument({ name: 'cut.pdf', bytes: cut })).rejects.toMatchObject({
        code: 'DocumentError',
        message: 'cut.pdf is damaged or incomplete; save or copy it again and add that.',
      })
    }
  })

  it('with a valid header and invalid content is a clear error', async () => {
    const bytes = Buffer.from(`%PDF-1.7\n${'rubbish '.repeat(1000)}\n%%EOF\n`)
    await expect(parseDocument({ name: 'a.pdf', bytes })).rejects.toMatchObject({ code: 'DocumentError' })
  })
})
