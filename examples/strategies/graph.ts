import { createApp } from 'tutti'
import { price, stock } from './agents.ts'

// A task for each part of the question, side by side where none needs another.
const app = await createApp({ agents: [stock, price] })
const asked = { question: 'What is the stock of coffee, and what is the price of tea?', strategy: 'graph' }
const { stages } = await app.plan(asked)
console.log(stages.map((stage) => stage.map(({ agent }) => agent).join(' + ')).join(' → '))
console.log((await app.ask(asked)).answer)
await app.close()
