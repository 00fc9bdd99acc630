import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'
import { sqlLoop, startModelServer, type ModelServer } from '../support/model-server.ts'
import { createWebWorld, type WebWorld } from './support.ts'

/** The web app while a model writes: text comes live, and again from the log. */

const SQL = 'SELECT count(*) AS customers FROM customers'
const WORDS = ['There ', 'are ', '**92** ', 'customers', ' in ', 'the ', 'database. ']

let models: ModelServer
let world: WebWorld
beforeAll(async () => {
  const [query] = sqlLoop(SQL, '')
  models = await startModelServer([
    query!,
    { when: 'You are Tutti', reply: { text: WORDS.join(''), chunks: WORDS } },
    { reply: { status: 400 } },
  ])
  const config = modelsConfigFromEnv({ TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' })
  world = await createWebWorld({ models: config })
})
afterAll(async () => {
  await world.close()
  await models.close()
})

it('a streamed answer is shown completely, each of several times, with its model', async () => {
  const { page, context, wrong } = await world.open()
  for (let time = 0; time < 4; time++) {
    await page.goto(world.url)
    await page.getByRole('textbox').fill('How many customers are there?')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/c\//)
    await page.locator('article').getByText('Answered', { exact: true }).waitFor()
    await expect(page.locator('article .prose').textContent()).resolves.toContain('There are 92 customers')
    await expect(page.getByText('That did not work.').count()).resolves.toBe(0)
  }
  await expect(page.getByText('By rules, no model').count()).resolves.toBe(0)
  expect(wrong).toEqual([])
  await context.close()
})
