// Soak test: asks 24 questions in two languages.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { createDemo, NOTHING_TO_REMEMBER, TODAY, type Demo } from '../e2e/support.ts'
import { startModelServer, toolCall, type ModelServer } from '../support/model-server.ts'

/** With a model, no code depends on the words of a question, so its language makes no difference. */

let demo: Demo
let server: ModelServer
let app: App
beforeAll(async () => {
  demo = await createDemo()
  server = await startModelServer()
  app = await demo.open({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    inMemory: true,
    databases: [{ url: `sqlite:${demo.database}` }],
  })
})
afterAll(async () => {
  await app.close()
  await server.close()
  await demo.remove()
})

/** Asks a model whose replies depend only on the number of the turn. */
async function courseOf(question: string) {
  server.script([
    NOTHING_TO_REMEMBER,
    { times: 1, reply: toolCall('query', { sql: 'SELECT count(*) AS n FROM orders' }) },
    { times: 1, reply: { text: '954 [s1]' } },
  ])
  const before = server.requests.length
  const { answer, status, metadata, agentResults, data, notices, citations } = await app.ask({
    question,
    memory: false,
    context: { current_date: TODAY },
  })
  const agents = agentResults.map(({ agent, status: ended }) => [agent, ended])
  const calls = server.requests.slice(before).map(({ messages }) => messages.map(({ role }) => role))
  return {
    answer,
    status,
    strategy: metadata.strategy,
    agents,
    calls,
    rows: data?.rows,
    notices,
    cited: citations.length,
  }
}

it.each([
  ['How many orders are there?', 'Kuinka monta tilausta on?'],
  ['How many customers do we have?', 'Kuinka monta asiakasta meillä on?'],
  ['Which five products brought in the most money in 2025?', 'Mitkä viisi tuotetta toivat eniten rahaa vuonna 2025?'],
  ['What is our revenue by country?', 'Mikä on liikevaihtomme maittain?'],
  ['How many orders are not yet shipped?', 'Kuinka monta tilausta ei ole vielä lähetetty?'],
  ['What is the median invoice total?', 'Mikä on laskujen loppusumman mediaani?'],
  ['Who reports to the Head of Sales?', 'Kuka raportoi myyntijohtajalle?'],
  ['Which customers ordered more than 25 times?', 'Ketkä asiakkaat tilasivat yli 25 kertaa?'],
  ['Average satisfaction of tickets by priority', 'Tikettien keskimääräinen tyytyväisyys prioriteetin mukaan'],
  ['How many tickets are still open?', 'Kuinka monta tikettiä on vielä auki?'],
  ['Why do customers send goods back?', 'Miksi asiakkaat palauttavat tavaroita?'],
  ['Compare 2024 and 2025', 'Vertaa vuosia 2024 ja 2025'],
  ['Draw revenue per month as a chart', 'Piirrä kuukausittainen liikevaihto kaaviona'],
  ['What did we sell last week, and to whom?', 'Mitä myimme viime viikolla ja kenelle?'],
  ['Which supplier delivers the most products?', 'Mikä toimittaja toimittaa eniten tuotteita?'],
  ['What share of orders came late?', 'Kuinka suuri osa tilauksista myöhästyi?'],
  ['List the unpaid invoices', 'Luettele maksamattomat laskut'],
  ['How much would 5 % more orders be?', 'Kuinka paljon 5 % enemmän tilauksia olisi?'],
  ['Which coffees are below their reorder level?', 'Mitkä kahvit ovat alle tilausrajan?'],
  ['Is business going well?', 'Meneekö liiketoiminta hyvin?'],
  ['How many units were returned in 2025?', 'Kuinka monta kappaletta palautettiin vuonna 2025?'],
  ['What was the second largest invoice?', 'Mikä oli toiseksi suurin lasku?'],
  ['Orders per employee on average', 'Tilauksia työntekijää kohden keskimäärin'],
  ['Delete all orders of 2019', 'Poista kaikki vuoden 2019 tilaukset'],
])('“%s” and “%s” lead to the same steps', async (english, finnish) => {
  const course = await courseOf(english)
  expect(course).toMatchObject({
    answer: '954 [1]',
    status: 'answered',
    strategy: 'direct',
    rows: [{ n: 954 }],
    cited: 1,
  })
  expect(course.calls.at(-1)).toContain('tool')
  expect(await courseOf(finnish)).toEqual(course)
})
