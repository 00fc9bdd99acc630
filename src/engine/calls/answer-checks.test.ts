import { expect, test } from 'vitest'
import { agent, engineFor, FakeModels, outcomeOf, request, say, textTool } from '../../../test/support/engine-world.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { ManualClock } from '../../testing/manual-clock.ts'

const count = textTool('count', 'read', async () => 154.34, { reach: 'inside' })

test('text that a model wrote is not evidence, results of calls are', async () => {
  const clock = new ManualClock()
  const { store } = await createMemoryStorage({ clock, onError: (error) => expect.fail(error.message) })
  const writer = agent('writer', async (_task, ctx) => {
    await ctx.call(count, '')
    return { answer: (await ctx.ask(say, 'Write it')).value ?? 'no model' }
  })
  const models = new FakeModels(() => '154.34 and 231.52')
  const engine = engineFor([writer], { store, clock, models })
  const { answer } = await outcomeOf(engine, clock, request(['writer']))
  expect(answer?.checks?.figures.map(({ text, status }) => [text, status])).toEqual([
    ['154.34', 'found'],
    ['231.52', 'not_found'],
  ])
  await engine.close()
})
