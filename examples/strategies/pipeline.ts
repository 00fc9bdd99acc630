import { createApp } from 'tutti'
import { price, stock } from './agents.ts'

// One agent after the other; each sees what those before it found.
const app = await createApp({ agents: [stock, price] })
const question = 'What is the stock of coffee?'
const { answer, agentResults } = await app.ask({ question, strategy: 'pipeline', preferAgents: ['stock', 'price'] })
console.log(answer)
console.log(agentResults.map(({ agent }) => agent).join(' → '))
await app.close()
