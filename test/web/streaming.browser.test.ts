import { expect, it } from 'vitest'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'
import { sqlLoop, startModelServer } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { answerOf, ask, createWebWorld, ended } from './support.ts'

/** The web app while a model writes: text comes live, and again from the log. */

const SQL = 'SELECT count(*) AS customers FROM customers'
const WORDS = ['There ', 'are ', '**92** ', 'customers', ' in ', 'the ', 'database. ']

const [query] = sqlLoop(SQL, '')
const models = openForAll(() =>
  startModelServer([
    query!,
    { when: 'You are Tutti', reply: { text: WORDS.join(''), chunks: WORDS } },
    { reply: { status: 400 } },
  ]),
)
const world = openForAll(() =>
  createWebWorld({ models: modelsConfigFromEnv({ TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }) }),
)

it('a streamed answer is shown completely, each of several times, with its model', async () => {
  const { page } = await world.open()
  for (let time = 0; time < 4; time++) {
    await page.goto(world.url)
    await ask(page, 'How many customers are there?')
    await ended(page)
    await expect(answerOf(page)).resolves.toContain('There are 92 customers')
    await expect(page.getByText('That did not work.').count()).resolves.toBe(0)
  }
  await expect(page.getByText('By rules, no model').count()).resolves.toBe(0)
})
