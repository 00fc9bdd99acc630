import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { createDemo, NOTHING_TO_REMEMBER, TODAY } from '../e2e/support.ts'
import { startModelServer, toolCall } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'

/** With a model, no code depends on the words of a question, so its language makes no difference. */

const demo = openForAll(createDemo)
const server = openForAll(() => startModelServer())
let app: App
beforeAll(async () => {
  app = await demo.open({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    inMemory: true,
    databases: [{ url: `sqlite:${demo.database}` }],
  })
})
afterAll(() => app.close())

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
  ['Which five products brought in the most money in 2025?', 'Mitkä viisi tuotetta toivat eniten rahaa vuonna 2025?'],
  ['Draw revenue per month as a chart', 'Piirrä kuukausittainen liikevaihto kaaviona'],
  ['Is business going well?', 'Meneekö liiketoiminta hyvin?'],
  ['What was the second largest invoice?', 'Mikä oli toiseksi suurin lasku?'],
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
