import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ask, axeFinds, button, openWebWorld, over } from './support.ts'

/** Conversations that are renamed, pinned, deleted and shared in the browser, and read without signing in. */

const world = openWebWorld()

const PASSWORD = 'a quiet roastery at noon'
const more = (page: Page) => page.locator('main header').getByRole('button', { name: 'More actions' })
const choose = async (page: Page, name: string): Promise<void> => {
  await more(page).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

async function askToEnd(page: Page, question: string): Promise<void> {
  await ask(page, question)
  await over(page, question)
}

it('are renamed, pinned and deleted', async () => {
  const { page } = await world.open('/', { bypassCSP: true })
  await page.getByRole('textbox').waitFor()
  await askToEnd(page, 'How many customers are there?')
  const aside = page.locator('aside').first()
  await choose(page, 'Rename')
  const renamings: string[] = []
  let goOn = (): void => undefined
  const isPressedTwice = new Promise<void>((done) => (goOn = done))
  await page.route('**/conversations/*', async (route) => {
    if (route.request().method() === 'PATCH') renamings.push(route.request().url())
    await isPressedTwice
    await route.continue()
  })
  await page.getByRole('dialog').getByLabel('Title').fill('Whom we sell to')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  goOn()
  await page.getByRole('heading', { name: 'Whom we sell to' }).waitFor()
  expect(renamings).toHaveLength(1)
  await page.unroute('**/conversations/*')
  // Again with keys only: the focus returns to its place.
  await more(page).press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Title').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('More actions')
  await choose(page, 'Pin')
  await aside.getByLabel('Pinned').waitFor()
  // In the full list, too.
  await page.goto(`${world.url}/conversations`)
  const row = page.locator('main li').filter({ hasText: 'Whom we sell to' })
  await page.getByRole('link', { name: 'Pinned', exact: true }).click()
  await row.waitFor()
  expect(await axeFinds(page)).toEqual([])
  await row.getByRole('link').click()

  // One version represents the conversation in the list.
  await page.getByText('92').first().waitFor()
  await button(page, 'Edit and ask again').click()
  await page.getByRole('textbox', { name: 'Edit and ask again' }).fill('How many active customers are there?')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Versions of this question' }).waitFor()
  await page.locator('article').last().getByText('Answered', { exact: true }).waitFor()
  await more(page).click()
  await page.getByRole('menuitem', { name: 'Unpin' }).click()
  await aside.getByLabel('Pinned').waitFor({ state: 'detached' })
  await choose(page, 'Delete')
  await page.getByText('What should the team work on?').waitFor()
  await button(page, 'Undo').click()
  await expect(world.app.conversations.list('local')).resolves.toHaveLength(2)
  await page.goBack()
  await choose(page, 'Delete')
  await button(page, 'Undo').waitFor()
  // Leaving the page confirms the deletion.
  await page.reload()
  await expect.poll(() => world.app.conversations.list('local')).toHaveLength(0)
})

it('are readable with the link, signed in or not, until it is withdrawn', async () => {
  const { page, context } = await world.open('/', { bypassCSP: true })
  await page.getByRole('textbox').waitFor()
  await askToEnd(page, 'List all customers.')
  await askToEnd(page, 'What does the returns policy say about damaged goods?')
  await choose(page, 'Share')
  const dialog = page.getByRole('dialog')
  const make = async (): Promise<string> => {
    await dialog.getByRole('button', { name: 'Create link' }).click()
    return (await dialog.locator('code').textContent())!
  }
  const withdrawn = await make()
  await dialog.getByText('2 questions').waitFor()
  await dialog.getByRole('button', { name: /^Revoke/ }).click()
  await dialog.locator('code').waitFor({ state: 'detached' })
  const link = await make()
  expect(await axeFinds(page)).toEqual([])
  await context.close()

  // From here on users sign in.
  await world.app.people.accounts.add('test', { username: 'root', password: PASSWORD, role: 'admin' })
  const reader = await world.open('', { bypassCSP: true, allowed: /status of 404/ })
  const asked: string[] = []
  reader.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const opened = await reader.page.goto(link)
  expect(opened!.headers()['x-robots-tag']).toBe('noindex')
  await reader.page.getByRole('heading', { name: 'List all customers.' }).waitFor()
  await reader.page.getByText('92 rows').waitFor()
  // Untrusted content is marked, and a citation leads to its source.
  await reader.page.locator('li').filter({ hasText: 'Untrusted origin' }).first().waitFor()
  await reader.page.locator('a.cite').first().click()
  await expect.poll(() => reader.page.locator('li:target').count()).toBe(1)
  expect(asked.filter((path) => /^\/(?:session|conversations|runs|approvals|about)/.test(path))).toEqual([])
  await expect(reader.page.getByRole('navigation').count()).resolves.toBe(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.page.emulateMedia({ colorScheme })
    expect(await axeFinds(reader.page)).toEqual([])
  }
  await reader.page.goto(withdrawn)
  await reader.page.getByRole('heading', { name: 'This link is invalid' }).waitFor()
  const german = await world.open('', { locale: 'de-DE', allowed: /status of 404/ })
  await german.page.goto(withdrawn)
  await german.page.getByText('Dieser Link führt nirgendwohin').waitFor()
})
