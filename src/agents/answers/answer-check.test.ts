import { expect, it, vi } from 'vitest'
import { tableFromArrays } from '../../core/table.ts'
import { Evidence } from '../../language/figures/evidence.ts'
import { AnswerCheck } from './answer-check.ts'
import type { AnswerGrounds } from './grounds.ts'

const REGIONS = tableFromArrays(
  ['region', 'orders'],
  [
    ['West', 240],
    ['North', 610],
  ],
)

function groundsWith(table = REGIONS): AnswerGrounds {
  const found = new Evidence({ texts: [], tables: [table] })
  const common = new Evidence({ texts: ['How many orders?'], tables: [] })
  return { common, found: [found], byTask: new Map(), byNumber: new Map([[1, found]]) }
}

/** How often the rows are read while so many sentences come in, a word at a time. */
function readsFor(sentences: number): number {
  let reads = 0
  const counted = {
    ...REGIONS,
    get rows() {
      reads++
      return REGIONS.rows
    },
  }
  const check = new AnswerCheck(groundsWith(counted))
  let soFar = ''
  for (const word of 'West has 240 orders. '.repeat(sentences).split(/(?<= )/)) check.release((soFar += word))
  return reads
}

it('reads a sentence once while an answer grows, however long it is', () => {
  expect(readsFor(80)).toBeLessThan(3 * readsFor(40))
})

it('releases what a check of the whole would, also where the answer begins anew', () => {
  const check = new AnswerCheck(groundsWith())
  for (const text of [
    'West has 240 orders. And',
    'West has 240 orders. That is 370 fewer than North [1]. So',
    'North has 610 orders. West has 999. The rest',
    'North has 610 orders. West has 240. The rest',
    'West',
    'West has 240 orders. ',
  ])
    expect(check.release(text)).toBe(new AnswerCheck(groundsWith()).release(text))
})

/** How often a sentence of a source is asked for a figure, in an answer and a source of so many sentences. */
function asksFor(sentences: number): number {
  const text = Array.from({ length: sentences }, (_, i) => `Item ${'abcdefghij'[i % 10]} costs ${i + 1000} EUR. `).join(
    '',
  )
  const found = new Evidence({ texts: [text], tables: [] })
  const asked = vi.spyOn(Evidence.prototype, 'find')
  try {
    const check = new AnswerCheck({ ...groundsWith(), found: [found], byNumber: new Map([[1, found]]) })
    expect(check.whole(text).unfounded).toEqual([])
    return asked.mock.calls.length
  } finally {
    asked.mockRestore()
  }
}

it('looks up where a figure stands: four times the sentences, in answer and source, ask four times as often', () => {
  expect(asksFor(400)).toBeLessThan(5 * asksFor(100))
})

it('counts a sentence as not found that is too long to be checked, and says how it begins', () => {
  const check = new AnswerCheck(groundsWith())
  const { text, unfounded } = check.whole(`West has 240 orders.\n${'240, '.repeat(300)}\nNorth has 610 orders.`)
  expect(text).toBe('West has 240 orders.\nNorth has 610 orders.')
  expect(unfounded).toEqual([expect.stringMatching(/^240, 240, .*…$/)])
})
