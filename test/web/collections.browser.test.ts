import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { axeFinds, createWebWorld, type WebWorld } from './support.ts'
import { sample } from '../support/length.ts'

/** Collections of documents: created, filled, shared, searched, unshared, removed. */

const FILE = {
  name: 'parking.md',
  mimeType: 'text/markdown',
  buffer: Buffer.from('# Parking\n\nVisitors park on deck 7.\n'),
}

let world: WebWorld
beforeAll(async () => void (world = await createWebWorld()))
afterAll(() => world.close())

const show = (page: Page, path: string) => page.goto(`${world.url}${path}`)

describe('collections', () => {
  it('one is created, filled, shared with everyone and unshared, searched alone, renamed and removed', async () => {
    const { page, context, wrong } = await world.open()
    await show(page, '/collections')
    await page.getByText('No collection is open to you yet.').waitFor()
    await page.getByLabel('Name of a new collection').fill('House rules')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/collections\/[^/]+$/)
    const address = page.url()
    await page.locator('input[type=file]').setInputFiles(FILE)
    await page.getByRole('link', { name: 'parking.md' }).waitFor({ timeout: 90_000 })
    await page.getByText('Nobody else has it.').waitFor()
    await page.getByRole('button', { name: 'Give', exact: true }).click()
    await page.getByRole('button', { name: 'Take it away from Everyone' }).click()
    await page.getByText('Nobody else has it.').waitFor()
    await page.getByLabel('Give it to').selectOption('group')
    await page.getByText('There is no group yet.').waitFor()
    await expect(page.getByRole('button', { name: 'Give', exact: true }).isDisabled()).resolves.toBe(true)
    await world.app.people.groups.create('test', 'Sales')
    await page.reload()
    await page.getByLabel('Give it to').selectOption('group')
    await page.getByLabel(/^Group/).selectOption({ label: 'Sales · 0 members' })
    await page.getByText('Nobody gains or loses anything').waitFor()
    await page.getByLabel(/^As/).selectOption('editor')
    await page.getByRole('button', { name: 'Give', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'Sales group' }).getByText('Editor').waitFor()
    await show(page, '/collections')
    await page.getByText('Editors: Sales').waitFor()
    await page.goto(address)
    await page.getByRole('link', { name: 'parking.md' }).click()
    await page.getByText('Of a collection').waitFor()
    await expect(page.getByRole('button', { name: 'Remove' }).count()).resolves.toBe(0)

    await show(page, '/')
    await page.getByRole('button', { name: 'All sources' }).click()
    await page.getByRole('menuitemcheckbox', { name: /^House rules/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'All sources, 1 collection' }).waitFor()
    await page.getByRole('textbox').first().fill('Where do visitors park?')
    await page.keyboard.press('Enter')
    await page.locator('.prose').getByText('deck 7').waitFor({ timeout: 60_000 })
    const [run] = await world.app.runs.runs()
    expect((await world.app.runs.state(run!.runId)).request.collections).toHaveLength(1)

    await page.goto(address)
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Rename' }).fill('Rules of the house')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Rules of the house' }).waitFor()
    await page.getByRole('button', { name: 'Remove: parking.md' }).click()
    await page.getByText('No documents yet.').waitFor()
    await page.getByRole('button', { name: 'Remove collection' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove collection' }).click()
    await page.getByText('No collection is open to you yet.').waitFor()
    // A removed collection no longer limits questions.
    await show(page, '/')
    await page.getByRole('button', { name: 'All sources', exact: true }).waitFor()
    expect(wrong.filter((one) => !/40[04]/.test(one))).toEqual([])
    await context.close()
  })

  it.each(
    sample(
      [
        ['light', 390, 'de-DE'],
        ['dark', 768, 'en-GB'],
        ['dark', 1440, 'de-DE'],
      ] as const,
      3,
    ),
  )('fit, without accessibility violations: %s, %i px, %s', async (colorScheme, width, locale) => {
    const name = `Contracts ${width}`
    const { collectionId } = await world.app.people.collections.create(LOCAL_OWNER, name, undefined)
    const { page, context, wrong } = await world.open({
      colorScheme,
      locale,
      bypassCSP: true,
      viewport: { width, height: 844 },
    })
    const found: string[] = []
    for (const path of ['/collections', `/collections/${collectionId}`, '/documents']) {
      await show(page, path)
      await page
        .locator('main')
        .getByText(path === '/documents' ? 'returns-policy.pdf' : name)
        .first()
        .waitFor()
      found.push(...(await axeFinds(page)).map((one) => `${path} ${one}`))
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${path} is too wide`)
    }
    expect(found).toEqual([])
    expect(wrong).toEqual([])
    await context.close()
  })

  it.each([
    ['admin', ['everyone', 'group', 'user']],
    ['member', ['group', 'user']],
  ] as const)('of a %s can be shared with %j', async (role, kinds) => {
    const { accounts, signIn, collections } = world.app.people
    const who = { username: `a-${role}`, password: 'a long enough sentence' }
    const { userId } = await accounts.add('test', { ...who, role })
    const { collectionId } = await collections.create(userId, `Own of ${role}`, userId)
    const { token } = await signIn.logIn(who)
    const { page, context } = await world.open()
    await context.addCookies([{ name: 'tutti_session', value: token, url: world.url }])
    await show(page, `/collections/${collectionId}`)
    const options = page.getByLabel('Give it to').locator('option')
    await options.first().waitFor({ state: 'attached' })
    expect(await options.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(kinds)
    // Admins pick from all groups, members from their own groups.
    const { groups } = world.app.people
    await groups.addMember('test', await groups.create('test', `Of ${role}`), userId)
    await page.reload()
    await page.getByLabel('Give it to').selectOption('group')
    const groupsOf = page.getByLabel(/^Group/).locator('option')
    await groupsOf.first().waitFor({ state: 'attached' })
    const all = (await groups.list()).map(
      ({ name, members }) => `${name} · ${members} member${members === 1 ? '' : 's'}`,
    )
    expect((await groupsOf.allTextContents()).slice(1)).toEqual(role === 'admin' ? all : [`Of ${role} · 1 member`])
    await context.close()
  })
})
