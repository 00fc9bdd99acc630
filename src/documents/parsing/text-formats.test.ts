import { describe, expect, it } from 'vitest'
import { parseDocument } from './parse.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

async function shown(name: string, content: string | Buffer) {
  const { text, blocks } = await parseDocument({ name, bytes: Buffer.from(content) })
  return blocks.map(({ kind, level, start, end }) =>
    level === undefined ? [kind, text.slice(start, end)] : [kind, level, text.slice(start, end)],
  )
}

describe('Markdown', () => {
  it('becomes headings, paragraphs, lists, code and tables', async () => {
    const source = `---
title: "House rules"
date: 2024-02-29
---
# Rules #
First line
second line

Fees
----
| Country | Fee |
|---------|----:|
| France \\| Monaco | 4.50 |

- one
- two
  more of two

  and more

\`\`\`sql
# no heading
SELECT 1

FROM t
\`\`\`
***
Text before a heading
## Last`
    expect(await shown('rules.md', source)).toEqual([
      ['heading', 1, 'Rules'],
      ['paragraph', 'First line\nsecond line'],
      ['heading', 2, 'Fees'],
      ['table', 'Country | Fee\nFrance | Monaco | 4.50'],
      ['list', '- one\n- two\n  more of two\n\n  and more'],
      ['code', '# no heading\nSELECT 1\n\nFROM t'],
      ['paragraph', 'Text before a heading'],
      ['heading', 2, 'Last'],
    ])
    const { title, date, type } = await parseDocument({ name: 'rules.md', bytes: Buffer.from(source) })
    expect({ title, date, type }).toEqual({ title: 'House rules', date: '2024-02-29', type: 'md' })
  })

  it('keeps the rest of a file as code after an unclosed fence', async () => {
    expect(await shown('a.md', 'Text\n```\ncode\n# no heading')).toEqual([
      ['paragraph', 'Text'],
      ['code', 'code\n# no heading'],
    ])
  })
})

describe('HTML', () => {
  it('is read as displayed, without scripts, styles, navigation and hidden elements', async () => {
    const source = `<!doctype html><html><head><title>Shop &amp; more</title><style>p{}</style>
      <meta property="article:published_time" content="2025-05-06T10:00:00Z"></head><body>
      <nav><a href="/">Home</a></nav><h1>Our <em>shop</em></h1>
      <div>Loose text <b>bold</b><p>A paragraph<br>of two lines</p>after it</div>
      <script>alert(1)</script><p hidden>secret</p><p style="display: none">secret</p>
      <ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><ol start="3"><li><p>three</p></li></ol>
      <table><caption>Fees</caption><thead><tr><th>Country</th><th>Fee</th></tr></thead>
      <tbody><tr><td colspan="2">Europe</td></tr><tr><td>France</td><td>4.50</td></tr></tbody></table>
      <pre>a
  b</pre></body></html>`
    expect(await shown('shop.html', source)).toEqual([
      ['heading', 1, 'Our shop'],
      ['paragraph', 'Loose text bold'],
      ['paragraph', 'A paragraph\nof two lines'],
      ['paragraph', 'after it'],
      ['list', '- one\n  - inner\n- two'],
      ['list', '3. three'],
      ['paragraph', 'Fees'],
      ['table', 'Country | Fee\nEurope |\nFrance | 4.50'],
      ['code', 'a\n  b'],
    ])
    const { title, date, type } = await parseDocument({ name: 'page', bytes: Buffer.from(source) })
    expect({ title, date, type }).toEqual({ title: 'Shop & more', date: '2025-05-06', type: 'html' })
  })

  it('with endless nesting is read or refused, without a crash', async () => {
    const deep = `<html><body>${'<div>'.repeat(20_000)}deep text${'</div>'.repeat(20_000)}</body></html>`
    const outcome = await shown('deep.html', deep).catch((error: Error) => error.name)
    expect([[['paragraph', 'deep text']], 'DocumentError']).toContainEqual(outcome)
  })

  it.each([
    ['CP932', '95d4956982cd8e4f8f5c93fa88c893e082c98ef382af957482af82dc82b78142', '返品は三十日以内に受け付けます。'],
    ['ISO-2022-JP', Buffer.from('\x1b$BJVIJ\x1b(B 30').toString('hex'), '返品 30'],
    ['Windows-1252', '4c6573207265746f757273206c9265746520e0206de96d6520', 'Les retours l’ete à méme'],
  ])('in %s is read correctly', async (_, hex, text) => {
    const reading = parseDocument({ name: 'a.txt', bytes: Buffer.from(hex, 'hex') })
    expect((await reading).text).toBe(text)
  })

  it('is refused when no encoding fits, such as old DOS text', async () => {
    const text = 'R\x81cksendungen m\x81ssen binnen drei\xe1ig Tagen angemeldet werden. Gr\x94\xe1e, \x9aberma\xe1.'
    await expect(parseDocument({ name: 'a.txt', bytes: latin1(text) })).rejects.toThrow(
      'a.txt is in an encoding that cannot be detected; save it as UTF-8 and add that.',
    )
  })

  it('names its encoding', async () => {
    expect(await shown('a.html', latin1('<html><meta charset="iso-8859-1"><body>Grüße'))).toEqual([
      ['paragraph', 'Grüße'],
    ])
  })
})

