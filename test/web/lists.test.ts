import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFinds, createWebWorld, type WebWorld } from './support.ts'

/** Runs by what they came to, their sums, and what agents did for everybody. */

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
  it('say what they came to, are narrowed by it, and are gone through by keys', async () => {
    const { page, context, wrong } = await world.open()
    await show(page, '/runs')
    // Above the rows of a day stands the day.
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

  it('are counted by what they came to, and by person for admins', async () => {
    const { page, context, wrong } = await world.open()
    await show(page, '/dashboard?days=7')
    const people = page.getByRole('group', { name: 'People' })
    await people.locator('tbody tr').first().waitFor()
    await expect(people.locator('tbody tr').first().textContent()).resolves.toContain('3')
    await page.locator('dl').getByRole('link', { name: '33.3 %' }).click()
    await page.waitForURL(/outcome=declined/)
    await page.locator('main').getByText(WRONG).waitFor()
    // What everybody used leads to what agents did for them.
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

  it.each([
    ['light', 390, 'en-GB'],
    ['dark', 768, 'de-DE'],
    ['dark', 1440, 'en-GB'],
  ] as const)(
    'fit, and can be used by everybody, as runs and dashboard: %s, %i px, %s',
    async (colorScheme, width, locale) => {
      const { page, context, wrong } = await world.open({
        colorScheme,
        locale,
        bypassCSP: true,
        viewport: { width, height: 844 },
      })
      const found: string[] = []
      for (const path of ['/admin/executions', '/runs?outcome=answered', '/dashboard']) {
        await show(page, path)
        await page.locator('main').locator('[data-move], svg[role=img]').first().waitFor()
        if (path === '/admin/executions') await page.locator('[data-move]').first().click()
        found.push(...(await axeFinds(page)).map((one) => `${path} ${one}`))
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${path} is too wide`)
      }
      expect(found).toEqual([])
      expect(wrong).toEqual([])
      await context.close()
    },
  )
})

describe('the figures of the dashboard', () => {
  it.each(['admin', 'member'] as const)('lead to as many runs, all of them one’s own, for a %s', async (role) => {
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
