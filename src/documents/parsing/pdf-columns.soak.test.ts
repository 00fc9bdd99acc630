// Soak test: draws and reads many PDF pages.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pdf } from '../../../test/documents/support/files.ts'
import { parseDocument } from './parse.ts'

/**
 * Pages of columns drawn by seed, with random number, distance, type size, justification and title.
 * Measures the share of runs of five words, in reading order, that the parser returns unchanged.
 */
const PAGES = 40
const WORDS =
  'the of a kettle is in lamp and by table for chair it stove on window as garden with river from at harbour or'.split(
    ' ',
  )

interface Page {
  readonly columns: number
  readonly columnGap: number
  readonly size: number
  readonly isJustified: boolean
  readonly hasTitle: boolean
  readonly words: readonly string[]
  /** The words that end a paragraph with an empty line. When absent, the text is one paragraph. */
  readonly breaks?: readonly number[]
  /** By how much the other columns are longer than the last one. */
  readonly longer?: number
}

const page: fc.Arbitrary<Page> = fc.record({
  columns: fc.constantFrom(2, 3),
  columnGap: fc.constantFrom(10, 12, 14, 18, 24),
  size: fc.constantFrom(8, 9, 10, 11),
  isJustified: fc.boolean(),
  hasTitle: fc.boolean(),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 300, maxLength: 400 }),
})

/** The end of a text in columns, where the last of them ends first. */
const ending: fc.Arbitrary<Page> = fc
  .tuple(page, fc.array(fc.nat(300), { minLength: 4, maxLength: 8 }), fc.constantFrom(1.2, 1.4, 1.6))
  .map(([one, breaks, longer]) => ({ ...one, columns: 2, breaks, longer }))

async function shareOf(one: Page): Promise<number> {
  const { columns, columnGap, size, isJustified, hasTitle, words, breaks = [], longer = 1 } = one
  const after = (i: number): string => (breaks.includes(i) ? '\n\n' : ' ')
  const text = words.map((word, i) => `${word}${i % 12 === 11 ? '.' : ''}${after(i)}`).join('')
  const bytes = await pdf((document) => {
    if (hasTitle) document.fontSize(16).text('A title that stands over all of the columns', 50, 60, { width: 480 })
    document.fontSize(size)
    const width = (480 - columnGap * (columns - 1)) / columns
    const height = (longer * document.heightOfString(text, { width })) / columns + 3 * size
    const align = isJustified ? { align: 'justify' as const } : {}
    document.text(text, 50, 110, { columns, columnGap, width: 480, height, ...align })
  })
  const read = await parseDocument({ name: 'columns.pdf', bytes })
  const found = new Set(runsOf(read.text))
  const wanted = runsOf(text)
  // Text without room on the page would count as lost.
  expect(read.text.split(/\s+/).length).toBeGreaterThanOrEqual(words.length - 5)
  return wanted.filter((run) => found.has(run)).length / wanted.length
}

function runsOf(text: string): string[] {
  const words = text.split(/\s+/)
  return words.slice(4).map((_, i) => words.slice(i, i + 5).join(' '))
}

it.each([
  ['of columns', page, 0.9, 0.8],
  ['of columns whose last one ends first', ending, 0.99, 0.9],
])('%s nearly all runs of five words come out in order', async (_name, drawn, usual, least) => {
  const shares: number[] = []
  for (const one of fc.sample(drawn, { numRuns: PAGES, seed: 20_261_123 })) shares.push(await shareOf(one))
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const told = JSON.stringify({ mean, least: Math.min(...shares), shares: shares.map((share) => share.toFixed(2)) })
  expect(mean, told).toBeGreaterThanOrEqual(usual)
  expect(Math.min(...shares), told).toBeGreaterThanOrEqual(least)
})
