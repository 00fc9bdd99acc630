import { resolve } from 'node:path'
import { createApp } from 'tutti'

// `npm run demo` writes these books: 20 invoices, six of which are not as their contracts say.
const books = resolve(process.argv[2] ?? 'demo/brindlemoor-freight.sqlite')
const app = await createApp({ databases: [{ url: `sqlite:${books}` }] })

// Designed from the tools that are there, approved as it is shown, and tried on its own check before it is used.
const building = await app.start('Build me a team that checks invoices against contracts and writes a report')
for await (const event of app.runs.stream(building)) {
  if (event.type !== 'approval.requested') continue
  const { diagram } = event.payload as { diagram: readonly string[] }
  console.log(diagram.join('\n'))
  await app.runs.decide(event.approvalId, 'approved', 'the accounts department')
}

// From then on it is one agent among the others.
const { answer, agentResults } = await app.ask('Check the invoices against the contracts and write a report')
console.log(agentResults.map(({ agent }) => agent).join(' → '))
console.log(answer)
await app.close()
