import { createApp } from 'tutti'
import { stock } from './agents.ts'

// A critic behind every step. Without a model the critics are programs, as everybody else is.
const app = await createApp({ agents: [stock] })
const runId = await app.start({ question: 'What is the stock of coffee?', strategy: 'review', memory: false })
const { jobs } = await app.runs.outcome(runId)
console.log([...jobs.keys()].join(' → '))
console.log((await app.response(runId)).answer)
await app.close()
