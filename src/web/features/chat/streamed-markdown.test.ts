import fc from 'fast-check'
import type { Token } from 'marked'
import { expect, it } from 'vitest'
import { streamedMarkdown } from './streamed-markdown.ts'

/** What makes readers of Markdown look back or ahead. */
const PIECES = [
  'words',
  '**bold',
  '\n',
  '\n\n',
  '\n \n',
  '- item',
  '  - inner',
  '1. first',
  '    indented',
  '```ts\n',
  '~~~',
  '# Heading',
  'Title\n===',
  '\n---',
  '| a | b |\n|---|---|',
  '> quoted',
  '<div>',
  '<!-- ',
  '[a]: https://a.test',
  '[a]',
  '`code',
  '\t',
  '$$',
  '\\[',
]

const told = (blocks: readonly Token[]): string => JSON.stringify([...blocks])

it('streamed text is parsed as if it were complete', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
      const read = streamedMarkdown()
      for (let length = 1; length <= pieces.length; length++) {
        const text = pieces.slice(0, length).join('')
        expect(told(read(text)), JSON.stringify(text)).toBe(told(streamedMarkdown()(text)))
      }
    }),
    { numRuns: 5_000, seed: 20261126 },
  )
})

it('another text, or a shorter one, is parsed again', () => {
  const read = streamedMarkdown()
  for (const text of ['# A\n\nb\n\nc\n\nd', '# A\n\nb', 'x\n\ny\n\nz', '']) {
    expect(told(read(text))).toBe(told(streamedMarkdown()(text)))
  }
})

it('a line of dashes is a rule of any length', () => {
  expect(streamedMarkdown()(`a\n\n${'-'.repeat(60)}\n\nb`).map(({ type }) => type)).toEqual([
    'paragraph',
    'space',
    'hr',
    'space',
    'paragraph',
  ])
})

it('text that is nested too deeply is shown as plain text', () => {
  const deep = '> '.repeat(400)
  expect(streamedMarkdown()(`a\n\n${deep}`)).toEqual([expect.objectContaining({ type: 'text', raw: `a\n\n${deep}` })])
})
