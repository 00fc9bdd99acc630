import { get, type IncomingMessage } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_SUGGESTIONS } from '../../src/cli/commands/served-demo.ts'
import type { ApprovalRecord } from '../../src/domain/store.ts'
import { axeFinds, createWebWorld, type WebWorld } from './support.ts'

/** The web app in a real browser, with the real server, the demo business and no model. */

let world: WebWorld
beforeAll(async () => {
  world = await createWebWorld()
})
afterAll(() => world.close())

const TWO_PARTS = 'When must damaged goods be reported, and how many orders were returned in Q3 2026?'
const MAIL = 'Send a mail to support@brindlemoor-coffee.example with the number of open orders'

async function ask(page: Page, question: string): Promise<void> {
  await page.goto(world.url)
  const box = page.getByRole('textbox')
  await box.fill(question)
  await box.press('Enter')
  await page.waitForURL(/\/c\//)
}

const answered = (page: Page) => page.locator('article').getByText('Answered', { exact: true }).waitFor()
/** Without a model, documents give passages, which do not count as an answer. */
const partlyAnswered = (page: Page) => page.locator('article').getByText('Partly answered', { exact: true }).waitFor()

describe('a question', () => {
  it('is answered with its work, figures and sources, and a citation opens its passage', async () => {
    const { page, context, wrong } = await world.open()
    await ask(page, TWO_PARTS)
    await partlyAnswered(page)
    await expect(page.locator('article .prose').textContent()).resolves.toContain('within 7 days of delivery')
    await page.locator('.cite').first().click()
    await page.locator('aside mark.on-page').first().waitFor()
    await page.getByRole('button', { name: 'Show as text' }).click()
    const marked = page.locator('aside mark.passage').last()
    await expect(marked.textContent()).resolves.toContain('Goods that arrive damaged must be reported')
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    const nodes = page.locator('aside .node')
    await expect(nodes.evaluateAll((all) => all.map((node) => node.getAttribute('data-state')))).resolves.toEqual([
      'done',
      'done',
      'done',
      'done',
    ])
    expect(wrong).toEqual([])
    await context.close()
  })

  it('can be rated, with a correction, and keeps the rating after a reload', async () => {
    const { page, context, wrong } = await world.open()
    await ask(page, 'How many customers are there?')
    await answered(page)
    const judged = page.getByRole('group', { name: 'Was this right?' })
    await judged.getByRole('button', { name: 'Wrong' }).click()
    await page.getByLabel('What is the right answer?').fill('One less.')
    await page.getByRole('button', { name: 'Send feedback' }).click()
    await page.getByLabel('What is the right answer?').waitFor({ state: 'detached' })
    await page.reload()
    await judged.locator('[aria-pressed=true]').waitFor()
    await judged.getByRole('button', { name: 'Wrong' }).click()
    await expect(page.getByLabel('What is the right answer?').inputValue()).resolves.toBe('One less.')
    await judged.getByRole('button', { name: 'Right' }).click()
    await page.getByLabel('What is the right answer?').waitFor({ state: 'detached' })
    expect(wrong).toEqual([])
    await context.close()
  })

  it('that was suggested is cleared from the composer after sending, and is the title of the window', async () => {
    const { page, context } = await world.open()
    await page.goto(world.url)
    const { question } = DEMO_SUGGESTIONS[0]!
    await page.getByRole('button', { name: question }).click()
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe(question)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/c\//)
    await expect.poll(() => page.title()).toMatch(/ · Tutti$/)
    expect((await page.title()).endsWith(`${question} · Tutti`)).toBe(true)
    await expect(page.getByRole('textbox').inputValue()).resolves.toBe('')
    await context.close()
  })

  it('that cannot be answered is not shown as a success, and suggests questions to click', async () => {
    const { page, context } = await world.open()
    await ask(page, 'Delete all orders of 2024')
    await page.locator('article').getByText('Not answered', { exact: true }).waitFor()
    await expect(page.locator('article .prose').textContent()).resolves.toContain('Tutti only reads databases')
    const offered = page.locator('article .prose button', { hasText: '?' }).first()
    const question = await offered.textContent()
    await offered.click()
    await expect(page.getByRole('textbox').inputValue()).resolves.toBe(question)
    await context.close()
  })

  it('is typed on a phone without the tab bar, which takes room from the keyboard', async () => {
    const { page, context } = await world.open({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await page.goto(world.url)
    const tabs = page.getByRole('navigation', { name: 'Tutti' })
    await tabs.waitFor()
    await page.getByRole('textbox').focus()
    await expect.poll(() => tabs.count()).toBe(0)
    await page.getByRole('textbox').blur()
    await tabs.waitFor()
    await context.close()
  })

  it('can be asked without a pointer', async () => {
    const { page, context } = await world.open()
    await page.goto(world.url)
    await page.getByRole('textbox').waitFor()
    for (let tabs = 0; tabs < 40; tabs++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate('document.activeElement.tagName === "TEXTAREA"')) break
    }
    await page.keyboard.type('How many customers are there?')
    await page.keyboard.press('Enter')
    await answered(page)
    await expect(page.locator('article .prose').textContent()).resolves.toMatch(/\d/)
    await context.close()
  })
})

describe('a mail that waits for a person', () => {
  it('is still there after a reload, in another tab and after the server was away; then it is sent once', async () => {
    const { page, context, wrong } = await world.open()
    await ask(page, MAIL)
    await page.getByRole('button', { name: 'Review' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Review' }).waitFor()
    const other = await context.newPage()
    await other.goto(`${world.url}/approvals`)
    await other.getByRole('button', { name: 'Review' }).waitFor()

    // A run that continues is not shown as failed: only the page banner reports the lost connection.
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    await world.restart()
    await page.getByRole('alert').getByText('No connection.').waitFor()
    await expect(page.locator('article [role=alert]').count()).resolves.toBe(0)
    await page.unroute('**/*')
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.textContent()).resolves.toContain('support@brindlemoor-coffee.example')
    await dialog.getByRole('button', { name: 'Approve as it is' }).click()
    await answered(page)
    await expect(page.locator('article .prose').textContent()).resolves.toContain('Sent to')
    await other.getByText('No pending approvals.').waitFor()
    expect(wrong).toEqual([])
    await context.close()
  })

  it('is edited, and sent as it was edited', async () => {
    const { page, context, wrong } = await world.open()
    await ask(page, MAIL)
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = dialog.getByRole('textbox', { name: 'Input as JSON' })
    const payload = JSON.parse(await editor.inputValue()) as Record<string, unknown>
    await editor.fill('{')
    await dialog.getByText('This is not valid JSON.').waitFor()
    await editor.fill(JSON.stringify({ ...payload, subject: 'Edited by hand' }))
    const [on, approve] = ['Scroll down to approve', 'Approve edited'].map((name) =>
      dialog.getByRole('button', { name }),
    )
    for (let tries = 0; tries < 20 && (await on!.isVisible()); tries++) await on!.click()
    await approve!.click()
    await answered(page)
    const [{ editedPayload }] = (await world.app.runs.approvals({ status: 'approved' })).slice(-1) as [ApprovalRecord]
    expect(editedPayload).toMatchObject({ subject: 'Edited by hand' })
    await expect(page.locator('article .prose').textContent()).resolves.toContain('Sent to')
    expect(wrong).toEqual([])
    await context.close()
  })

  it('is not decided by Escape', async () => {
    const { page, context } = await world.open()
    await ask(page, MAIL)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click()
    await page
      .locator('article')
      .getByText(/denied/i)
      .first()
      .waitFor()
    await expect(page.locator('article').textContent()).resolves.not.toContain('Sent to')
    await context.close()
  })
})

it.each(['dark', 'light'] as const)('an answer with an open citation is accessible, %s', async (colorScheme) => {
  const { page, context } = await world.open({ colorScheme, bypassCSP: true })
  await ask(page, TWO_PARTS)
  await partlyAnswered(page)
  await page.locator('.cite').first().click()
  await page.getByRole('complementary').locator('mark').first().waitFor()
  expect(await axeFinds(page)).toEqual([])
  await context.close()
})

describe('responses to a browser', () => {
  it('are the page for a browser, and the data for a program', async () => {
    const asked = { method: 'GET', headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } }
    const opened = await new Promise<IncomingMessage>((resolve) => get(`${world.url}/runs`, asked, resolve))
    opened.resume()
    expect(opened.headers['content-type']).toContain('text/html')
    const rules = opened.headers['content-security-policy']!
    expect(rules).toContain("default-src 'none'")
    expect(rules).not.toContain('unsafe')
    const listed = await fetch(`${world.url}/runs`, { headers: { accept: '*/*' } })
    expect(listed.headers.get('content-type')).toContain('application/json')
  })

  it('loads the code of a page automatically once the network is back', async () => {
    const { page, context } = await world.open()
    await page.goto(world.url)
    await page.getByRole('textbox').waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    // The page has its title and navigation, and one message about the connection at the bottom.
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await page.getByRole('alert').getByText('No connection.').waitFor()
    await expect(page.getByRole('alert').count()).resolves.toBe(1)
    const said = await page.getByRole('alert').boundingBox()
    expect(said!.y + said!.height).toBe(page.viewportSize()!.height)
    await page.getByRole('link', { name: 'Approvals' }).first().waitFor()
    await context.setOffline(false)
    await page.getByText(/click a figure to see its runs/i).waitFor()
    await expect(page.getByRole('alert').count()).resolves.toBe(0)
    await context.close()
  })

  it('are at most 300 KB for the first page, and the code of others is loaded on demand', async () => {
    const { page, context } = await world.open()
    const sizes = new Map<string, number>()
    page.on('response', (response) => sizes.set(response.url(), Number(response.headers()['content-length'] ?? 0)))
    await page.goto(world.url)
    await page.getByRole('textbox').waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes, JSON.stringify([...sizes])).toBeLessThan(300_000)
    // Icons are bundled.
    expect([...sizes.keys()].filter((url) => url.endsWith('.js')).length).toBeLessThan(20)
    // The code of other pages is loaded when they are opened.
    const pages = (): string[] => [...sizes.keys()].filter((url) => /-page-[^/]+\.js$/.test(url))
    expect(pages()).toEqual([])
    await page.getByRole('link', { name: 'Evaluations' }).click()
    await page.getByRole('heading', { name: 'Evaluations', exact: true }).waitFor()
    expect(pages().map((url) => /([a-z-]+)-page-/.exec(url)![1])).toEqual(['evaluations'])
    await context.close()
  })
})
