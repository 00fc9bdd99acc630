import { createApp, defineAgent, defineTool } from 'tutti'
import { z } from 'zod'

const order = defineTool({
  name: 'order_coffee',
  description: 'Orders coffee.',
  effect: 'irreversible', // so that each call waits for approval of exactly this input
  input: z.object({ bags: z.number() }),
  run: async ({ bags }) => `ordered ${bags} bags`,
})

const buyer = defineAgent({
  name: 'buyer',
  description: 'Orders coffee.',
  capabilities: ['orders'],
  useCases: ['Order 3 bags of coffee'],
  keywords: ['order'],
  tools: [order],
  run: async (task, ctx) => ({ answer: await ctx.call(order, { bags: Number(/\d+/.exec(task.text)?.[0] ?? 1) }) }),
})

const app = await createApp({ agents: [buyer] })
const runId = await app.start('Order 3 bags of coffee')
for await (const event of app.runs.stream(runId)) {
  console.log(event.type)
  if (event.type !== 'approval.requested') continue
  const { bags } = event.payload as { bags: number }
  await app.runs.decide(event.approvalId, bags <= 5 ? 'approved' : 'denied', 'the purchasing department')
}
console.log((await app.response(runId)).answer)
await app.close()
