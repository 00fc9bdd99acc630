import { expect, it } from 'vitest'
import { casesByStrategy, comparisonPage, isAutoBest, missingIn, NAMES, type Measured } from '../../evals/comparison.ts'
import { readSets } from '../../evals/run.ts'
import type { Verdict } from '../../src/evaluation/verdict.ts'

/** Results of each strategy over the same number of cases. */
function measured(verdicts: Readonly<Record<string, readonly Verdict[]>>): Measured {
  const byStrategy = Object.entries(verdicts).map(
    ([name, all]) =>
      [name, all.map((verdict, at) => ({ id: `${at}:${name}`, set: 'demo', verdict, turns: [] }))] as const,
  )
  return new Map(byStrategy)
}

const EQUAL = Object.fromEntries(NAMES.map((name) => [name, ['right', 'declined', 'wrong'] as const]))

it.each<[string, Readonly<Record<string, readonly Verdict[]>>, boolean]>([
  ['all are equal', {}, true],
  ['auto has more right', { auto: ['right', 'right', 'wrong'] }, true],
  ['another one has more right', { review: ['right', 'right', 'wrong'] }, false],
  ['another one has as many right and fewer wrong', { graph: ['right', 'declined', 'declined'] }, false],
  ['another one has fewer of both', { graph: ['declined', 'declined', 'declined'] }, true],
  ['auto was not asked', { auto: [] }, false],
])('whether auto equals the best single strategy: %s', (_what, change, is) => {
  expect(isAutoBest(measured({ ...EQUAL, ...change }))).toBe(is)
})

it('names the incompletely measured sets', async () => {
  const cases = (await readSets(['demo', 'gym'])).slice(0, 60)
  const results = casesByStrategy(cases).map(({ id, set }) => ({ id, set, verdict: 'right' as const, turns: [] }))
  const of = (all: typeof results): Measured => new Map([['all', all]])
  expect(missingIn(of(results), cases)).toEqual([])
  expect(missingIn(of(results.slice(1)), cases)).toEqual(['demo'])
  expect(missingIn(of(results.filter(({ set }) => set === 'demo')), cases)).toEqual(['gym'])
})

it('is a page with a row for each strategy', () => {
  const page = comparisonPage(measured(EQUAL))
  for (const name of NAMES) expect(page).toContain(`| \`${name}\` | 3 | 1 | 1 | 1 | 0 |`)
})
