import { describe, expect, it } from 'vitest'
import { Document, Math as Equation, MathRun, Packer, Paragraph } from 'docx'
import { zip, type ZipPart } from '../../../test/documents/support/files.ts'
import { parseDocument } from './parse.ts'

async function shown(name: string, bytes: Buffer) {
  const { text, blocks } = await parseDocument({ name, bytes })
  return blocks.map(({ kind, page, start, end }) =>
    [kind, page, text.slice(start, end)].filter((part) => part !== undefined),
  )
}

const ODF =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ' +
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" ' +
  'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'

/** A file of OpenOffice or LibreOffice. */
function odf(type: string, body: string, more: readonly ZipPart[] = []): Buffer {
  return zip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${type}` },
    {
      name: 'content.xml',
      content: `<office:document-content ${ODF}><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
    },
    {
      name: 'meta.xml',
      content: '<meta><dc:title>House rules &amp; fees</dc:title><dc:date>2026-03-04T10:00:00</dc:date></meta>',
    },
    ...more,
  ])
}

describe('an OpenDocument text', () => {
  it('has a table in a cell of another', async () => {
    const cell = (inner: string) => `<table:table-cell>${inner}</table:table-cell>`
    const p = (line: string) => `<text:p>${line}</text:p>`
    const table = (...rows: string[]) =>
      `<table:table>${rows.map((row) => `<table:table-row>${row}</table:table-row>`).join('')}</table:table>`
    const inner = table(cell(p('red')) + cell(p('3')), cell(p('blue')) + cell(p('4')))
    const outer = table(cell(p('Colours')) + cell(p('before') + inner + p('after')) + cell(p('last')), cell(p('next')))
    const [[kind, text] = []] = await shown('nested.odt', odf('text', outer))
    expect(kind).toBe('table')
    expect(text).toMatch(/^Colours \| before red .* 3 blue .* 4 after \| last\nnext$/)
    const deep = `${'<table:table><table:table-row><table:table-cell>'.repeat(2_000)}${p('deep')}${'</table:table-cell></table:table-row></table:table>'.repeat(2_000)}`
    expect(await shown('deep.odt', odf('text', deep))).toEqual([['table', 'deep']])
  })

  it('becomes headings, paragraphs, lists and tables, without comments and deleted text', async () => {
    const bytes = odf(
      'text',
      '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>' +
        '<text:h text:outline-level="1">Returns</text:h>' +
        '<text:p>Money  comes<text:s text:c="2"/>back<office:annotation><text:p>really?</text:p></office:annotation>.<text:line-break/>Soon.' +
        '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Within a week.</text:p></text:note-body></text:note></text:p>' +
        '<text:list><text:list-item><text:p>pictures</text:p><text:list><text:list-item><text:p>of the damage</text:p></text:list-item></text:list></text:list-item></text:list>' +
        '<table:table><table:table-row><table:table-cell><text:p>Country</text:p></table:table-cell><table:table-cell><text:p>Fee</text:p></table:table-cell></table:table-row>' +
        '<table:table-row><table:table-cell><text:p>France</text:p></table:table-cell><table:table-cell><text:p>4.50</text:p></table:table-cell></table:table-row></table:table>',
    )
    expect(await shown('rules.odt', bytes)).toEqual([
      ['heading', 'Returns'],
      ['paragraph', '¹ Within a week.'],
      ['paragraph', 'Money comes  back.\nSoon.¹'],
      ['list', '- pictures\n  - of the damage'],
      ['table', 'Country | Fee\nFrance | 4.50'],
    ])
    const { type, title, date } = await parseDocument({ name: 'rules.odt', bytes })
    expect({ type, title, date }).toEqual({ type: 'odt', title: 'House rules & fees', date: '2026-03-04' })
  })

  it('is refused when it is protected, and reports the number of missing equations', async () => {
    const manifest = { name: 'META-INF/manifest.xml', content: '<file-entry><encryption-data/></file-entry>' }
    await expect(
      parseDocument({ name: 'a.odt', bytes: odf('text', '<text:p>x</text:p>', [manifest]) }),
    ).rejects.toThrow('protected by a password')
    const formula = { name: 'Object 1/content.xml', content: '<math xmlns="x"/>' }
    const { notes } = await parseDocument({ name: 'a.odt', bytes: odf('text', '<text:p>x</text:p>', [formula]) })
    expect(notes).toEqual(['One equation was left out.'])
  })
})

