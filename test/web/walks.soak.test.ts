// Soak test: counts the clicks of whole walks.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { createCliWorld } from '../cli/support.ts'
import { launchBrowser } from '../support/browser.ts'
import { builtWhole } from '../support/builds.ts'
import { createReader, createTestDatabase } from '../support/postgres.ts'
import { ask, ended, openWebWorld } from './support.ts'

/** The walks of docs/first-hour.md, with clicks counted in the browser. */

/** Plain JavaScript, which has no types: it runs in pages. */
const IN_PAGE = './in-page.mjs' as string
const { tellClicks } = (await import(IN_PAGE)) as { tellClicks(): void }

const world = openWebWorld()

/** Number of user clicks on pages that are opened from now on. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('clicked', () => clicks++)
  await page.addInitScript(tellClicks)
  return () => clicks
}

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()

/** In SQL, with the date of the question. */
async function mostOverdue(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-walk-'))
  const path = join(folder, 'demo.sqlite')
  await createDemoDatabase(path)
  const database = new Database(path)
  const rows = database
    .prepare(
      `SELECT c.company_name AS name FROM invoices i JOIN orders o USING (order_id) JOIN customers c USING (customer_id)
       LEFT JOIN (SELECT invoice_id, sum(amount) AS paid FROM payments GROUP BY invoice_id) p USING (invoice_id)
       WHERE i.status <> 'paid' AND i.due_date < date('now')
       GROUP BY c.customer_id ORDER BY sum(i.total - coalesce(p.paid, 0)) DESC LIMIT 5`,
    )
    .all() as { name: string }[]
  database.close()
  await rm(folder, { recursive: true })
  return rows.map(({ name }) => name)
}

describe('the walk', () => {
  it('to the first right answer takes two clicks', async () => {
    const { page } = await world.open()
    const clicks = await countClicks(page)
    await page.goto(world.url)
    await page.getByRole('button', { name: 'Which five customers owe us the most' }).click()
    await send(page)
    await ended(page)
    await page.locator('article tbody tr').first().waitFor()
    const names = await page.locator('article tbody tr td:first-child').allTextContents()
    expect(names).toEqual(await mostOverdue())
    expect(clicks()).toBe(2)
  })

  it('from a figure to the SQL behind it takes one click, from the table and from the text', async () => {
    const { page } = await world.open()
    const clicks = await countClicks(page)
    await page.goto(world.url)
    await ask(page, 'How many customers are there?')
    await ended(page)
    const before = clicks()
    await page.getByRole('button', { name: 'SQL', exact: true }).click()
    await expect(page.locator('article pre.code').textContent()).resolves.toContain('COUNT(*)')
    expect(clicks() - before).toBe(1)
    await page.locator('article .chip').first().click()
    await expect(page.locator('aside pre.code').textContent()).resolves.toContain('COUNT(*)')
    expect(clicks() - before).toBe(2)
  })

  it('from a contract to its notice periods takes three clicks, the last one to the passage', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-walk-'))
    const contract = join(folder, 'lease.md')
    await writeFile(
      contract,
      '# Lease of the roastery\n\n## 4. Rent\n\nThe rent is 2,400 a month.\n\n## 9. End of the lease\n\nEither party may end the lease in writing. The notice period is six months to the end of a year; in the first year it is four weeks.\n',
    )
    const { page } = await world.open()
    const clicks = await countClicks(page)
    await page.goto(world.url)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add files to this question' }).click(),
    ])
    // The page itself opens the file picker.
    await chooser.setFiles(contract)
    await page.getByText('lease.md').first().waitFor()
    await page.getByRole('textbox').fill('What are the notice periods?')
    const before = clicks()
    await send(page)
    await page.locator('.cite').first().waitFor()
    await expect(page.locator('article .prose').textContent()).resolves.toContain('six months to the end of a year')
    await page.locator('.cite').first().click()
    await expect(page.locator('aside mark.passage').last().textContent()).resolves.toContain('four weeks')
    expect([before, clicks() - before]).toEqual([1, 2])
    await rm(folder, { recursive: true })
  })

  it('to the user’s own database takes four clicks on the page', async () => {
    const installed = await createCliWorld(builtWhole)
    onTestFinished(() => installed.close())
    const { url } = await installed.serve()
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    const clicks = await countClicks(page)
    await page.goto(url)
    await page.getByRole('link', { name: 'Connect your own' }).click()
    const database = page.getByRole('region', { name: 'Database' })
    await database.getByLabel('Name').fill('shop')
    await database.getByRole('textbox', { name: /^Address/ }).fill('sqlite:shop.sqlite')
    await database.getByRole('button', { name: 'Connect' }).click()
    await database.getByText('this page').waitFor()
    await page
      .getByRole('region', { name: 'Ask your first question' })
      .getByRole('link', { name: 'How many orders are there?' })
      .click()
    await send(page)
    await ended(page)
    expect(clicks()).toBe(4)
  }, 300_000)

  const postgresUrl = inject('postgresUrl')
  it.skipIf(postgresUrl === '')(
    'to a PostgreSQL database is one command and a click (needs PostgreSQL)',
    async () => {
      const owner = await createTestDatabase(postgresUrl)
      const client = new Client({ connectionString: owner })
      await client.connect()
      await client.query(`
      CREATE TABLE vehicles (vehicle_id int PRIMARY KEY, plate text NOT NULL, mileage int NOT NULL);
      INSERT INTO vehicles VALUES (1, 'AB 1', 12000), (2, 'AB 2', 99000), (3, 'AB 3', 45000)`)
      await client.end()
      const installed = await createCliWorld(builtWhole)
      // Also when the walk fails: otherwise the server would keep running.
      onTestFinished(() => installed.close())
      const { url } = await installed.serve(['--port', '0', '--db', await createReader(owner)])
      const browser = await launchBrowser()
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      const clicks = await countClicks(page)
      await page.goto(url)
      await page.getByRole('textbox').fill('Which vehicle has the highest mileage?')
      await send(page)
      await ended(page)
      await expect(page.locator('article').textContent()).resolves.toContain('99,000')
      expect(clicks()).toBe(1)
    },
    300_000,
  )
})
