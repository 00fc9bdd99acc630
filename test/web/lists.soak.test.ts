// Soak test: follows the figures of the dashboard into the lists.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'
import { startModelServer } from '../support/model-server.ts'
import { createWebWorld, openWebWorld, itFits } from './support.ts'

/** Runs by outcome, and their totals. */

const RIGHT = 'How many customers are there?'
const WRONG = 'Who painted the ceiling of the chapel?'

const world = openWebWorld()
beforeAll(async () => {
  for (const question of [RIGHT, WRONG, RIGHT]) await world.app.ask(question)
})

describe('runs', () => {
  it('show their outcome, are filtered by it, and are navigated by keys', async () => {
    const { page } = await world.open('/runs')
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
  })

  it('are counted by outcome, and by user for admins', async () => {
    const { page } = await world.open('/dashboard?days=7')
    const people = page.getByRole('group', { name: 'People' })
    await people.locator('tbody tr').first().waitFor()
    await expect(people.locator('tbody tr').first().textContent()).resolves.toContain('3')
    await page.locator('dl').getByRole('link', { name: '33.3 %' }).click()
    await page.waitForURL(/outcome=declined/)
    await page.locator('main').getByText(WRONG).waitFor()
  })
})

describe('lists', () => {
  itFits(world, () => [['/runs?outcome=answered'], ['/dashboard']])
})

describe('the figures of the dashboard', () => {
  it.each(['admin', 'member'] as const)('lead to that number of own runs, for a %s', async (role) => {
    const { accounts, groups, signIn } = world.app.people
    const who = { username: `a-${role}`, password: 'a long enough sentence' }
    const { userId } = await accounts.add('test', { ...who, role })
    await groups.setGrant('test', 'database:brindlemoor', 'everyone', 'reader')
    for (const question of role === 'admin' ? [RIGHT, WRONG] : [RIGHT, WRONG, WRONG]) {
      await world.app.as(userId).ask(question)
    }
    const { token } = await signIn.logIn(who)
    const { page, context } = await world.open()
    await context.addCookies([{ name: 'tutti_session', value: token, url: world.url }])
    await page.goto(`${world.url}/dashboard?days=7`)
    await page.getByText(/^Your runs/).waitFor()
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
      await (runs === 0 ? page.getByText('No matching runs.') : rows.first()).waitFor()
      expect([name, await rows.count()]).toEqual([name, runs])
      numbers.push(`${name} ${runs}`)
      await page.goBack()
      await tiles.first().waitFor()
    }
    expect(numbers).toContain(`Not answered ${role === 'admin' ? 1 : 2}`)
    // The rows of agents and the bars of days link to runs, too.
    const told = await followAll(page)
    expect(told.some((said) => said.endsWith('with Database'))).toBe(true)
    expect(told.filter((said) => /: \d/.test(said))).toHaveLength(1)
  })

  it('lead to that number of runs by model, for any model of a run', async () => {
    const models = await startModelServer([{ reply: { text: 'no answer that anybody could use' } }])
    const config = modelsConfigFromEnv({ TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:small' })
    const other = await createWebWorld({ models: config })
    onTestFinished(async () => {
      await other.close()
      await models.close()
    })
    for (const model of ['compatible:small', 'compatible:large', 'compatible:large']) {
      await other.app.ask({ question: RIGHT, models: { default: model } })
    }
    const { page } = await other.open('/dashboard?days=7')
    await page.locator('main a[href*="model="]').first().waitFor()
    const told = await followAll(page)
    expect(told).toEqual(expect.arrayContaining(['1 run with compatible:small', '2 runs with compatible:large']))
  })
})

/** Follows each row and bar of the dashboard to its runs, and back. @returns their labels */
async function followAll(page: Page): Promise<readonly string[]> {
  const ways = page.locator('main a[href*="agent="], main a[href*="model="], main a[href*="until="]')
  const told = await ways.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')!))
  const rows = page.locator('tbody tr').filter({ has: page.getByRole('checkbox') })
  for (const [at, said] of told.entries()) {
    // The label of a bar has its day and the number of each kind.
    const [, counts = ''] = /^(?:[^:]*: )?(\d.*)$/.exec(said) ?? []
    const parts = /: \d/.test(said) ? counts.split(', ') : [counts]
    await ways.nth(at).click()
    await page.waitForURL(/\/runs\?/)
    await rows.first().waitFor()
    expect([said, await rows.count()]).toEqual([said, parts.reduce((all, part) => all + parseInt(part), 0)])
    await page.goBack()
    await ways.nth(told.length - 1).waitFor()
  }
  return told
}
