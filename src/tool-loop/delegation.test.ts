import { expect, test } from 'vitest'
import { engineFor, outcomeOf, request } from '../../test/support/engine-world.ts'
import { loopAgent, loopTool, ScriptedModels } from '../../test/support/tool-loops.ts'
import { createMemoryStorage } from '../storage/index.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { delegatedResult } from './delegation.ts'

test('who goes on from a result is given the rows of its other queries, too', async () => {
  const clock = new ManualClock()
  const { store } = await createMemoryStorage({ clock, onError: (error) => expect.fail(error.message) })
  const query = loopTool('query', 'read', async ({ of }) => ({
    tabular: { columns: ['value'], rows: [{ value: `${of} of Ann` }], rowCount: 1 },
    sources: [{ kind: 'database', name: 'shop', detail: of }],
  }))
  const calls = ['sales', 'address'].map((of) => ['query', { of }] as const)
  const models = new ScriptedModels([{ calls }, 'Ann sold most [s1].'])
  const engine = engineFor([loopAgent('a', [query])], { store, clock, models })
  const { jobs } = await outcomeOf(engine, clock, request(['a']))
  const { text } = delegatedResult([{ key: 'a', actor: 'a', result: jobs.get('a')!.result! }], [])!
  expect(text.match(/\w+ of Ann/g)).toEqual(['sales of Ann', 'address of Ann'])
  await engine.close()
})
