import { createApp, defineTool } from 'tutti'
import { z } from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a place.',
  effect: 'read',
  input: z.object({ place: z.string() }),
  run: async ({ place }) => (/oslo/i.test(place) ? 'Snow, -4 °C.' : 'No idea.'),
})

const app = await createApp({ tools: [weather] })
console.log((await app.ask('What is the weather in Oslo?')).answer)
await app.close()
