import fc from 'fast-check'
import { lexer, type Tokens } from 'marked'
import { expect, it } from 'vitest'
import { shownMarkdown } from '../../test/support/shown-markdown.ts'
import { escapeMarkdownLine, escapeMarkdown } from './literal.ts'

/** Pieces that Markdown makes something of, put together at random. */
const PIECES =
  '[x](http://evil.example)|![x](u)|[a]: http://e|[1]|[2](u)|**b**|_i_|a_b|~~s~~|`c`|``|<b>|<img src=x>|&amp;|&lt;|\\|\\\\|# h|- l|+ l|1. l|2) l|> q|---|===|***|http://evil.example|https://a.b/c_d|www.evil.example|me@evil.example|<http://e>|a|B 2|    |\t|:--|!|[|](|]|('
const MARKS = [...PIECES.split('|'), '|', '||', '|---|', '\\|']
const BREAKS = ['\n', '\n\n', '\r\n', '\r', '\u2028', '\n    ', '\n- ', '\n# ', '\n| a |\n']
const piecesOf = (more: readonly string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...MARKS, ...more), fc.string({ maxLength: 3 })), { maxLength: 8 })
    .map((all) => all.join(''))

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

it('a text is shown unchanged by a Markdown reader, with its lines', () => {
  fc.assert(
    fc.property(piecesOf(BREAKS), (text) => {
      const lines = (one: string): string[] => one.split('\n').flatMap((line) => squeezed(line) || [])
      expect(lines(shownMarkdown(lexer(escapeMarkdown(text))))).toEqual(
        lines(text.replaceAll(/\r\n|[\v\f\r\u0085\u2028\u2029]/g, '\n')),
      )
    }),
    { numRuns: 2_000 },
  )
})

it('any value stays within its cell', () => {
  fc.assert(
    fc.property(piecesOf(BREAKS), piecesOf(BREAKS), (one, other) => {
      const [table, ...more] = lexer(
        `| a | b |\n| --- | --- |\n| ${escapeMarkdownLine(one)} | ${escapeMarkdownLine(other)} |\n`,
      )
      expect(more).toEqual([])
      const cells = (table as Tokens.Table).rows.map((row) => row.map(({ tokens }) => squeezed(shownMarkdown(tokens))))
      expect(cells).toEqual([[squeezed(one), squeezed(other)]])
    }),
    { numRuns: 2_000 },
  )
})

it('leaves plain text unchanged', () => {
  const plain = '-5 of order 915 of 2026-10-31 (net) costs 1,200.50 € at order_id [1], “as said”: 50 % – see #4.'
  expect(escapeMarkdownLine(plain)).toBe(plain)
  expect(escapeMarkdown(plain)).toBe(plain)
})
