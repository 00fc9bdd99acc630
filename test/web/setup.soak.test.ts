// Soak test: restarts servers while they are set up.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../../src/testing/model-server.ts'
import { createCliWorld, type CliWorld, type Running } from '../cli/support.ts'
import { launchBrowser, type Windows } from '../support/browser.ts'
import { builtWhole } from '../support/builds.ts'
import { axeFinds } from './support.ts'

/** The page /setup, from an empty installation to a correct answer over the user's own database. */

const KEY = 'sk-set-up-in-the-browser-77'

let world: CliWorld
let models: ModelServer
let server: Running
let browser: Windows
let url: string
beforeAll(async () => {
  models = await startModelServer([{ reply: { text: 'ok' } }])
  world = await createCliWorld(builtWhole)
  server = world.start(['serve', '--port', '0'])
  url = /at (http:\/\/127\.0\.0\.1:\d+)/.exec(await server.saidOut(/at (http:\/\/127\.0\.0\.1:\d+)/))![1]!
  browser = await launchBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  server?.child.kill()
  await server?.done
  await world?.close()
  await models?.close()
})

it('connects a model and a database, tests each, and ends with a correct answer', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(url)
  await page.getByRole('link', { name: 'Connect a model' }).click()
  await page.getByText('2 of 4 ready').or(page.getByText('3 of 4 ready')).waitFor()

  const model = page.getByRole('region', { name: 'Model' })
  await model.getByRole('textbox', { name: /^Address/ }).fill('http://127.0.0.1:9/v1')
  // Automatically, after typing stops.
  await model.getByText('Failed').waitFor()
  await model.getByRole('textbox', { name: /^Address/ }).fill(models.url)
  await model.getByRole('textbox', { name: /^Model/ }).fill('small')
  await model.getByText('Works').waitFor()
  const asked = models.requests.length
  await model.getByLabel('Key').fill(KEY.slice(0, 5))
  await page.waitForTimeout(1_500)
  expect(models.requests).toHaveLength(asked)
  await model.getByLabel('Key').fill(KEY)
  await model.getByRole('textbox', { name: /^Address/ }).focus()
  await model.getByText('Works').waitFor()
  // One request of the check, and three of the probe.
  const keys = models.requests.slice(asked).map(({ headers }) => headers['authorization'])
  expect(keys).toEqual(Array.from({ length: 4 }, () => `Bearer ${KEY}`))
  expect(await axeFinds(page)).toEqual([])
  await model.getByRole('button', { name: 'Connect' }).click()
  await model.getByText('this page').waitFor()
  expect(await model.getByLabel('Key').inputValue()).toBe('')

  const database = page.getByRole('region', { name: 'Database' })
  await database.getByLabel('Name').fill('shop')
  await database.getByRole('textbox', { name: /^Address/ }).fill('sqlite:nowhere.sqlite')
  await database.getByRole('button', { name: 'Connect' }).click()
  await database.getByText('Nothing was kept.').waitFor()
  await database.getByRole('textbox', { name: /^Address/ }).fill('sqlite:shop.sqlite')
  await database.getByRole('button', { name: 'Connect' }).click()
  await database.getByText('this page').waitFor()
  expect(await database.getByText('demo', { exact: true }).count()).toBe(0)

  await page
    .getByRole('region', { name: 'Ask your first question' })
    .getByRole('link', { name: 'How many orders are there?' })
    .click()
  await page.getByText('By rules, no model').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.locator('article').getByText('Answered', { exact: true }).waitFor()
  const shop = new Database(join(world.folder, 'shop.sqlite'))
  const { n } = shop.prepare('SELECT count(*) AS n FROM orders').get() as { n: number }
  shop.close()
  expect(await page.locator('article').textContent()).toMatch(new RegExp(`\\b${n}\\b`))
  expect(await page.content()).not.toContain(KEY)

  expect(errors).toEqual([])
  await context.close()
}, 240_000)

it('suggests the next step when there is no source', async () => {
  const own = await createCliWorld(builtWhole)
  await writeFile(join(own.folder, 'bare.sqlite'), '')
  await writeFile(join(own.folder, 'tutti.config.yaml'), 'databases:\n  - { name: bare, url: sqlite:bare.sqlite }\n')
  const env = { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:small' }
  const served = own.start(['serve', '--port', '0'], { env })
  const context = await browser.newContext({ bypassCSP: true })
  try {
    const said = await served.saidOut(/at (http:\/\/127\.0\.0\.1:\d+)/)
    const page = await context.newPage()
    await page.goto(`${/at (http:\/\/127\.0\.0\.1:\d+)/.exec(said)![1]!}/setup`)
    await page.getByRole('region', { name: 'Database' }).getByText('It has no table that may be read').waitFor()
    await page.getByText('1 of 4 ready').waitFor()
    await page.getByRole('region', { name: 'Database' }).getByText('Failed').waitFor()
    await page.getByRole('region', { name: 'Model' }).getByText('Connected').waitFor()
    const ask = page.getByRole('region', { name: 'Ask your first question' })
    await ask.getByText('Connect a database with tables').waitFor()
    expect(await axeFinds(page)).toEqual([])
    await ask.getByRole('link', { name: 'Ask your own question' }).click()
    await page.getByRole('textbox').first().waitFor()
  } finally {
    await context.close()
    served.child.kill()
    await served.done
    await own.close()
  }
}, 240_000)
