import { createApp, defineAgent, defineTool } from 'tutti'
import { z } from 'zod'

/** What a service would be asked; what a tool returns counts as untrusted unless it says otherwise. */
const roastLevel = defineTool({
  name: 'roast_level',
  description: 'Tells how a coffee should be roasted.',
  effect: 'read',
  input: z.object({ coffee: z.string() }),
  run: async ({ coffee }) => ({ coffee, level: /huila/i.test(coffee) ? 'medium' : 'light' }),
})

const roaster = defineAgent({
  name: 'roaster',
  description: 'Says how to roast a coffee.',
  capabilities: ['roast levels'],
  useCases: ['How should I roast the Huila?'],
  keywords: ['roast'],
  tools: [roastLevel],
  async run(task, ctx) {
    const { coffee, level } = await ctx.call(roastLevel, { coffee: task.text })
    return { answer: `A ${level} roast.`, data: { coffee, level } }
  },
})

const app = await createApp({ agents: [roaster] })
const { answer, agentResults } = await app.ask('How should I roast the Huila?')
console.log(answer, 'Asked:', agentResults.map(({ agent }) => agent).join(', '))
await app.close()
