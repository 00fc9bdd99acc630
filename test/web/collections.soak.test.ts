// Soak test: walks through the life of a collection with several users.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { openWebWorld, itFits } from './support.ts'

/** Collections of documents: created, filled, shared, searched, unshared, removed. */

const FILE = {
  name: 'parking.md',
  mimeType: 'text/markdown',
  buffer: Buffer.from('# Parking\n\nVisitors park on deck 7.\n'),
}

const world = openWebWorld()

const show = (page: Page, path: string) => page.goto(`${world.url}${path}`)

describe('collections', () => {
  it('one is created, filled, shared with everyone and unshared, searched alone, renamed and removed', async () => {
    const { page } = await world.open('/collections', { allowed: /40[04]/ })
    await page.getByText('No collections yet.').waitFor()
    await page.getByLabel('New collection').fill('House rules')
    await page.getByRole('button', { name: 'Create collection' }).click()
    await page.waitForURL(/\/collections\/[^/]+$/)
    const address = page.url()
    await page.locator('input[type=file]').setInputFiles(FILE)
    await page.getByRole('link', { name: 'parking.md' }).waitFor({ timeout: 90_000 })
    await page.getByText('Not shared.').waitFor()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke access of Everyone' }).click()
    await page.getByText('Not shared.').waitFor()
    await page.getByLabel('Share with').selectOption('group')
    await page.getByText('No groups yet.').waitFor()
    await expect(page.getByRole('button', { name: 'Share', exact: true }).isDisabled()).resolves.toBe(true)
    await world.app.people.groups.create('test', 'Sales')
    await page.reload()
    await page.getByLabel('Share with').selectOption('group')
    await page.getByLabel(/^Group/).selectOption({ label: 'Sales · 0 members' })
    await page.getByText('No user gains or loses access.').waitFor()
    await page.getByLabel(/^As/).selectOption('editor')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'Sales group' }).getByText('Editor').waitFor()
    await show(page, '/collections')
    await page.getByText('Editors: Sales').waitFor()
    await page.goto(address)
    await page.getByRole('link', { name: 'parking.md' }).click()
    await page.getByText('In a collection').waitFor()
    await expect(page.getByRole('button', { name: 'Delete' }).count()).resolves.toBe(0)

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
    await page.getByRole('button', { name: 'Delete: parking.md' }).click()
    await page.getByText('No documents yet.').waitFor()
    await page.getByRole('button', { name: 'Delete collection' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete collection' }).click()
    await page.getByText('No collections yet.').waitFor()
    // A removed collection no longer limits questions.
    await show(page, '/')
    await page.getByRole('button', { name: 'All sources', exact: true }).waitFor()
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
    const options = page.getByLabel('Share with').locator('option')
    await options.first().waitFor({ state: 'attached' })
    expect(await options.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(kinds)
    // Admins pick from all groups, members from their own groups.
    const { groups } = world.app.people
    await groups.addMember('test', await groups.create('test', `Of ${role}`), userId)
    await page.reload()
    await page.getByLabel('Share with').selectOption('group')
    const groupsOf = page.getByLabel(/^Group/).locator('option')
    await groupsOf.first().waitFor({ state: 'attached' })
    const all = (await groups.list()).map(
      ({ name, members }) => `${name} · ${members} member${members === 1 ? '' : 's'}`,
    )
    expect((await groupsOf.allTextContents()).slice(1)).toEqual(role === 'admin' ? all : [`Of ${role} · 1 member`])
  })
})

describe('pages of collections', () => {
  let contracts = ''
  beforeAll(async () => {
    const collection = await world.app.people.collections.create(LOCAL_OWNER, 'Contracts', undefined)
    contracts = collection.collectionId
  })
  itFits(world, () => [['/collections'], [`/collections/${contracts}`], ['/documents']])
})
