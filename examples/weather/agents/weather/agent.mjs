import { defineAgent } from 'tutti'

const ADDRESS = `${process.env.WEATHER_SERVER ?? 'https://wttr.in'}/{place}?format=j1`

export default defineAgent({
  name: 'weather',
  description: 'Says how the weather is at a place.',
  capabilities: ['current weather'],
  useCases: ['How is the weather in Lisbon?'],
  keywords: ['weather'],
  addresses: [ADDRESS], // no more than the place is told, so no more than the place is looked at
  async run(task, ctx) {
    const place = /\bin ([\p{L} -]+)/u.exec(task.text)?.[1]
    if (place === undefined) return ctx.decline('Name a place, such as "the weather in Lisbon".')
    const { status, text } = await ctx.http({ url: ADDRESS, params: { place } })
    if (status !== 200) throw new Error(`The weather server answered with ${status}.`)
    const [now] = JSON.parse(text).current_condition
    return {
      answer: `${place}: ${now.weatherDesc[0].value}, ${now.temp_C} °C.`,
      sources: [{ kind: 'web', name: ADDRESS }],
    }
  },
})
