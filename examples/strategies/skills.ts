import { createApp, defineTool, ownData, toolAgent } from 'tutti'
import { startModelServer } from 'tutti/testing'
import { z } from 'zod'

// What was approved by a second look is an example for the next task. This model is a script, as in supervisor.ts.
const models = await startModelServer([
  { when: 'You are the reflector.', reply: { json: { status: 'APPROVED', feedback: '', refined_output: null } } },
  {
    when: 'You keep the store.',
    reply: ({ text, messages }) => {
      if (messages.at(-1)?.role === 'tool') return { text: 'There are 4 sacks of beans.' }
      console.log(text.includes('<examples>') ? 'asked with an example' : 'asked without examples')
      return { toolCalls: [{ name: 'count_sacks', arguments: { item: 'beans' } }] }
    },
  },
  { reply: { text: 'There are 4 sacks of beans.' } },
])
const count = defineTool({
  name: 'count_sacks',
  description: 'Counts the sacks of an item.',
  input: z.object({ item: z.string() }),
  effect: 'read',
  reach: 'inside',
  provenance: ownData('store'),
  run: async ({ item }) => ({ item, sacks: 4 }),
})
const about = { name: 'storekeeper', description: 'Counts what is in stock.', instructions: 'You keep the store.' }
const app = await createApp({
  agents: [toolAgent({ ...about, keywords: ['sacks'], tools: [count] })],
  config: { defaults: { strategy: 'pipeline' }, workers: { reflection: 'model', skills: true } },
  models: { providers: [{ kind: 'compatible', baseUrl: models.url, defaultModel: 'scripted' }] },
})
for (const shelf of [1, 2, 3, 4]) await app.ask(`How many sacks of beans are on shelf ${shelf}?`)
for (const { steps } of await app.skills.list('local')) console.log(steps.map(({ tool }) => tool).join(', '))
await Promise.all([app.close(), models.close()])
