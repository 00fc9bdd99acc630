import { expect, test } from 'vitest'
import { findMarks, type PlacedText } from './pdf-marks.ts'

/** Lines of a page, each a tenth of it high and as wide as it has letters, in hundredths. */
const page = (...lines: readonly string[]): PlacedText[] =>
  lines.map((text, n) => ({ text, x: 0.1, y: n / 10, width: text.length / 100, height: 0.05 }))

test('a passage is marked on each of its lines, and nothing around it', () => {
  const items = page(
    'Returns',
    'Goods that arrive damaged must be re-',
    'ported within 7 days. A late report',
    'is a favour.',
  )
  const marks = findMarks(items, 'Goods that arrive damaged must be reported within 7 days.')
  expect(marks.map(({ y }) => y)).toEqual([0.1, 0.2])
  expect(marks[0]).toMatchObject({ x: 0.1, width: items[1]!.width })
  // Of the second line a part, by its letters.
  expect(marks[1]!.width).toBeCloseTo((items[2]!.width * 17) / 28, 5)
})

test('a passage in another order on the page is marked piece by piece', () => {
  const items = page(
    'The left column begins here',
    'The right column is beside it',
    'and the left one ends below',
    'nothing of this',
  )
  const marks = findMarks(
    items,
    'The left column begins here and the left one ends below The right column is beside it',
  )
  expect(marks.map(({ y }) => y).toSorted()).toEqual([0, 0.1, 0.2])
})

test('the part of a passage on the next page is not searched further up on this one', () => {
  const again = 'The parties act in good faith.'
  const items = page('Scope of the agreement', again, 'Notice', 'Six months to the end of a year.', again)
  const passage = `Six months to the end of a year. ${again} ${again} The agreement is governed by the scope of the agreement.`
  expect(findMarks(items, passage).map(({ y }) => y)).toEqual([0.3, 0.4])
})

test('words of one line are one mark; distant words are not', () => {
  const word = (text: string, x: number): PlacedText => ({ text, x, y: 0.5, width: 0.1, height: 0.02 })
  const near = [word('damaged', 0.1), word(' ', 0.2), word('goods', 0.205)]
  expect(findMarks(near, 'damaged goods')).toHaveLength(1)
  expect(findMarks([word('damaged', 0.1), word('goods', 0.6)], 'damaged goods')).toHaveLength(2)
})

test('a passage that is not on the page marks nothing', () => {
  expect(findMarks(page('Opening hours and holidays'), 'The price list of the year 2026')).toEqual([])
  expect(findMarks([], 'anything at all')).toEqual([])
  expect(findMarks(page('Something'), ' – ')).toEqual([])
})

test('a short passage is found completely or not at all', () => {
  expect(findMarks(page('Fee: 12 EUR'), '12 EUR')).toHaveLength(1)
  expect(findMarks(page('Fee: 12 EUR'), '13 EUR')).toEqual([])
})
