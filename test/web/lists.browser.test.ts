import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebWorld, type WebWorld } from './support.ts'

/** Runs by outcome, their totals, and executions of agents for all users. */

const RIGHT = 'How many customers are there?'
const WRONG = 'Who painted the ceiling of the chapel?'

let world: WebWorld
beforeAll(async () => {
  world = await createWebWorld()
  for (const question of [RIGHT, WRONG, RIGHT]) await world.app.ask(question)
})
afterAll(() => world.close())

const show = (page: Page, path: string) => page.goto(`${world.url}${path}`)

describe('runs', () => {
  it('show their outcome, are filtered by it, and are navigated by keys', async () => {
    const { page, context, wrong } = await world.open()
    await show(page, '/runs')
    // Each group of rows has its day as a heading.
    const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') })
    await page.getByText(/^Today, /).waitFor()
    await rows.first().waitFor()
    await expect(rows.count()).resolves.toBe(3)
    await page.getByRole('link', { name: 'Not answered' }).click()
    await page.waitForURL(/outcome=declined/)
    await expect.poll(() => rows.count()).toBe(1)
    await expect(rows.first().textContent()).resolves.toContain(WRONG)
    await page.getByRole('link', { name: 'Answered', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('link', { name: 'Compare' }).waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/runs\/[^?]+$/)
    expect(wrong).toEqual([])
    await context.close()
  })

  it('are counted by outcome, and by user for admins', async () => {
    const { page, context, wrong } = await world.open()
    await show(page, '/dashboard?days=7')
    const people = page.getByRole('group', { name: 'People' })
    await people.locator('tbody tr').first().waitFor()
    await expect(people.locator('tbody tr').first().textContent()).resolves.toContain('3')
    await page.locator('dl').getByRole('link', { name: '33.3 %' }).click()
    await page.waitForURL(/outcome=declined/)
    await page.locator('main').getByText(WRONG).waitFor()
    // The usage of a user links to the executions of agents for them.
    await page.goBack()
    await people.getByRole('link').first().click()
    await page.waitForURL(/\/admin\/executions\?userId=local/)
    await page.locator('[data-move]').first().waitFor()
    expect(wrong).toEqual([])
    await context.close()
  })
})

describe('executions', () => {
  it('show input and output of each, by agent and by status', async () => {
    const { page, context, wrong } = await world.open()
    await show(page, '/admin/executions')
    await page.getByLabel(/^Agent/).selectOption('sql')
    const entries = page.locator('[data-move]')
    await expect.poll(() => entries.count()).toBeGreaterThanOrEqual(2)
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('pre').getByText('SELECT').first().waitFor()
    await page.getByLabel(/^Status/).selectOption('running')
    await page.getByText('Nothing was done yet that matches.').waitFor()
    expect(wrong).toEqual([])
    await context.close()
  })
})

describe('the figures of the dashboard', () => {
  it.each(['admin', 'member'] as const)('lead to that number of own runs, for a %s', async (role) => {
    const { accounts, groups, signIn } = world.app.people
    const who = { username: `a-${role}`, password: 'a long enough sentence' }
    const { userId } = await accounts.add('test', { ...who, role })
    await groups.give('test', 'database:brindlemoor', 'everyone', 'reader')
    for (const question of role === 'admin' ? [RIGHT, WRONG] : [RIGHT, WRONG, WRONG]) {
      await world.app.as(userId).ask(question)
    }
    const { token } = await signIn.logIn(who)
    const { page, context, wrong } = await world.open()
    await context.addCookies([{ name: 'tutti_session', value: token, url: world.url }])
    await show(page, '/dashboard?days=7')
    await page.getByText(/^Your own runs/).waitFor()
    const tiles = page.locator('dl > div').filter({ has: page.getByRole('link') })
    await tiles.first().waitFor()
    const numbers: string[] = []
    for (let at = 0; at < (await tiles.count()); at++) {
      const [name, figure, more] = await tiles
        .nth(at)
        .evaluate((tile) => [
          tile.querySelector('dt')!.textContent,
          tile.querySelector('a')!.textContent,
          tile.querySelector('dd span')!.textContent,
        ])
      // Tokens and cost are sums over all of them.
      const isSum = ['Tokens', 'Cost'].includes(name!)
      const runs = isSum ? (role === 'admin' ? 2 : 3) : Number(more === '' ? figure : more)
      await tiles.nth(at).getByRole('link').click()
      await page.waitForURL(/\/runs\?/)
      const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') })
      await (runs === 0 ? page.getByText('No run matches.') : rows.first()).waitFor()
      expect([name, await rows.count()]).toEqual([name, runs])
      numbers.push(`${name} ${runs}`)
      await page.goBack()
      await tiles.first().waitFor()
    }
    expect(numbers).toContain(`Not answered ${role === 'admin' ? 1 : 2}`)
    expect(wrong).toEqual([])
    await context.close()
  })
})
