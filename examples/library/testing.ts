import assert from 'node:assert/strict'
import { createApp, defineAgent, pipeline } from 'tutti'
import { simulate, startModelServer } from 'tutti/testing'

// A strategy as a table: what each job brings, and which jobs follow from it. No engine, no model.
const { jobs, finish } = simulate(pipeline, 'How much rain fell?', ({ actor }) => {
  if (actor === 'planner') {
    const tasks = ['gauge', 'archive'].map((agent) => ({ id: agent, agent, dependsOn: [] }))
    return { events: [{ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: 'Both know.' }] }
  }
  return actor === 'composer' ? { events: [{ type: 'answer.composed', answer: '5 mm', by: 'fallback' }] } : {}
})
assert.deepEqual(
  jobs.map(({ key }) => key),
  ['plan:1', 'gauge', 'archive', 'compose:1'],
)
assert.equal(finish.finish, 'answered')

// A model that says what the test wants, behind the same wire format as a real one.
const models = await startModelServer([{ reply: { text: 'It was 5 mm of rain.' } }])
const provider = { kind: 'compatible', baseUrl: models.url, defaultModel: 'scripted' } as const
const gauge = defineAgent({
  name: 'gauge',
  description: 'Knows how much rain fell.',
  capabilities: ['rain'],
  useCases: ['How much rain fell?'],
  keywords: ['rain'],
  run: async () => ({ answer: '5 mm fell.' }),
})
const app = await createApp({ agents: [gauge], models: { providers: [provider] } })
const { answer, metadata } = await app.ask('How much rain fell?')
console.log(answer, metadata.answeredBy, models.requests.length > 0)
await Promise.all([app.close(), models.close()])
