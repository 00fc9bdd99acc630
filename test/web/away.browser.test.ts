import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import { openWebWorld } from './support.ts'

/**
 * Every page with a fixed path (one in eight in the short run) while the server is down: opened, reloaded, and after
 * the restart.
 */

const APP = join(import.meta.dirname, '../../src/web/app')
const ALL = ['pages.ts', 'palette.tsx'].flatMap((file) =>
  [...readFileSync(join(APP, file), 'utf8').matchAll(/\['(\/[^']*)', /g)].map(([, path]) => path!),
)
const PAGES = sample(ALL, 8)

/** Timeout for a busy machine. */
const LONG = { timeout: 30_000 }

const world = openWebWorld()
beforeAll(async () => {
  await world.app.runs.outcome(await world.app.start('How many customers are there?'))
})

/** The text of the page without digits, because some are times. */
const textOf = (page: Page): Promise<string> =>
  page.locator('main').evaluate((main) => (main as { innerText: string }).innerText.replaceAll(/\d+/g, '0'))

/** The text of each page when it is fully loaded. */
async function textsOfAll(page: Page): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const path of PAGES) {
    await page.goto(world.url + path, { waitUntil: 'networkidle' })
    await page.locator('main h1').waitFor()
    await expect.poll(() => page.locator('.skeleton').count(), LONG).toBe(0)
    texts.set(path, await textOf(page))
  }
  await page.close()
  return texts
}

it('report a lost connection once, keep their content, and recover automatically', async () => {
  expect(ALL.length).toBeGreaterThan(20)
  const { page, context } = await world.open()
  const whole = await textsOfAll(await context.newPage())
  // Waits between two attempts are shortened.
  await page.addInitScript(`{
    const { setTimeout, setInterval } = globalThis
    const soon = (wait) => (run, ms) => wait(run, [1000, 2000, 4000].includes(ms) ? 200 : ms)
    Object.assign(globalThis, { setTimeout: soon(setTimeout), setInterval: soon(setInterval) })
    globalThis.most = 0
    const look = () => { globalThis.most = Math.max(globalThis.most, document.querySelectorAll('[role=alert], .banner.tone-bad').length) }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
  }`)
  /** Time of the last failed request, except the polling of approvals. */
  let failedAt = 0
  page.on('requestfailed', (request) => {
    if (!request.url().endsWith('/approvals?status=pending')) failedAt = Date.now()
  })
  /** Waits until all requests have failed, and expects one message about it. */
  const isSaidOnce = async (path: string): Promise<void> => {
    await page.getByText('No connection.').waitFor()
    await expect.poll(() => Date.now() - failedAt > 500, LONG).toBe(true)
    const said = await page.locator('[role=alert], .banner.tone-bad').allTextContents()
    expect.soft(said, path).toEqual([expect.stringContaining('No connection.')])
    expect.soft(await page.evaluate('globalThis.most'), path).toBe(1)
    await page.evaluate('globalThis.most = 1')
  }
  await page.goto(world.url)
  await page.getByRole('textbox').waitFor()
  let before = '/'
  for (const path of PAGES) {
    await expect.poll(() => textOf(page), { message: before, ...LONG }).toBe(whole.get(before))
    await world.restart(async () => {
      // Simulates a user who returns to the window after a while.
      await page.evaluate(`{
        const now = Date.now
        Date.now = () => now() + 10_000
        dispatchEvent(new Event('visibilitychange'))
      }`)
      await isSaidOnce(before)
      const bar = await page.locator('main > [role=alert]').evaluate((one) => (one as { innerText: string }).innerText)
      expect.soft((await textOf(page)).replace(bar, '').trim(), before).toBe(whole.get(before)!.trim())
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
      await page.locator('main h1').waitFor()
      await isSaidOnce(path)
    })
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    await expect.poll(() => textOf(page), { message: path, ...LONG }).toBe(whole.get(path))
    await expect.poll(() => page.getByRole('alert').count(), LONG).toBe(0)
    before = path
  }
}, 240_000)
