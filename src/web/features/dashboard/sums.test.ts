import { expect, test } from 'vitest'
import { daysOf, outcomeOf, quantile, startOfDay, totalsOf, type RunUsage } from './sums.ts'

const NOTHING = { calls: 0, tokens: 0, costUsd: 0 }
const run = (createdAt: string, more: Partial<RunUsage> = {}): RunUsage => ({
  runId: createdAt,
  question: '',
  strategy: 'graph',
  status: 'finished',
  createdAt,
  isAnswered: true,
  latencyMs: 100,
  used: NOTHING,
  jobs: [],
  models: [],
  ...more,
})

test('every run is counted once, on its day', () => {
  const now = new Date(2026, 9, 31, 12).getTime()
  const at = (before: number): string => new Date(startOfDay(now, before) + 3_600_000).toISOString()
  const runs = [
    run(at(0)),
    run(at(0), { isAnswered: false, latencyMs: 300 }),
    run(at(6), { status: 'failed' }),
    run(at(7)),
    run(at(2), { status: 'waiting', isAnswered: false }),
  ]
  const days = daysOf(runs, 7, now)
  expect(days).toHaveLength(7)
  expect(days.at(-1)).toMatchObject({ answered: 1, declined: 1, failed: 0, median: 100 })
  expect(days[0]).toMatchObject({ failed: 1 })
  expect(days[4]).toMatchObject({ other: 1, answered: 0, declined: 0, failed: 0 })
  // The day of the change of clocks is one day, too.
  expect(new Set(days.map((day) => new Date(day.at).getDate())).size).toBe(7)
})

test('a run that goes on is neither answered nor declined', () => {
  expect(outcomeOf({ status: 'running', isAnswered: false })).toBe('other')
  expect(outcomeOf({ status: 'cancelled', isAnswered: true })).toBe('other')
})

test('quantiles are values that were there', () => {
  expect(quantile([], 0.5)).toBeUndefined()
  expect(quantile([3, 1, 2], 0.5)).toBe(2)
  expect(quantile([1, 2, 3, 4], 0.95)).toBe(4)
  expect(quantile([9], 0)).toBe(9)
})

test('totals add up what each used', () => {
  const entries = [
    { name: 'sql', ...NOTHING, tokens: 5, latencyMs: 10 },
    { name: 'rag', ...NOTHING, tokens: 1 },
    { name: 'sql', ...NOTHING, tokens: 7, latencyMs: 30, hasFailed: true },
  ]
  expect(totalsOf(entries)).toEqual([
    { name: 'sql', times: 2, failed: 1, calls: 0, tokens: 12, costUsd: 0, median: 10 },
    { name: 'rag', times: 1, failed: 0, calls: 0, tokens: 1, costUsd: 0 },
  ])
})
