import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Source } from '../core/result.ts'
import { numberCitations, numberedSoFar, withId } from './citations.ts'

const source = (id: string, name = id): Source => ({ id, kind: 'document', name })
const SOURCES = ['s1', 's2', 's12'].map((id) => source(id))

test.each([
  ['One [s2]. Two [s1]. One again [s2].', 'One [1]. Two [2]. One again [1].', ['s2', 's1']],
  ['Both [s1, s12] and [s2][s1].', 'Both [1][2] and [3][1].', ['s1', 's12', 's2']],
  ['Unknown [s9] goes [s8]. [s1; s9] keeps one.', 'Unknown goes. [1] keeps one.', ['s1']],
  ['An array a[0], [1] and [note] stay.', 'An array a[0], [1] and [note] stay.', []],
])('marks are numbered by first occurrence: %s', (text, numbered, cited) => {
  const result = numberCitations(text, SOURCES)
  expect(result.text).toBe(numbered)
  expect(result.cited.map(({ id }) => id)).toEqual(cited)
})

test('the same place keeps its id, another one gets the next', () => {
  const known = [source('s1', 'a'), source('s7', 'b')]
  expect(withId({ kind: 'document', name: 'a' }, known).id).toBe('s1')
  expect(withId({ kind: 'document', name: 'c' }, known).id).toBe('s8')
})

test('a streamed text only ever grows, up to the whole text with its marks numbered', () => {
  const piece = fc.constantFrom('word ', '[s1]', '[s2, s1]', '[s9]', '[', ']', '[s', 's1', '1', ', ', '[note]', 'a[0]')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      let shown = ''
      for (let length = 0; length <= text.length; length++) {
        const next = numberedSoFar(text.slice(0, length), SOURCES)
        expect(next.startsWith(shown.trimEnd())).toBe(true)
        shown = next
      }
      expect(numberCitations(text, SOURCES).text.startsWith(shown.trimEnd())).toBe(true)
    }),
    { seed: 27, numRuns: 2_000 },
  )
})
