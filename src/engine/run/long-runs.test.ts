import { describe, expect, it } from 'vitest'
import {
  agent,
  engineFor,
  givenPlanner,
  passing,
  request,
  task,
  tellingComposer,
} from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { defineRole } from '../../domain/actor.ts'
import { defineTool } from '../../domain/tool.ts'
import type { Task } from '../../domain/plan.ts'
import { outsideData } from '../../domain/provenance.ts'
import type { RunState } from '../../domain/state.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { graph } from '../../strategies/graph/next.ts'
import { pipeline } from '../../strategies/pipeline/next.ts'
import { withMemory } from '../../strategies/memory-jobs.ts'
import { z } from 'zod'

/** Counts every access to an entry of the state's maps from now on. */
function countLooks(state: RunState): { readonly looks: number } {
  const count = { looks: 0 }
  const maps = [state.jobs, state.calls, state.approvals, state.openApprovals, state.effects, state.children]
  for (const map of maps as Map<string, unknown>[]) {
    const { get, has, values, keys, entries } = Map.prototype
    const each = function* <T>(items: Iterable<T>): Generator<T> {
      for (const item of items) {
        count.looks++
        yield item
      }
    }
    const once =
      <A extends unknown[], R>(call: (...args: A) => R) =>
      (...args: A): R => {
        count.looks++
        return call.apply(map, args)
      }
    Object.assign(map, {
      get: once(get),
      has: once(has),
      values: () => each(values.call(map)),
      keys: () => each(keys.call(map)),
      entries: () => each(entries.call(map)),
      forEach: (callback: (value: unknown, key: string) => void) => {
        for (const [key, value] of each(entries.call(map)) as Iterable<[string, unknown]>) callback(value, key)
      },
      [Symbol.iterator]: () => each(entries.call(map)),
    })
  }
  return count
}

const send = defineTool({
  name: 'send',
  description: 'sends',
  effect: 'irreversible',
  input: z.object({ to: z.string() }),
  provenance: outsideData('mail'),
  run: async () => 'sent',
})

/** Accesses per task, in a run whose tasks `worker` executes. */
async function looksPerTask(strategy: 'graph' | 'pipeline', tasks: readonly Task[], sends: boolean): Promise<number> {
  const clock = new ManualClock()
  const { store } = await createMemoryStorage({ clock, onError: () => undefined })
  let count = { looks: 0 }
  const planner = defineRole({
    name: strategy === 'graph' ? 'master-planner' : 'planner',
    async run(ctx) {
      const outcome = await givenPlanner.run(ctx)
      count = countLooks(ctx.state)
      return outcome
    },
  })
  let looks = 0
  const composer = defineRole({
    name: 'composer',
    async run(ctx) {
      looks = count.looks
      return tellingComposer.run(ctx)
    },
  })
  const worker = agent('worker', async ({ id }, ctx) => {
    if (sends) await ctx.call(send, { to: id })
    return { answer: 'done' }
  })
  const engine = engineFor([worker], {
    store,
    clock,
    roles: [planner, composer],
    strategies: [withMemory(graph), withMemory(pipeline)],
    approvals: { allowsWithoutApproval: () => true },
  })
  const runId = await engine.start(request(tasks, { strategy }))
  const approving = (async () => {
    if (!sends || strategy === 'graph') return
    for (let left = tasks.length - 1; left > 0;) {
      const open = await store.approvals({ runId, status: 'pending' })
      left -= open.length
      for (const { approvalId } of open) await engine.decide(approvalId, 'approved', 'ann')
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const { status } = await passing(clock, engine.outcome(runId))
  await approving
  expect(status).toBe('finished')
  await engine.close()
  return looks / tasks.length
}

const chain = (length: number): Task[] =>
  Array.from({ length }, (_, i) => task(`t${i}`, 'worker', { dependsOn: i === 0 ? [] : [`t${i - 1}`] }))
const wide = (length: number): Task[] => Array.from({ length }, (_, i) => task(`t${i}`, 'worker'))

describe('a step of a long run', () => {
  it.each([
    ['a chain', 'graph', chain, false],
    ['tasks side by side', 'graph', wide, false],
    ['a pipeline', 'pipeline', wide, false],
    ['a pipeline in which each task sends something', 'pipeline', wide, true],
  ] as const)(
    'reads as much state as one of a short run, in %s',
    { timeout: 120_000 },
    async (_name, strategy, plan, sends) => {
      const short = await looksPerTask(strategy, plan(100), sends)
      const long = await looksPerTask(strategy, plan(sends ? 400 : 2_000), sends)
      expect(long).toBeLessThan(short * 1.05)
      expect(long).toBeLessThan(sends ? 120 : 40)
    },
  )
})
