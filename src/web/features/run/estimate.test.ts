import fc from 'fast-check'
import { expect, it } from 'vitest'
import { estimateOf } from './estimate.ts'

/** Estimates held against what they say of themselves, over random plans and pasts. */

const AGENTS = ['sql', 'rag', 'mail', 'code'] as const
const job = fc.record({
  actor: fc.constantFrom(...AGENTS.slice(0, 3), 'composer'),
  status: fc.constantFrom('succeeded', 'succeeded', 'failed', 'skipped'),
  latencyMs: fc.nat(1_000),
  calls: fc.nat(4),
  tokens: fc.nat(100),
  costUsd: fc.nat(8).map((n) => n / 8),
})
const past = fc.array(fc.record({ jobs: fc.array(job, { maxLength: 4 }) }), { maxLength: 6 }) as fc.Arbitrary<
  Parameters<typeof estimateOf>[1]
>
const plan = fc.array(fc.record({ agent: fc.constantFrom(...AGENTS), after: fc.array(fc.nat(5)) }), {
  minLength: 1,
  maxLength: 6,
})
const tasksOf = (drawn: readonly { agent: string; after: readonly number[] }[]) =>
  drawn.map(({ agent, after }, at) => ({
    id: `t${at}`,
    agent,
    dependsOn: after.filter((one) => one < at).map((one) => `t${one}`),
  }))
type Tasks = ReturnType<typeof tasksOf>

/** All ways through a plan, each task after one that it waits for. */
function waysTo(tasks: Tasks, task: Tasks[number]): Tasks[] {
  const before = tasks.filter(({ id }) => task.dependsOn.includes(id))
  return before.length === 0 ? [[task]] : before.flatMap((one) => waysTo(tasks, one).map((way) => [...way, task]))
}

it('is the longest path through the plan, and the sum of calls and costs, each by the median of past runs', () => {
  fc.assert(
    fc.property(plan, past, (drawn, runs) => {
      const tasks = tasksOf(drawn)
      const did = (agent: string) =>
        runs.flatMap(({ jobs }) => jobs.filter(({ actor, status }) => actor === agent && status === 'succeeded'))
      /** The median: at most half of the values are less, and at most half are greater. */
      const middle = (agent: string, of: 'latencyMs' | 'calls' | 'costUsd'): number => {
        const all = did(agent).map((one) => one[of])
        const isMiddle = (value: number): boolean =>
          2 * all.filter((one) => one < value).length < all.length &&
          2 * all.filter((one) => one > value).length <= all.length
        return all.find(isMiddle) ?? 0
      }
      const known = AGENTS.filter((agent) => did(agent).length > 0 && tasks.some((task) => task.agent === agent))
      const found = estimateOf(tasks, runs)
      expect(found === undefined).toBe(known.length === 0)
      if (found === undefined) return
      const lasts = tasks.flatMap((task) =>
        waysTo(tasks, task).map((way) => way.reduce((sum, { agent }) => sum + middle(agent, 'latencyMs'), 0)),
      )
      const sum = (of: 'calls' | 'costUsd') =>
        tasks.reduce((total, { agent }) => total + middle(agent, of), middle('composer', of))
      expect(found).toMatchObject({
        ms: Math.max(...lasts) + middle('composer', 'latencyMs'),
        calls: sum('calls'),
        runs: runs.filter(({ jobs }) => known.some((agent) => did(agent).some((one) => jobs.includes(one)))).length,
      })
      expect(found.costUsd).toBeCloseTo(sum('costUsd'))
      expect([...known, ...found.unknown].toSorted()).toEqual([...new Set(tasks.map(({ agent }) => agent))].toSorted())
    }),
    { seed: 7, numRuns: 300 },
  )
})
