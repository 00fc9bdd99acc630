import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOutput } from '../output.ts'
import { AnswerStream } from './answer-stream.ts'
import { createStyle } from './style.ts'
import { widthOf } from './text.ts'
import { wrap } from './wrap.ts'

const COMMAND = 'npx tutti ask "How many orders came in last month?" --db sqlite:shop.db'

describe('wrap', () => {
  it('breaks at spaces when possible', () => {
    expect(wrap('one two three', 7)).toBe('one two\nthree')
    expect(wrap('seventeen', 7)).toBe('seventeen')
    expect(wrap('one two', Infinity)).toBe('one two')
  })

  it.each([
    ['after a colon', `Start one with: ${COMMAND}`, `Start one with:\n${COMMAND}`],
    ['on a line of its own', `  ${COMMAND}`, `  ${COMMAND}`],
    ['in quotes', 'Add some with "npx tutti docs add FOLDER".', 'Add some with\n"npx tutti docs add FOLDER".'],
    ['two in a line', 'npx tutti a b   or: npx tutti c d e', 'npx tutti a b   or:\nnpx tutti c d e'],
  ])('leaves a command whole %s', (_where, text, wrapped) => expect(wrap(text, 20)).toBe(wrapped))

  it('does not break names, values and comments of SQL', () => {
    expect(wrap(`SELECT "my name" FROM t WHERE c = 'New York'`, 14)).toBe(
      `SELECT\n"my name" FROM\nt WHERE c =\n'New York'`,
    )
    expect(wrap('SELECT 1 -- the first of many\nFROM a', 12)).toBe('SELECT 1 -- the first of many\nFROM a')
  })

  it('leaves code and table rows of Markdown unchanged', () => {
    const text = '```py\nprint(1, 2, 3, 4)\n```\n| a | b | c | d |'
    expect(wrap(text, 10)).toBe(text)
  })

  it('aligns continuation lines with the text of a list item or a label', () => {
    expect(wrap('- one two three', 9)).toBe('- one two\n  three')
    expect(wrap('[1] one two three', 11)).toBe('[1] one two\n    three')
    expect(wrap('Plan  one two three', 13)).toBe('Plan  one two\n      three')
  })

  it('counts columns, not characters', () => {
    expect(wrap('東京は首都です。人口', 8)).toBe('東京は首\n都です。\n人口')
    const { red } = createStyle(true)
    expect(wrap(red('one two three'), 7)).toBe(red('one two\nthree'))
  })

  const words = fc.array(
    fc.constantFrom(
      'a',
      'be',
      'seven',
      'Häuser',
      '🏠',
      "don't",
      "'x y'",
      '東京',
      '"q"',
      '(see',
      'it)',
      '–',
      'x'.repeat(12),
    ),
    { maxLength: 40 },
  )

  it('loses nothing, and breaks only where necessary', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 8, max: 40 }), (some, width) => {
        const text = some.join(' ')
        const lines = wrap(text, width).split('\n')
        expect(
          lines
            .map((line) => line.trim())
            .join(' ')
            .replaceAll(' ', ''),
        ).toBe(text.trim().replaceAll(' ', ''))
        const whole = /(?<!\w)(['"])[^'"]+\1(?!\w)/g
        const wide = lines.filter((line) => widthOf(line) > width).map((line) => line.trim().replaceAll(whole, 'q'))
        expect(wide.filter((line) => /\s/.test(line))).toEqual([])
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })

  it('gives the same result for chunked input', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 9 }), (some, size) => {
        const text = some.filter((word) => !/['"]/.test(word)).join(' ')
        let said = ''
        const stream = { isTTY: true, columns: 24, write: (piece: string) => ((said += piece), true) }
        const answer = new AnswerStream(createOutput(stream, {}))
        const characters = [...text]
        for (let i = 0; i < characters.length; i += size) answer.write(1, characters.slice(i, i + size).join(''))
        answer.endLine()
        expect(said.trimEnd()).toBe(wrap(text, 24).trimEnd())
      }),
      { seed: 7, numRuns: 1_000 },
    )
  })
})
