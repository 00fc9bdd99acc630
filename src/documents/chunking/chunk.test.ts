import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../parsing/limits.ts'
import { DocumentText } from '../parsing/document-text.ts'
import type { Block, ParsedDocument } from '../types.ts'
import { CHUNK_TOKENS, chunkDocument } from './chunk.ts'
import { countTokens } from './tokens.ts'

interface Part extends Pick<Block, 'kind' | 'level' | 'page'> {
  readonly text: string
}

function documentOf(parts: readonly Part[]): ParsedDocument {
  const text = new DocumentText('test', DEFAULT_LIMITS.characters)
  for (const { kind, text: own, ...place } of parts) text.add(kind, own, place)
  return { type: 'md', text: text.text(), blocks: text.blocks, notes: [] }
}

const heading = (level: number, text: string): Part => ({ kind: 'heading', level, text })
const paragraph = (text: string, page?: number): Part => ({
  kind: 'paragraph',
  text,
  ...(page === undefined ? {} : { page }),
})
const table = (rows: number, width = 3): Part => ({
  kind: 'table',
  text: Array.from({ length: rows }, (_, i) =>
    Array.from({ length: width }, (_, j) => `cell ${i} ${j}`).join(' | '),
  ).join('\n'),
})

const words = fc.array(fc.oneof(fc.lorem({ maxCount: 12, mode: 'sentences' }), fc.string({ unit: 'grapheme' })), {
  maxLength: 30,
})
const anyText = fc.oneof(
  words.map((all) => all.join(' ')),
  fc
    .tuple(fc.constantFrom('a', 'xY7', '漢字', '😀', 'ab. ', '\n', ' '), fc.nat(3000))
    .map(([unit, times]) => unit.repeat(times)),
)
const anyPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    kind: fc.constant('heading' as const),
    level: fc.integer({ min: 1, max: 4 }),
    text: fc.lorem({ maxCount: 4 }),
  }),
  fc.record({
    kind: fc.constantFrom('paragraph' as const, 'list' as const, 'code' as const, 'table' as const),
    text: anyText,
  }),
)

