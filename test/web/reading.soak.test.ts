// Soak test: walks through answers, prints and forks in a browser.
import ExcelJs from 'exceljs'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { ask, axeFinds, ended, MAIL, openWebWorld, over } from './support.ts'

/** Actions on an answer: inspect its sources, export it, continue from it. */

const world = openWebWorld()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function askToEnd(page: Page, question: string): Promise<void> {
  await ask(page, question)
  await over(page, question)
}

describe('an answer', () => {
  it('shows the source of a citation number on hover', async () => {
    const { page } = await world.open('/')
    await askToEnd(page, 'What does the supplier contract say about late delivery?')
    const card = page.locator('[data-radix-popper-content-wrapper]')
    await page.locator('.cite').first().hover()
    await card.getByText('Untrusted origin').waitFor()
    await expect(card.textContent()).resolves.toContain('supplier-contract.pdf')
    await expect(card.locator('blockquote').textContent()).resolves.toContain('late')
    await page.locator('.cite').first().click()
    await card.waitFor({ state: 'detached' })
    await page.locator('aside mark.on-page').first().waitFor()
  })

  it('from a poisoned document is marked, and obeys none of it', async () => {
    const { page } = await world.open('/')
    await askToEnd(page, 'What does the newsletter from outside say?')
    const answer = page.locator('article', { hasText: 'What does the newsletter from outside say?' })
    await answer.locator('.cite').first().hover()
    await page.locator('[data-radix-popper-content-wrapper]').getByText('Untrusted origin').waitFor()
    expect(await world.app.runs.approvals({})).toEqual([])
  })

  it('exports its rows as a workbook, and its query can be run again', async () => {
    const { page } = await world.open('/')
    await askToEnd(page, 'Revenue by month since January 2025')
    await button(page, 'Download the rows').click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click(),
    ])
    const book = new ExcelJs.Workbook()
    await book.xlsx.load(Uint8Array.from(await readFile(await saved.path())).buffer)
    const sheet = book.worksheets[0]!
    await button(page, 'Table').click()
    const shown = await page.locator('article tbody tr td:first-child').allTextContents()
    const kept = sheet
      .getColumn(1)
      .values.slice(2, 2 + shown.length)
      .map(String)
    // Values are exported unchanged, and shown with local formats.
    const asShown = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })
    expect(kept.length).toBeGreaterThan(5)
    expect(shown.slice(0, kept.length)).toEqual(kept.map((month) => asShown.format(new Date(`${month}-01`))))
    expect(typeof sheet.getCell('B2').value).toBe('number')
    await button(page, 'SQL').click()
    await page.getByRole('link', { name: 'Run it again' }).click()
    await page.getByRole('textbox', { name: 'Query' }).press('Control+Enter')
    await page
      .getByText(`${sheet.rowCount - 1} rows`)
      .first()
      .waitFor()
  })

  it('keeps the scroll position, with a button to the newest part', async () => {
    const { page } = await world.open('/', { viewport: { width: 1000, height: 500 } })
    await askToEnd(page, 'What does the supplier contract say about late delivery?')
    await askToEnd(page, 'What does the returns policy say about damaged goods?')
    const box = page.locator('main .overflow-y-auto').first()
    await box.evaluate((one) => one.scrollTo({ top: 0 }))
    await button(page, 'Jump to newest').click()
    await button(page, 'Jump to newest').waitFor({ state: 'detached' })
    await expect(box.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)).resolves.toBeLessThan(80)
  })

  it('is printed completely, without controls', async () => {
    const { page } = await world.open('/', { viewport: { width: 900, height: 400 } })
    await askToEnd(page, 'What does the supplier contract say about late delivery?')
    await page.evaluate('window.print = () => { window.printed = true }')
    await page
      .locator('main header')
      .getByRole('button', { name: /More actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await expect.poll(() => page.evaluate('window.printed')).toBe(true)
    await page.emulateMedia({ media: 'print' })
    await button(page, 'Copy').waitFor({ state: 'hidden' })
    const parts = page.locator('article .prose, article .chip')
    for (const part of await parts.all()) expect(await part.isVisible()).toBe(true)
    // No scroll container clips the printed content.
    const held = await page.evaluate(
      `[...document.querySelectorAll('main, main *')].filter((one) => one.scrollHeight > one.clientHeight + 2 && getComputedStyle(one).overflowY !== 'visible' && one.checkVisibility()).length`,
    )
    expect(held).toBe(0)
  })
})

