// Soak test: walks through all forms of the administration.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import { ask, ended, faultsIn, openWebWorld, signIn } from './support.ts'

/** User management in the browser, from the first account to a disabled one. */

const world = openWebWorld()

const PASSWORD = 'a quiet roastery at noon'
/** Of refusals that the tests ask for. */
const allowed = /status of 40[0134]/

async function addUser(page: Page, username: string, role: string): Promise<string> {
  await page.goto(`${world.url}/admin`)
  await page.getByRole('button', { name: 'Invite user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByLabel(/^Username/).fill(username)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.locator('code').textContent()
  await dialog.getByRole('button', { name: 'Close' }).click()
  return link!
}

it('are added, get roles, groups, sources and limits, and are disabled', async () => {
  const { page } = await world.open('/settings', { bypassCSP: true })
  await signIn(page, 'root', PASSWORD, 'Create an account')
  await page.getByText('Profile').waitFor()

  const added = async (name: string, role: string) => {
    const reset = await addUser(page, name, role)
    const browser = await world.open('', { allowed })
    await browser.page.goto(reset)
    await expect.poll(() => new URL(browser.page.url()).hash).toBe('')
    await browser.page.getByLabel('Password').fill(PASSWORD)
    await browser.page.getByRole('button', { name: 'Choose a password' }).click()
    await browser.page.getByText('The password is set.').waitFor()
    await signIn(browser.page, name, PASSWORD)
    await browser.page.getByText('What should the team work on?').waitFor()
    return browser
  }
  const ada = await added('ada', 'member')
  const vera = await added('vera', 'viewer')
  // Pages for admins show a message to other users.
  for (const path of ['/admin', '/data', '/servers']) {
    await vera.page.goto(`${world.url}${path}`)
    await vera.page.getByText('This page is for admins.').waitFor()
  }

  await page.goto(`${world.url}/admin`)
  await page.getByLabel('Role of vera').selectOption('member')
  await expect
    .poll(async () => (await world.app.people.accounts.list()).map(({ role }) => role))
    .toEqual(expect.arrayContaining(['admin', 'member', 'member']))
  await page.goto(`${world.url}/admin/groups`)
  await page.getByLabel('New group').fill('Sales')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Add a member to Sales').selectOption({ label: 'ada' })
  await page.getByText('1 member').waitFor()

  await page.goto(`${world.url}/admin/access`)
  // With keys only: arrows move, Enter opens a cell, and nothing changes.
  const cell = (name: string) => page.getByRole('button', { name: `brindlemoor: ${name}:` })
  await cell('Everyone').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('brindlemoor: Sales: no access')
  await expect(page.getByRole('menu').count()).resolves.toBe(0)
  await page.keyboard.press('Enter')
  const chosen = page.locator('[role=menuitemradio][data-highlighted]')
  await chosen.waitFor()
  await page.keyboard.press('ArrowDown')
  await chosen.filter({ hasText: /^may ask/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'brindlemoor: Sales: may ask' }).waitFor()
  // The preview names the users who gain access: only the one member.
  const effects = page.getByRole('list', { name: 'Effects on users' }).getByRole('listitem')
  await effects.first().waitFor()
  expect(await effects.allTextContents()).toEqual(['+ brindlemoor: may ask · ada'])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  const all = await world.app.people.accounts.list()
  const idOf = (name: string): string => all.find(({ username }) => username === name)!.userId
  const isGiven = async (name: string) => (await world.app.as(idOf(name)).isGiven())('database:brindlemoor')
  await expect(isGiven('ada')).resolves.toBe(true)
  await expect(isGiven('vera')).resolves.toBe(false)
  await cell('Sales').click()
  await page.getByRole('menuitemradio', { name: /^no access/ }).click()
  await effects.filter({ hasText: '− brindlemoor: may no longer ask · ada' }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await effects.first().waitFor({ state: 'detached' })
  // The rights of a user; the audit records the read.
  await page.getByLabel('See as…').selectOption({ label: 'ada' })
  await page.getByRole('heading', { name: 'Access of ada' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'brindlemoor' }).getByText('may ask').waitFor()
  await page.getByLabel('See as…').selectOption({ label: 'vera' })
  await page.getByRole('listitem').filter({ hasText: 'brindlemoor' }).getByText('no access').waitFor()

  // Retention periods are shown here and set in the configuration.
  await page.goto(`${world.url}/admin/retention`)
  await page.getByText('retention.runDays').waitFor()

  await page.goto(`${world.url}/admin/limits`)
  await page.getByLabel('For').selectOption({ label: 'Sales' })
  await page.getByLabel('Maximum in USD').fill('15')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('$15').waitFor()
  await page.getByRole('button', { name: /^Delete limit/ }).click()
  await page.getByText('No limits yet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('$15').waitFor()

  await page.goto(`${world.url}/admin`)
  await page.getByRole('button', { name: 'Actions for ada' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.locator('main').getByText('Disabled').waitFor()
  await ada.page.reload()
  await ada.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${world.url}/admin/audit`)
  const changes = page.locator('main').getByRole('listitem')
  await changes.filter({ hasText: 'disabled an account · ada' }).waitFor()
  await changes.filter({ hasText: 'viewed a user’s access · vera' }).waitFor()
  await page.getByLabel('Change').selectOption('set limit')
  await changes.filter({ hasText: 'disabled an account' }).waitFor({ state: 'detached' })
  for (const change of await changes.allTextContents()) expect(change).toContain('set a limit')
  await page.getByLabel('Change').selectOption('erase mailbox')
  await page.getByText('No matching changes.').waitFor()

  // The data of a user is exported, and erased after a confirmation.
  await page.goto(`${world.url}/admin`)
  await page.getByRole('button', { name: 'Actions for ada' }).click()
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export all data' }).click(),
  ])
  expect((await readFile(await archive.path())).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  await page.getByRole('button', { name: 'Actions for ada' }).click()
  await page.getByRole('menuitem', { name: 'Delete permanently' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText(/ was deleted\.$/).waitFor()
  await page.getByRole('button', { name: 'Actions for ada' }).waitFor({ state: 'detached' })
  expect((await world.app.people.accounts.list()).map(({ username }) => username)).not.toContain('ada')

  const found: string[] = []
  const admin = ['', '/groups', '/access', `/access?as=${idOf('vera')}`, '/limits', '/retention', '/audit']
  for (const path of sample([...admin.map((part) => `/admin${part}`), '/settings/keys'], 3)) {
    await page.goto(world.url + path)
    await page.locator('main section').first().waitFor()
    found.push(...(await faultsIn(page, path)))
  }
  expect(found).toEqual([])
})

it('keep their password, keys and sessions themselves', async () => {
  const { page } = await world.open('/settings/keys', { allowed })
  await signIn(page, 'root', PASSWORD)
  await page.getByLabel('Purpose').fill('nightly report')
  await page.getByRole('button', { name: 'Everything' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = await page.getByRole('status').locator('code').textContent()
  const asked = () => fetch(`${world.url}/runs`, { headers: { authorization: `Bearer ${key}` } })
  expect((await asked()).status).toBe(200)
  const all = await fetch(`${world.url}/people`, { headers: { authorization: `Bearer ${key}` } })
  expect(all.status).toBe(200)
  await page.getByText('Read, Ask, Everything').waitFor()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No keys yet.').waitFor()
  expect((await asked()).status).toBe(401)

  await page.goto(`${world.url}/settings/security`)
  await page.getByText('This session').waitFor()
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill('another quiet roastery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  const own = page.getByRole('region', { name: 'Your data' })
  await own.getByLabel('Password').fill('wrong')
  await own.getByRole('button', { name: 'Export' }).click()
  await own.getByRole('alert').waitFor()
  await own.getByLabel('Password').fill('another quiet roastery')
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    own.getByRole('button', { name: 'Export' }).click(),
  ])
  expect((await readFile(await archive.path())).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  // A user erases their own account.
  const { accounts } = world.app.people
  await accounts.add('test', { username: 'gil', password: PASSWORD, role: 'member' })
  const gil = await world.open('', { allowed })
  await gil.page.goto(`${world.url}/settings/security`)
  await signIn(gil.page, 'gil', PASSWORD)
  await gil.page.getByRole('region', { name: 'Your data' }).waitFor()
  // Data of another user are shown as missing, with a link to continue.
  for (const path of ['/runs/nonsense', '/c/nonsense', '/c/nonsense?run=nonsense']) {
    await gil.page.goto(world.url + path)
    await gil.page.getByText(/^This (run|conversation) does not exist or belongs to another user/).waitFor()
    await gil.page.locator('main').getByRole('link', { name: 'New chat' }).waitFor()
    await gil.page.getByRole('button', { name: 'Sign in as another user' }).waitFor()
    await expect(gil.page.locator('main').getByRole('textbox').count()).resolves.toBe(0)
    await expect(gil.page.locator('main .tab').count()).resolves.toBe(0)
  }
  await gil.page.goto(`${world.url}/settings/security`)
  await gil.page.getByRole('region', { name: 'Your data' }).getByLabel('Password').fill(PASSWORD)
  await gil.page.getByRole('button', { name: 'Delete my account' }).click()
  await gil.page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click()
  await gil.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect((await accounts.list()).map(({ username }) => username)).not.toContain('gil')
})

it('do not see questions of another user in the same window', async () => {
  const { accounts } = world.app.people
  for (const username of ['hana', 'ivo']) await accounts.add('test', { username, password: PASSWORD, role: 'member' })
  const { page, context } = await world.open('', { allowed })
  const enter = async (username: string): Promise<void> => {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, username, PASSWORD)
    await page.getByText(username, { exact: true }).first().waitFor()
  }
  await page.goto(world.url)
  await enter('ivo')
  await ask(page, 'What do we pay Hana?')
  await ended(page, 'Not answered')
  const other = await context.newPage()
  await other.goto(world.url)
  await other.getByText('ivo', { exact: true }).first().click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await enter('hana')
  await page.getByRole('heading', { name: 'This conversation does not exist' }).waitFor()
  expect(await page.locator('body').textContent()).not.toContain('What do we pay Hana?')
})
