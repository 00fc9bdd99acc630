import { createApp } from 'tutti'
import { startModelServer } from 'tutti/testing'
import { knows, stock } from './agents.ts'

// Looks at what was found before it decides what is next. This model is a script; a real one is set up in its place.
const step = (id: string, task: string) => ({ id, agent: id, task, depends_on: [] })
const look = step('stock', 'Look how much coffee there is.')
const order = step('supplier', 'Ask when coffee can be delivered.')
const models = await startModelServer([
  {
    when: 'You are the supervisor',
    reply: ({ text }) => {
      const isLow = text.includes('Only 3 bags')
      const chosen = isLow ? order : look
      const thought = isLow ? 'It is low, so the supplier is asked.' : 'First the stock.'
      const isDone = text.includes('On Monday.')
      const selected = isDone ? [] : [{ agent: chosen.agent, task: chosen.id }]
      return { json: { thought_process: thought, plan: isLow ? [look, order] : [look], selected_agents: selected } }
    },
  },
  { reply: { text: 'Only 3 bags of coffee are left; more can come on Monday.' } },
])
const app = await createApp({
  agents: [stock, knows('supplier', 'delivery of coffee', () => 'On Monday.')],
  models: { providers: [{ kind: 'compatible', baseUrl: models.url, defaultModel: 'scripted' }] },
})
const question = 'Look at the stock of coffee. If it is low, ask when more can be delivered.'
const { answer, agentResults } = await app.ask({ question, strategy: 'supervisor', memory: false })
console.log(agentResults.map(({ agent }) => agent).join(' → '))
console.log(answer)
await Promise.all([app.close(), models.close()])
