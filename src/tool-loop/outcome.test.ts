import { beforeAll, expect, test } from 'vitest'
import type { Table } from '../domain/table.ts'
import { isSettled } from '../domain/state.ts'
import type { Strategy } from '../domain/strategy.ts'
import type { RunStore } from '../domain/store.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { engineFor, outcomeOf, passing, request, memoryStore } from '../../test/support/engine-world.ts'
import { loopAgent, loopTool, ScriptedModels, type ScriptedReply } from '../../test/support/tool-loops.ts'
import { planJob, taskJob } from '../strategies/steps.ts'

let store: RunStore
const clock = new ManualClock()
beforeAll(async () => void (store = await memoryStore(clock)))

const list = loopTool('list', 'read', async ({ of }) => ({ columns: ['of'], rows: [{ of }] }))
const one = loopTool('one', 'read', async ({ id }) => ({ id, balance: 40 }))

const lists: ScriptedReply = {
  calls: [
    ['list', { of: 'hotels' }],
    ['list', { of: 'tickets' }],
    ['one', { id: 3 }],
  ],
}

async function tableFor(text: string): Promise<Table['rows'] | undefined> {
  const models = new ScriptedModels([lists, text])
  const engine = engineFor([loopAgent('a', [list, one])], { store, clock, models })
  const { jobs } = await outcomeOf(engine, clock, request(['a']))
  return jobs.get('a')!.result!.tabular?.rows
}

test('the table is that of the result which is cited most often', async () => {
  expect(await tableFor('Hotel 54 [s1] has nine tickets [s2], four about delivery [s2].')).toEqual([{ of: 'tickets' }])
  expect(await tableFor('Hotel 54 [s1] has nine tickets [s2].')).toEqual([{ of: 'hotels' }])
})

test('an answer that cites only results without rows has no table, one without citations the last', async () => {
  expect(await tableFor('It owes 40 [s3].')).toBeUndefined()
  expect(await tableFor('It owes 40.')).toEqual([{ of: 'tickets' }])
})

test('the table may be from the attempt that was rejected', async () => {
  const twice: Strategy = {
    name: 'graph',
    next(state) {
      if (state.plan === undefined) return [planJob(1)]
      const first = taskJob(state.plan.plan.tasks[0]!, [])
      if (!isSettled(state.jobs.get(first.key))) return [first]
      const again = { ...first, key: 'again', replaces: first.key, feedback: { by: 'critic', text: 'add the tickets' } }
      return isSettled(state.jobs.get('again')) ? { finish: 'answered' } : [again]
    },
  }
  const models = new ScriptedModels([
    { calls: [['list', { of: 'hotels' }]] },
    'Twelve hotels [s1].',
    { calls: [['list', { of: 'tickets' }]] },
    'Twelve hotels [s1] with nine tickets [s2].',
  ])
  const agents = [loopAgent('a', [list])]
  const engine = engineFor(agents, { store, clock, models, strategies: [twice] })
  const state = await passing(clock, engine.outcome(await engine.start(request(['a'], { strategy: 'graph' }))))
  expect(state.jobs.get('again')!.result!.tabular?.rows).toEqual([{ of: 'hotels' }])
})
