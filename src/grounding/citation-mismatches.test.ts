import { expect, it } from 'vitest'
import type { Citation } from '../domain/answer.ts'
import { checkFigures } from './figures.ts'
import { findMiscitedFigures } from './citation-mismatches.ts'

const citations: readonly Citation[] = [1, 2].map((n) => {
  return { n, agent: 'assistant', source: { id: `s${n}`, kind: 'database', name: 'shop' } }
})

function miscited(answer: string): readonly string[] {
  const evidence = [
    { value: 'refunds: 6450.38', sources: ['s1'] },
    { value: 'orders: 10, sales: 309758.47', sources: ['s2'] },
  ]
  return findMiscitedFigures(answer, checkFigures(answer, '', evidence), citations)
}

it.each([
  ['Ten orders [1]. Refunds were 6,450.38 [2].', ['6,450.38 is in [1], not in [2]']],
  ['Refunds were 6,450.38. [2] More is not known.', ['6,450.38 is in [1], not in [2]']],
  ['- Sales: 309,758.47 [1]\n- Refunds: 6,450.38 [1]', ['309,758.47 is in [2], not in [1]']],
  ['Sales were 309,758.47 [2], refunds 6,450.38 [1].', []],
  ['By [2], sales were 309,758.47 and refunds 6,450.38 [1].', []],
  ['Refunds were 6,450.38 [1]. Sales were 48 times the 6,450.38 [2].', []],
  ['Sales were about 310,000 [1], refunds 6,450.38.', []],
  ['| 309,758.47 |\n| 6,450.38 |', []],
])('names figures that only another cited source contains: %s', (answer, expected) => {
  expect(miscited(answer)).toEqual(expected)
})