describe('an OpenDocument spreadsheet', () => {
  const cell = (attributes: string, text: string) =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`

  it('has a page for each sheet, exact values, and repeated rows and columns', async () => {
    const bytes = odf(
      'spreadsheet',
      `<table:table table:name="Fees"><table:table-row>${cell('', 'Day')}${cell('', 'Sum')}${cell('', 'Paid')}</table:table-row>` +
        `<table:table-row table:number-rows-repeated="2">${cell('office:value-type="date" office:date-value="2026-01-15"', '15.01.26')}` +
        `${cell('office:value-type="currency" office:value="1234.5" table:number-columns-repeated="2"', '1.234,50 €')}</table:table-row>` +
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>' +
        `<table:table table:name="More"><table:table-row>${cell('', 'a')}<table:table-cell table:number-columns-repeated="2"/>${cell('', 'b')}</table:table-row></table:table>`,
    )
    expect(await shown('fees.ods', bytes)).toEqual([
      ['heading', 1, 'Fees'],
      ['table', 1, 'Day | Sum | Paid\n2026-01-15 | 1.234,50 € | 1.234,50 €\n2026-01-15 | 1.234,50 € | 1.234,50 €'],
      ['heading', 2, 'More'],
      ['table', 2, 'a |  |  | b'],
    ])
  })

  it('with endless repetition is refused', async () => {
    const bytes = odf(
      'spreadsheet',
      `<table:table table:name="x"><table:table-row table:number-rows-repeated="1000000">${cell('table:number-columns-repeated="16000"', 'boom')}</table:table-row></table:table>`,
    )
    await expect(parseDocument({ name: 'x.ods', bytes })).rejects.toThrow('more than 20,000,000 characters')
  })
})

it('an OpenDocument presentation has a page for each slide, with the speaker notes', async () => {
  const bytes = odf(
    'presentation',
    '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Plans</text:p></draw:text-box></draw:frame>' +
      '<draw:frame><draw:text-box><text:list><text:list-item><text:p>grow</text:p></text:list-item></text:list></draw:text-box></draw:frame>' +
      '<presentation:notes><draw:frame><draw:text-box><text:p>Say it slowly.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>' +
      '<draw:page><draw:frame><draw:text-box><text:p>Thanks</text:p></draw:text-box></draw:frame></draw:page>',
  )
  expect(await shown('plans.odp', bytes)).toEqual([
    ['heading', 1, 'Plans'],
    ['list', 1, '- grow'],
    ['paragraph', 1, 'Say it slowly.'],
    ['paragraph', 2, 'Thanks'],
  ])
})

describe('a PowerPoint presentation', () => {
  const NAMES =
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ' +
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
  const KIND = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const shape = (role: string, ...lines: string[]) =>
    `<p:sp><p:nvSpPr><p:nvPr>${role === '' ? '' : `<p:ph type="${role}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines.join('')}</p:txBody></p:sp>`
  const line = (text: string, level = 0) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`
  const relations = (...given: (readonly [string, string, string])[]) =>
    `<Relationships>${given.map(([id, type, target]) => `<Relationship Id="${id}" Type="${KIND}/${type}" Target="${target}"/>`).join('')}</Relationships>`
  const slide = (...shapes: string[]) =>
    `<p:sld ${NAMES}><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`

  const presentation = (slides: string) =>
    zip([
      {
        name: 'ppt/presentation.xml',
        content: `<p:presentation ${NAMES}><p:sldIdLst>${slides}</p:sldIdLst></p:presentation>`,
      },
      {
        name: 'ppt/_rels/presentation.xml.rels',
        content: relations(['rId3', 'slide', 'slides/slide1.xml'], ['rId7', 'slide', '/ppt/slides/slide2.xml']),
      },
      {
        name: 'ppt/slides/slide1.xml',
        content: slide(
          '<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Year</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Sum</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>',
          shape(
            '',
            '<a:p><a:r><a:t>So </a:t></a:r><mc:AlternateContent><mc:Choice><m:oMath><m:r><m:t>x=2</m:t></m:r></m:oMath></mc:Choice><mc:Fallback><a:r><a:t>?</a:t></a:r></mc:Fallback></mc:AlternateContent><a:r><a:t>it is.</a:t></a:r></a:p>',
          ),
        ),
      },
      {
        name: 'ppt/slides/slide2.xml',
        content: slide(
          shape('ctrTitle', line('Plans')),
          shape('body', line('grow'), line('slowly', 1)),
          shape('sldNum', line('1')),
        ),
      },
      {
        name: 'ppt/slides/_rels/slide2.xml.rels',
        content: relations(['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml']),
      },
      { name: 'ppt/notesSlides/notesSlide1.xml', content: slide(shape('body', line('Say it slowly.'))) },
    ])
  const bytes = presentation('<p:sldId id="256" r:id="rId7"/><p:sldId id="257" r:id="rId3"/>')

  it('has each slide once, under its own number, for any form of the list', async () => {
    const list = `<p:sldId r:id="rId9" id="1"/><p:sldId r:id="rId3" id="2"/>${'<p:sldId r:id="rId3" id="3"/>'.repeat(20_000)}`
    const { text, blocks, notes } = await parseDocument({ name: 'plans.pptx', bytes: presentation(list) })
    expect(blocks.map(({ page, start, end }) => [page, text.slice(start, end)])).toEqual([
      [2, 'Year | Sum²'],
      [2, 'So it is.'],
    ])
    expect(notes).toEqual(['One equation was left out.', '1 of 20002 slides are not in the file.'])
  })

  it('has its slides in presentation order, and reports a missing equation', async () => {
    expect(await shown('plans.pptx', bytes)).toEqual([
      ['heading', 1, 'Plans'],
      ['list', 1, '- grow\n  - slowly'],
      ['paragraph', 1, 'Say it slowly.'],
      ['table', 2, 'Year | Sum²'],
      ['paragraph', 2, 'So it is.'],
    ])
    const { type, pages, notes } = await parseDocument({ name: 'plans.pptx', bytes })
    expect({ type, pages, notes }).toEqual({ type: 'pptx', pages: 2, notes: ['One equation was left out.'] })
  })
})

describe('an EPUB', () => {
  const book = (more: readonly ZipPart[] = []) =>
    zip([
      { name: 'mimetype', content: 'application/epub+zip' },
      {
        name: 'META-INF/container.xml',
        content: '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      },
      {
        name: 'OEBPS/book.opf',
        content:
          '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>On lamps</dc:title><dc:date>2025-02-01</dc:date></metadata><manifest>' +
          '<item id="b" href="two%20more.xhtml" media-type="application/xhtml+xml"/><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>' +
          '<item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>',
      },
      {
        name: 'OEBPS/one.xhtml',
        content:
          '<html><head><title/></head><body><h1>Light</h1><p>Lamps give <a id="x"/>light&nbsp;here.</p></body></html>',
      },
      { name: 'OEBPS/two more.xhtml', content: '<html><body><h1>Dark</h1><p>Night does not.</p></body></html>' },
      ...more,
    ])

  it('is read chapter by chapter, and reports missing parts', async () => {
    expect(await shown('lamps.epub', book())).toEqual([
      ['heading', 'Light'],
      ['paragraph', 'Lamps give light here.'],
      ['heading', 'Dark'],
      ['paragraph', 'Night does not.'],
    ])
    const { title, date, notes } = await parseDocument({ name: 'lamps.epub', bytes: book() })
    expect({ title, date, notes }).toEqual({
      title: 'On lamps',
      date: '2025-02-01',
      notes: ['1 of 3 chapters are not in the file.'],
    })
  })

  it('is read in the encoding that a chapter declares, each chapter once', async () => {
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><html><body><p>Zürich für Gäste</p></body></html>',
      'latin1',
    )
    const bytes = zip([
      { name: 'mimetype', content: 'application/epub+zip' },
      { name: 'META-INF/container.xml', content: '<container><rootfile full-path="book.opf"/></container>' },
      {
        name: 'book.opf',
        content: `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${'<itemref idref="a"/>'.repeat(50_000)}</spine></package>`,
      },
      { name: 'a.xhtml', content: latin },
    ])
    expect(await shown('latin.epub', bytes)).toEqual([['paragraph', 'Zürich für Gäste']])
  })

  it('is refused when it is protected against copying', async () => {
    const locked = { name: 'META-INF/encryption.xml', content: '<CipherReference URI="OEBPS/one.xhtml"/>' }
    await expect(parseDocument({ name: 'lamps.epub', bytes: book([locked]) })).rejects.toThrow('protected against')
  })
})

it('a mail is read with its sender, and reports unread attachments', async () => {
  const mail = [
    'From: Ann <ann@example.com>',
    'To: bob@example.com',
    'Subject: =?utf-8?q?Gr=C3=B6=C3=9Fe?=',
    'Date: Tue, 03 Mar 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'The size is 5=B5m.',
    '',
    'Ann',
    '--x',
    'Content-Type: application/pdf; name=plan.pdf',
    'Content-Disposition: attachment; filename=plan.pdf',
    '',
    '%PDF-',
    '--x--',
  ].join('\r\n')
  const bytes = Buffer.from(mail)
  expect(await shown('size.eml', bytes)).toEqual([
    ['heading', 'Größe'],
    ['paragraph', 'From: Ann <ann@example.com>\nTo: bob@example.com\nDate: 2026-03-03T10:00:00.000Z'],
    ['paragraph', 'The size is 5µm.'],
    ['paragraph', 'Ann'],
  ])
  const { date, notes } = await parseDocument({ name: 'size.eml', bytes })
  expect(date).toBe('2026-03-03')
  expect(notes).toEqual(['Attachments were not read: plan.pdf. Save them as files and add those.'])
})

it('a Word document reports missing equations', async () => {
  const children = [
    new Paragraph({ children: [new Equation({ children: [new MathRun('x=2')] })] }),
    new Paragraph('So.'),
  ]
  const bytes = await Packer.toBuffer(new Document({ sections: [{ children }] }))
  expect((await parseDocument({ name: 'a.docx', bytes })).notes).toEqual(['One equation was left out.'])
})

it.each([
  ['a.rtf', '{\\rtf1 x}', 'save it as DOCX'],
  ['a.msg', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', 'save it as EML'],
  ['a.ppt', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', 'save it as PPTX'],
  ['a.key', 'PK\x05\x06' + '\0'.repeat(18), 'save it as PPTX'],
])('%s is refused with a hint', async (name, content, words) => {
  await expect(parseDocument({ name, bytes: Buffer.from(content, 'latin1') })).rejects.toThrow(words)
})