describe('CSV', () => {
  it.each([
    [',', 'name,price\n"Lamp, red",7\n'],
    [';', 'name;price\nLamp, red;7\n'],
    ['tab', 'name\tprice\nLamp, red\t7\n'],
    ['bar', 'name|price\r\nLamp, red|7\r\n'],
  ])('parted by %s becomes rows', async (_, source) => {
    expect(await shown('a.csv', source)).toEqual([['table', 'name | price\nLamp, red | 7']])
  })

  it('keeps cells of several lines on one line and rows of any length', async () => {
    expect(await shown('a.csv', 'a,b,c\n"one\ntwo",,3\nx\n')).toEqual([['table', 'a | b | c\none two |  | 3\nx']])
  })

  it('with an unclosed quote is kept as plain lines, with a note', async () => {
    const { text, notes } = await parseDocument({ name: 'a.csv', bytes: Buffer.from('a,b\n"x,1\ny,2\n') })
    expect(text).toContain('y,2')
    expect(notes).toEqual([expect.stringContaining('Its rows could not be parsed')])
  })

  it.each([
    ['Latin-1', latin1('größe;straße\nMüller;Düsseldorf\nJäger;Köln\n')],
    ['UTF-16 with a mark', Buffer.from('\uFEFFgröße;straße\nMüller;Düsseldorf\nJäger;Köln\n', 'utf16le')],
    ['UTF-16 without one', Buffer.from('größe;straße\nMüller;Düsseldorf\nJäger;Köln\n', 'utf16le')],
    ['UTF-8 with a mark', Buffer.from('\uFEFFgröße;straße\nMüller;Düsseldorf\nJäger;Köln\n')],
  ])('in %s is read with the right characters', async (_, bytes) => {
    expect(await shown('a.csv', bytes)).toEqual([['table', 'größe | straße\nMüller | Düsseldorf\nJäger | Köln']])
  })
})

describe('plain text', () => {
  it('has paragraphs, lists, and headings for single lines', async () => {
    const source =
      'RETURNS POLICY\n\n2.1 Damaged goods\n\nSome text\nin two lines.\n\n- one\n- two\n\nFees\n====\nThree euros.\n'
    expect(await shown('a.txt', source)).toEqual([
      ['heading', 1, 'RETURNS POLICY'],
      ['heading', 2, '2.1 Damaged goods'],
      ['paragraph', 'Some text\nin two lines.'],
      ['list', '- one\n- two'],
      ['heading', 1, 'Fees'],
      ['paragraph', 'Three euros.'],
    ])
  })

  it.each([
    ['1. Services\nThe Provider maintains the till.\nChanges are ordered.', ['heading', 1, '1. Services']],
    ['3.2 Term and notice\n“Term” is a year from now on.', ['heading', 2, '3.2 Term and notice']],
    // List items, and a line that is too long for a heading.
    ['1. Wash the cups\n2. Dry the cups with a towel', ['list', '1. Wash the cups\n2. Dry the cups with a towel']],
    ['1. Ask Ada\nor Bo, who knows.', ['list', '1. Ask Ada\nor Bo, who knows.']],
    [
      '1. Ask for it in the office of Mrs\nLovelace, or Bo.',
      ['list', '1. Ask for it in the office of Mrs\nLovelace, or Bo.'],
    ],
    ['1. Ask Ada.\nShe knows about the cups.', ['list', '1. Ask Ada.\nShe knows about the cups.']],
    ['SOME WORDS\nThat are loud in here.', ['paragraph', 'SOME WORDS\nThat are loud in here.']],
  ])('%j begins with %j', async (source, first) => {
    const [block, ...rest] = await shown('a.txt', source)
    expect(block).toEqual(first)
    expect(rest).toEqual(first[0] === 'heading' ? [['paragraph', source.slice(source.indexOf('\n') + 1)]] : [])
  })

  it('needs no extension', async () => {
    expect(await shown('README', 'Some text.')).toEqual([['paragraph', 'Some text.']])
  })

  it('drops characters that cannot be stored', async () => {
    expect(await shown('a.txt', 'a\u0007b\u001Bc')).toEqual([['paragraph', 'a b c']])
  })
})

describe('a file', () => {
  it.each([
    ['empty.txt', Buffer.alloc(0), 'empty.txt is empty; add a file that has content.'],
    ['blank.txt', Buffer.from(' \n\t\n'), 'blank.txt has no text to search.'],
    [
      'a.pdf',
      Buffer.from('plain text'),
      'a.pdf is not a valid PDF file, despite its extension. Save it again as PDF and add that.',
    ],
    ['a.docx', Buffer.from('plain text'), 'a.docx is not a valid DOCX file'],
    [
      'a.txt',
      Buffer.from('89504E470D0A1A0A0000000D49484452', 'hex'),
      'a.txt has an unsupported format; save it as one of PDF, ',
    ],
    ['a.csv', Buffer.from('7F454C4602010100000000', 'hex'), 'a.csv has an unsupported format'],
    ['a.json', Buffer.from('{}'), 'a.json has an unsupported format'],
    ['a.rtf', Buffer.from(String.raw`{\rtf1 text}`), 'a.rtf has an unsupported format'],
  ])('%s is a clear error', async (name, bytes, message) => {
    const error = await parseDocument({ name, bytes }).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'DocumentError', message: expect.stringContaining(message) })
  })

  it('is read by its content, whatever its name', async () => {
    const { type } = await parseDocument({ name: 'a.txt', bytes: Buffer.from('<!DOCTYPE html><p>text</p>') })
    expect(type).toBe('html')
  })

  it.each(['a.md', 'a.txt', 'a.csv', 'a.html'])('%s with lines that slow down patterns is read', async (name) => {
    const nasty = [
      `# ${' '.repeat(200_000)}x`,
      '*'.repeat(100_000),
      '- '.repeat(100_000),
      '|'.repeat(50_000),
      '\n'.repeat(100_000),
      '<'.repeat(20_000),
      `${'a '.repeat(100_000)}\n---`,
      '"'.repeat(10_001),
    ].join('\nx\n')
    expect((await parseDocument({ name, bytes: Buffer.from(nasty) })).text).toContain('x')
  })
})