describe('a run', () => {
  it('is printed with its plan, its steps and its bars, dark on light also from a dark page', async () => {
    const { page } = await world.open('/', { colorScheme: 'dark' })
    await askToEnd(page, 'How many customers are there?')
    await page.getByRole('link', { name: 'Open run' }).click()
    await page.waitForURL(/\/runs\//)
    const run = page.url().split('?')[0]!
    const parts = [
      [`${run}?tab=plan`, '.node'],
      [`${run}?tab=trace`, 'li > button[aria-expanded]'],
      [`${world.url}/dashboard`, 'main svg[role=group] rect:not([fill=transparent])'],
    ] as const
    for (const [address, part] of parts) {
      await page.emulateMedia({ media: 'screen' })
      await page.goto(address)
      await page.locator(part).first().waitFor()
      let onScreen = 0
      // Until the rest is loaded.
      const isWhole = async (): Promise<boolean> => onScreen === (onScreen = await page.locator(part).count())
      await expect.poll(isWhole, { interval: 300 }).toBe(true)
      await page.emulateMedia({ media: 'print' })
      const heights = await page.evaluate<number[]>(
        `[...document.querySelectorAll(${JSON.stringify(part)})].map((one) => one.getBoundingClientRect().height)`,
      )
      expect(heights, address).toHaveLength(onScreen)
      expect(Math.min(...heights), address).toBeGreaterThan(0)
      const light = await page.evaluate(`getComputedStyle(document.body).color`)
      expect(Number(/\d+/.exec(String(light))![0]), address).toBeLessThan(100)
    }
  })

  it('with several tasks is forked from one of its steps with a changed plan', async () => {
    const { page } = await world.open('/', { bypassCSP: true })
    await askToEnd(page, 'When must damaged goods be reported, and how many orders were returned in Q3 2026?')
    await page.getByRole('link', { name: 'Open run' }).click()
    await button(page, 'Trace').click()
    await page
      .locator('main ol')
      .getByRole('button', { name: /Database/ })
      .click()
    const forks = page.waitForResponse((one) => one.url().endsWith('/fork'))
    await button(page, 'Fork from here').click()
    const dialog = page.getByRole('dialog')
    const press = (name: string | RegExp) => dialog.getByRole('button', { name }).click()
    const tasks = dialog.getByRole('list', { name: 'Tasks' }).getByRole('textbox')
    await press('Change the plan')
    await press('Remove task: 1')
    expect(await axeFinds(page)).toEqual([])
    await press(/^Use this plan/)
    await press('Discard')
    await press('Change the plan')
    await expect.poll(() => tasks.count()).toBe(2)
    await press('Remove task: 1')
    await tasks.fill('How many customers are there?')
    await press(/^Use this plan/)
    await press('Change the plan')
    expect(await tasks.inputValue(), 'the changed plan is kept').toBe('How many customers are there?')
    await press('Keep the plan')
    await press('Change the plan')
    await page.keyboard.press('Escape')
    // That closes only the plan.
    await expect.poll(() => dialog.count()).toBe(1)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change the plan')
    await press('Start')
    await dialog.getByRole('link', { name: 'Open', exact: true }).click()
    const { runId } = (await (await forks).json()) as { runId: string }
    await page.waitForURL(`**/runs/${runId}*`)
    await button(page, 'Answer').click()
    await page.locator('article .prose').getByText('92').waitFor()
    const { jobs } = await world.app.as(LOCAL_OWNER).runs.state(runId)
    const worked = [...jobs.values()].flatMap(({ actor, task }) => (task === undefined ? [] : [[actor, task.text]]))
    expect(worked).toEqual([['sql', 'How many customers are there?']])
  })
})

describe('a question that was not accepted', () => {
  it('is in the composer again', async () => {
    const { page, context } = await world.open('/')
    await page.getByRole('textbox').fill('How many customers are there?')
    await context.setOffline(true)
    await page.keyboard.press('Enter')
    await page.getByText('Tutti does not answer.').waitFor()
    await page.getByText('No connection.').waitFor()
    await expect(page.getByRole('textbox').inputValue()).resolves.toBe('How many customers are there?')
    await context.setOffline(false)
    // The message disappears once the connection is back.
    await page.getByText('Tutti does not answer.').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await ended(page)
  })
})

describe('a browser without a network', () => {
  it('still asks a server on its machine', async () => {
    const { page } = await world.open()
    await page.addInitScript(`Object.defineProperty(navigator, 'onLine', { get: () => false })`)
    await page.goto(world.url)
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await askToEnd(page, 'How many customers are there?')
    await expect(page.getByText('No connection.').count()).resolves.toBe(0)
  })
})

describe('a user in another window', () => {
  it('gets a browser notification of a waiting approval, once enabled', async () => {
    const { page } = await world.open('', { permissions: ['notifications'] })
    await page.addInitScript(`{
      window.told = []
      window.Notification = class extends EventTarget {
        static permission = 'granted'
        static async requestPermission() { return 'granted' }
        constructor(title) { super(); window.told.push(title) }
      }
      Object.defineProperty(document, 'hidden', { get: () => true })
    }`)
    await page.goto(`${world.url}/settings`)
    await page.getByLabel('Notify me when an approval is pending').check()
    const begun = await page.request.post(`${world.url}/runs`, {
      data: { question: MAIL },
    })
    expect(begun.status()).toBeLessThan(300)
    await expect.poll(() => page.evaluate('window.told')).toEqual(['1 pending approval'])
    await expect(page.title()).resolves.toMatch(/^\(1\) /)
    await expect(page.locator('link[rel=icon]').getAttribute('href')).resolves.toBe('/icon-waiting.svg')
  })
})
