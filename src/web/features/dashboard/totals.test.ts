import { expect, test } from 'vitest'
import {
  usageByDay,
  runsByName,
  runOutcome,
  peopleOf,
  quantile,
  startOfDay,
  rankedTotals,
  type RunUsage,
} from './totals.ts'

const NOTHING = { calls: 0, tokens: 0, costUsd: 0 }
const run = (createdAt: string, more: Partial<RunUsage> = {}): RunUsage => ({
  runId: createdAt,
  question: '',
  strategy: 'graph',
  status: 'finished',
  createdAt,
  isAnswered: true,
  outcome: 'answered',
  latencyMs: 100,
  used: NOTHING,
  agents: [],
  jobs: [],
  models: [],
  ...more,
})

/** A failed run. */
const failed = (createdAt: string): RunUsage => {
  const { outcome: _none, ...rest } = run(createdAt, { status: 'failed', isAnswered: false })
  return rest
}

test('every run is counted once, on its day', () => {
  const now = new Date(2026, 9, 31, 12).getTime()
  const at = (before: number): string => new Date(startOfDay(now, before) + 3_600_000).toISOString()
  const runs = [
    run(at(0)),
    run(at(0), { outcome: 'declined', latencyMs: 300 }),
    { ...failed(at(6)) },
    run(at(7)),
    { ...failed(at(2)), status: 'waiting' as const },
  ]
  const days = usageByDay(runs, 7, now)
  expect(days).toHaveLength(7)
  expect(days.at(-1)).toMatchObject({ answered: 1, declined: 1, failed: 0, median: 100 })
  expect(days[0]).toMatchObject({ failed: 1 })
  expect(days[4]).toMatchObject({ other: 1, answered: 0, declined: 0, failed: 0 })
  // The day of the change of clocks is one day, too.
  expect(new Set(days.map((day) => new Date(day.at).getDate())).size).toBe(7)
})

test('a run that is not over is neither answered nor declined', () => {
  expect(runOutcome({ status: 'running' })).toBe('other')
  expect(runOutcome({ status: 'cancelled' })).toBe('other')
})

test('quantiles are existing values', () => {
  expect(quantile([], 0.5)).toBeUndefined()
  expect(quantile([3, 1, 2], 0.5)).toBe(2)
  expect(quantile([1, 2, 3, 4], 0.95)).toBe(4)
  expect(quantile([9], 0)).toBe(9)
})

test('totals add up the usage of each', () => {
  const entries = [
    { name: 'sql', ...NOTHING, tokens: 5, latencyMs: 10 },
    { name: 'rag', ...NOTHING, tokens: 1 },
    { name: 'sql', ...NOTHING, tokens: 7, latencyMs: 30, hasFailed: true },
  ]
  expect(rankedTotals(entries)).toEqual([
    { name: 'sql', times: 2, failed: 1, calls: 0, tokens: 12, costUsd: 0, median: 10 },
    { name: 'rag', times: 1, failed: 0, calls: 0, tokens: 1, costUsd: 0 },
  ])
})

test('a name covers all agents that it groups, and each run is counted once', () => {
  const runs = [['plan', 'sql'], ['master-plan', 'plan'], ['master-plan'], []].map((agents, n) =>
    run(`${n}`, { agents }),
  )
  const found = runsByName(
    runs,
    ({ agents }) => agents,
    (agent) => (agent.endsWith('plan') ? 'Planner' : agent),
  )
  expect([...found]).toEqual([
    ['Planner', { runs: 3, by: ['master-plan', 'plan'] }],
    ['sql', { runs: 1, by: ['sql'] }],
  ])
})

test('users are totalled over days and models, the highest cost first', () => {
  const used = { day: '2026-10-01', model: 'm', runs: 1, calls: 2, inputTokens: 3, outputTokens: 4, costUsd: 0.5 }
  expect(
    peopleOf([
      { ...used, userId: 'a', username: 'Ann' },
      { ...used, userId: 'b', costUsd: 3 },
      { ...used, userId: 'a', username: 'Ann', runs: 2 },
    ]),
  ).toEqual([
    { userId: 'b', name: 'b', runs: 1, calls: 2, tokens: 7, costUsd: 3 },
    { userId: 'a', name: 'Ann', runs: 3, calls: 4, tokens: 14, costUsd: 1 },
  ])
})
