import { resolve } from 'node:path'
import { createApp } from 'tutti'
import { startModelServer } from 'tutti/testing'

// `npm run demo` writes these books: 20 invoices, six of which are not as their contracts say.
const books = resolve(process.argv[2] ?? 'demo/brindlemoor-freight.sqlite')

const sql = `SELECT i.invoice_id, i.unit_price, i.currency FROM invoices i LEFT JOIN contracts c
  ON c.contract_id = i.contract_id AND c.currency = i.currency AND c.unit_price = i.unit_price WHERE c.contract_id IS NULL`
const team = {
  name: 'freight_check',
  purpose: 'Finds freight invoices that deviate from their contracts.',
  keywords: ['freight check'],
  agents: [
    {
      name: 'comparer',
      purpose: 'Compares invoices with contracts.',
      task: 'List invoices without a contract, or with another price or currency than it.',
      tools: ['mcp_db_query'],
      call: { tool: 'mcp_db_query', input: { database: 'freight', sql } },
    },
  ],
  checks: [{ question: 'Run the freight check', contains: ['FI-103'] }],
}

// This model is a script; a real one designs the team from the tools that are there.
const models = await startModelServer([
  {
    when: 'You choose which specialist agents',
    reply: ({ messages }) => {
      const isGoal = messages.at(-1)?.text.includes('a team that checks invoices')
      return { json: { agents: [isGoal ? 'architect' : team.name], rationale: 'It is for this.', confidence: 1 } }
    },
  },
  { when: 'You are an architect of teams', reply: { json: { team, reason: 'One query compares them.' } } },
])
const app = await createApp({
  databases: [{ url: `sqlite:${books}`, name: 'freight' }],
  models: { providers: [{ kind: 'compatible', baseUrl: models.url, defaultModel: 'scripted' }] },
})

// The team is approved as it is shown, and tried on its own check before it is used.
const about = { strategy: 'pipeline', memory: false } as const
const building = await app.start({ question: 'Build me a team that checks invoices against contracts', ...about })
for await (const event of app.runs.stream(building)) {
  if (event.type !== 'approval.requested') continue
  console.log(JSON.stringify(event.payload, null, 2))
  await app.runs.decide(event.approvalId, 'approved', 'the accounts department')
}

// From then on it is one agent among the others.
const { answer, agentResults } = await app.ask({ question: 'Run the freight check', ...about })
console.log(agentResults.map(({ agent }) => agent).join(' → '))
console.log(answer)
await Promise.all([app.close(), models.close()])
