import { get, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { DEMO_SUGGESTIONS } from '../../src/cli/commands/served-demo.ts'
import type { ApprovalRecord } from '../../src/domain/store.ts'
import { answerOf, ask, axeFinds, ended, MAIL, openWebWorld, TWO_PARTS } from './support.ts'

/** The web app in a real browser, with the real server, the demo business and no model. */

const world = openWebWorld()

describe('a question', () => {
  it('can be rated, with a reason, and keeps the rating after a reload', async () => {
    const { page } = await world.open('/')
    await ask(page, 'How many customers are there?')
    await ended(page)
    const judged = page.getByRole('group', { name: 'Was this right?' })
    await judged.getByRole('button', { name: 'Wrong' }).click()
    await page.getByLabel('What is wrong with it?').fill('One less.')
    await page.getByRole('button', { name: 'Send feedback' }).click()
    await page.getByLabel('What is wrong with it?').waitFor({ state: 'detached' })
    await page.reload()
    await judged.locator('[aria-pressed=true]').waitFor()
    await judged.getByRole('button', { name: 'Wrong' }).click()
    await expect(page.getByLabel('What is wrong with it?').inputValue()).resolves.toBe('One less.')
    await judged.getByRole('button', { name: 'Right' }).click()
    await page.getByLabel('What is wrong with it?').waitFor({ state: 'detached' })
  })

  it('that was suggested is cleared from the composer after sending, and is the title of the window', async () => {
    const { page } = await world.open('/')
    const { question } = DEMO_SUGGESTIONS[0]!
    await page.getByRole('button', { name: question }).click()
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe(question)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/c\//)
    await expect.poll(() => page.title()).toMatch(/ · Tutti$/)
    expect((await page.title()).endsWith(`${question} · Tutti`)).toBe(true)
    await expect(page.getByRole('textbox').inputValue()).resolves.toBe('')
  })

  it('that cannot be answered is not shown as a success, and suggests questions to click', async () => {
    const { page } = await world.open('/')
    await ask(page, 'Delete all orders of 2024')
    await ended(page, 'Not answered')
    await expect(answerOf(page)).resolves.toContain('Tutti only reads databases')
    const offered = page.locator('article .prose button', { hasText: '?' }).first()
    const question = await offered.textContent()
    await offered.click()
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe(question)
  })

  it('is typed on a phone without the tab bar, which takes room from the keyboard', async () => {
    const { page } = await world.open('/', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const tabs = page.getByRole('navigation', { name: 'Tutti' })
    await tabs.waitFor()
    await page.getByRole('textbox').focus()
    await expect.poll(() => tabs.count()).toBe(0)
    await page.getByRole('textbox').blur()
    await tabs.waitFor()
  })
})

describe('a mail that waits for a person', () => {
  it('is still there after a reload, in another tab and after the server was away; then it is sent once', async () => {
    const { page, context } = await world.open('/')
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
    await ended(page)
    await expect(answerOf(page)).resolves.toContain('Sent to')
    await other.getByText('No pending approvals.').waitFor()
  })

  it('is edited, and sent as it was edited', async () => {
    const { page } = await world.open('/')
    await ask(page, MAIL)
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Subject' }).fill('Edited by hand')
    await dialog.getByRole('button', { name: 'Approve edited' }).click()
    await ended(page)
    const [{ editedPayload }] = (await world.app.runs.approvals({ status: 'approved' })).slice(-1) as [ApprovalRecord]
    expect(editedPayload).toMatchObject({ subject: 'Edited by hand' })
    await expect(answerOf(page)).resolves.toContain('Sent to')
  })
})

it('an answer with an open citation is accessible, in both themes', async () => {
  const { page } = await world.open('/', { bypassCSP: true })
  await ask(page, TWO_PARTS)
  await ended(page, 'Partly answered')
  await page.locator('.cite').first().click()
  await page.getByRole('complementary').locator('mark').first().waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFinds(page), colorScheme).toEqual([])
  }
})

it('a personal mailbox is not offered unless enabled', async () => {
  const { page } = await world.open('/settings/mailbox', { bypassCSP: true })
  await page.getByText('Personal mailboxes are not enabled.').waitFor()
  expect(await axeFinds(page)).toEqual([])
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

  it('offers a reload where the code of a page could not be loaded', async () => {
    const { page, context } = await world.open('/', { allowed: /code of the app could not be loaded/ })
    await page.getByRole('textbox').waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('alert').getByText('No connection.').waitFor()
    const said = await page.getByRole('alert').boundingBox()
    expect(said!.y + said!.height).toBe(page.viewportSize()!.height)
    await page.getByRole('link', { name: 'Approvals' }).first().waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/click a figure to see its runs/i).waitFor()
    await expect(page.getByRole('alert').count()).resolves.toBe(0)
  })

  it('are at most 300 KB for the first page, and the code of others is loaded on demand', async () => {
    const { page } = await world.open()
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
  })
})
