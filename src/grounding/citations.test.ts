import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Source } from '../domain/result.ts'
import { numberCitations, numberedSoFar } from './citations.ts'

const source = (id: string, name = id): Source => ({ id, kind: 'document', name })
const SOURCES = ['s1', 's2', 's12'].map((id) => source(id))

test.each<[string, string | undefined, string[]]>([
  ['One [s2]. Two [s1]. One again [s2].', 'One [1]. Two [2]. One again [1].', ['s2', 's1']],
  ['Both [s1, s12] and [s2][s1].', 'Both [1][2] and [3][1].', ['s1', 's12', 's2']],
  ['Unknown [s9] goes [s8]. [s1; s9] keeps one.', 'Unknown goes. [1] keeps one.', ['s1']],
  ['Cut [s9], and cut.\n[s9] At a line. [s1] 40 [s9], 50.', 'Cut, and cut.\nAt a line. [1] 40, 50.', ['s1']],
  ['Other spellings: [S1]. 【s12】 [S2, s1]', 'Other spellings: [1]. [2] [3][1]', ['s1', 's12', 's2']],
  ['As a footnote [^s1], and again [^s1].\n\n[^s1]: shop, employees', 'As a footnote [1], and again [1].\n', ['s1']],
  ['With a word [Source: s12] (source: s1) 【Quelle: S2】.', 'With a word [1] [2] [3].', ['s12', 's1', 's2']],
  [
    'Ranges [s1-s2], once [s2][s2], in brackets (s2, s1).',
    'Ranges [1][2], once [2], in brackets [2][1].',
    ['s1', 's2'],
  ],
  ['No marks: (s9), (s1, s9), (S3 bucket), [see s1], (s1 and so on).', undefined, []],
  ['An array a[0] and [note] stay. ```\n[1]\n```', 'An array a[0] and [note] stay. ```\n[1]\n```', []],
  ['A mark of an earlier answer [7][8] goes, [2] is an id.', 'A mark of an earlier answer goes, [1] is an id.', ['s2']],
])('marks are numbered by first occurrence: %s', (text, numbered, cited) => {
  const result = numberCitations(text, SOURCES)
  expect(result.text).toBe(numbered ?? text)
  expect(result.cited.map(({ id }) => id)).toEqual(cited)
})

test('a streamed text only grows, up to the whole text with numbered marks', () => {
  const piece = fc.constantFrom(
    'word ',
    '[s1]',
    '[s2, s1]',
    '[s9]',
    '【S1】',
    '【',
    '[7]',
    '```',
    '[',
    ']',
    '[s',
    's1',
    '1',
    ', ',
    '[note]',
    'a[0]',
    '[^s1]',
    ': of it',
    '\n',
    '[Source: s2]',
    '[Source',
    '-s2]',
    '(s1)',
    '(s1',
    ')',
  )
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
