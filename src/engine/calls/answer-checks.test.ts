import { expect, test } from 'vitest'
import { agent, FakeModels, memoryEngine, say, textTool } from '../../../test/support/engine-world.ts'

const count = textTool('count', 'read', async () => 154.34, { reach: 'inside' })

test('text that a model wrote is not evidence, results of calls are', async () => {
  const writer = agent('writer', async (_task, ctx) => {
    await ctx.call(count, '')
    return { answer: (await ctx.ask(say, 'Write it')).value ?? 'no model' }
  })
  const { run } = await memoryEngine([writer], { models: new FakeModels(() => '154.34 and 231.52') })
  const { answer } = await run(['writer'])
  expect(answer?.checks?.figures.map(({ text, status }) => [text, status])).toEqual([
    ['154.34', 'found'],
    ['231.52', 'not_found'],
  ])
})