describe('cutting a document', () => {
  it('covers all text once, in exact slices within the limit, parents first', () => {
    const property = fc.property(
      fc.array(anyPart, { maxLength: 12 }),
      fc.constantFrom(500, CHUNK_TOKENS),
      (parts, limit) => {
        const document = documentOf(parts)
        const { chunks, parents } = chunkDocument(document, limit)
        expect(parents).toHaveLength(chunks.length)
        let end = 0
        for (const [i, chunk] of chunks.entries()) {
          expect(chunk.ordinal).toBe(i)
          expect(chunk.text).toBe(document.text.slice(chunk.start, chunk.end))
          // Only white space is left out, and nothing occurs twice.
          expect(document.text.slice(end, chunk.start).trim()).toBe('')
          expect(chunk.start).toBeGreaterThanOrEqual(end)
          expect(chunk.text.trim()).not.toBe('')
          expect(chunk.tokens).toBeLessThanOrEqual(limit)
          expect(chunk.tokens).toBeGreaterThanOrEqual(countTokens(chunk.text))
          expect(Buffer.from(chunk.text).toString()).toBe(chunk.text)
          const parent = parents[i] ?? i
          expect(parent).toBeLessThanOrEqual(i)
          expect(parents[parent]).toBeUndefined()
          expect(chunks[parent]!.section).toBe(chunk.section)
          end = chunk.end
        }
        expect(document.text.slice(end).trim()).toBe('')
      },
    )
    fc.assert(property, { numRuns: 60 })
  })

  it('starts a passage at each heading, with the headings above it', () => {
    const document = documentOf([
      paragraph('Before all headings.'),
      heading(1, 'Returns'),
      heading(2, 'Damaged goods'),
      paragraph('Thirty days.'),
      heading(2, 'Vouchers'),
      paragraph('None.'),
      heading(1, 'Fees'),
      paragraph('Four euros.'),
    ])
    const { chunks, parents } = chunkDocument(document)
    expect(chunks.map(({ section, text }) => [section, text])).toEqual([
      [undefined, 'Before all headings.'],
      ['Returns › Damaged goods', 'Returns\n\nDamaged goods\n\nThirty days.'],
      ['Returns › Vouchers', 'Vouchers\n\nNone.'],
      ['Fees', 'Fees\n\nFour euros.'],
    ])
    expect(parents).toEqual([undefined, undefined, undefined, undefined])
  })

  it('keeps paragraphs whole, and makes the first passage of a section the parent of the others', () => {
    const text = (n: number): string => `Paragraph ${n} goes on. ${'Some more words of it. '.repeat(50)}`.trim()
    const document = documentOf([
      heading(1, 'Long'),
      ...[1, 2, 3, 4, 5].map((n) => paragraph(text(n), n)),
      heading(1, 'Next'),
    ])
    const { chunks, parents } = chunkDocument(document)
    expect(chunks.map(({ page, text }) => [page, text.match(/Paragraph \d/g)])).toEqual([
      [undefined, ['Paragraph 1', 'Paragraph 2', 'Paragraph 3']],
      [4, ['Paragraph 4', 'Paragraph 5']],
      [undefined, null],
    ])
    expect(parents).toEqual([undefined, 0, undefined])
    for (const { text } of chunks.slice(0, 2)) expect(text).toMatch(/of it\.$/)
  })

  it('splits a long paragraph between sentences', () => {
    const document = documentOf([
      heading(1, 'Long'),
      paragraph('This is a sentence of nine words in all. '.repeat(300)),
    ])
    const { chunks } = chunkDocument(document)
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks[0]!.text).toMatch(/^Long\n\nThis is/)
    for (const { text } of chunks) expect(text).toMatch(/in all\.$/)
  })

  it('keeps a table whole and separate, with its heading and introductory line', () => {
    const long = 'Words before the table that have nothing to do with it. '.repeat(20)
    const document = documentOf([heading(1, 'Fees'), paragraph('By country:'), table(30), paragraph(long), table(5)])
    const { chunks } = chunkDocument(document)
    expect(chunks.map(({ kind, text }) => [kind, text.split('\n')[0], text.match(/cell \d+ 0/g)?.length])).toEqual([
      ['table', 'Fees', 30],
      ['text', long.trim(), undefined],
      ['table', 'cell 0 0 | cell 0 1 | cell 0 2', 5],
    ])
  })

  it('splits a long table between rows', () => {
    const document = documentOf([heading(1, 'Sheet'), table(500)])
    const { chunks, parents } = chunkDocument(document)
    expect(chunks.length).toBeGreaterThan(3)
    const rows = chunks.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('cell')))
    expect(rows).toHaveLength(500)
    for (const row of rows) expect(row).toMatch(/^cell \d+ 0 \| cell \d+ 1 \| cell \d+ 2$/)
    expect(new Set(chunks.map(({ kind }) => kind))).toEqual(new Set(['table']))
    expect(parents).toEqual(chunks.map((_, i) => (i === 0 ? undefined : 0)))
  })

  it.each([
    ['no spaces at all', 'aGVsbG8gd29ybGQhIQ'],
    ['Chinese', '退货政策规定损坏商品'],
    ['spaces', '     '],
  ])('divides one line of 5 MB of %s', (_, unit) => {
    const text = `x${unit.repeat(Math.ceil(5_000_000 / unit.length))}x`
    const document: ParsedDocument = {
      type: 'txt',
      text,
      notes: [],
      blocks: [{ kind: 'paragraph', start: 0, end: text.length }],
    }
    const { chunks } = chunkDocument(document)
    expect(chunks.at(-1)!.end).toBe(text.length)
  })
})

it.each([
  ['Damaged goods are replaced within 7 days.', 10],
  ['1,234.50 €', 6],
  ['漢字', 2],
  ['возврат товара', 5],
  ['', 0],
])('estimates the tokens of %j', (text, tokens) => expect(countTokens(text)).toBe(tokens))
