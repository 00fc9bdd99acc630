import { defineAgent, defineTool } from 'tutti'
import { z } from 'zod'

const SERVER = process.env.WEATHER_SERVER ?? 'https://wttr.in'

const readWeather = defineTool({
  name: 'read_weather',
  description: 'Returns the current weather at a place.',
  effect: 'read',
  reach: ({ place }) => ({ to: new URL(SERVER).host, parts: place }), // only the place is sent
  input: z.object({ place: z.string() }),
  async run({ place }, { signal }) {
    const response = await fetch(`${SERVER}/${encodeURIComponent(place)}?format=j1`, { signal })
    if (!response.ok) throw new Error(`The weather server answered with ${response.status}.`)
    return (await response.json()).current_condition[0]
  },
})

export default defineAgent({
  name: 'weather',
  description: 'Says how the weather is at a place.',
  capabilities: ['current weather'],
  useCases: ['How is the weather in Lisbon?'],
  keywords: ['weather'],
  tools: [readWeather],
  async run(task, ctx) {
    const place = /\bin ([\p{L} -]+)/u.exec(task.text)?.[1]
    if (place === undefined) return ctx.decline('Name a place, such as "the weather in Lisbon".')
    const now = await ctx.call(readWeather, { place })
    const answer = `${place}: ${now.weatherDesc[0].value}, ${now.temp_C} °C.`
    return { answer, sources: [{ kind: 'web', name: SERVER }] }
  },
})
