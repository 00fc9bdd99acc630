import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { DOVECOT_MISSING, startDovecot, type ImapServer } from '../mail/dovecot.ts'
import { axeFinds, createWebWorld, signIn, type WebWorld } from './support.ts'

/** Personal data in the browser: a mailbox, and shared collections that an admin withdraws. */

const title = DOVECOT_MISSING === '' ? '' : ` (skipped: ${DOVECOT_MISSING})`

describe.skipIf(DOVECOT_MISSING !== '')(`a personal mailbox, in the browser${title}`, () => {
  let imap: ImapServer
  let world: WebWorld
  beforeAll(async () => {
    imap = await startDovecot()
    world = await createWebWorld({ personalServers: [`127.0.0.1:${imap.port}`] })
  })
  afterAll(async () => {
    await world?.close()
    await imap?.close()
  })

  it('is entered, refused with a wrong password, stored, and erased', async () => {
    const { page, wrong } = await world.open({ bypassCSP: true })
    await page.goto(`${world.url}/settings/mailbox`)
    await page.getByText('No mailbox is connected.').waitFor()
    await page.getByLabel('Sender address').fill('Lars Bellander <lars@b.example>')
    await page.getByLabel('Username').fill('lars')
    expect(await page.getByLabel(/^Incoming server/).inputValue()).toBe(`127.0.0.1:${imap.port}`)
    await page.getByLabel('Password').fill('guessed')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText('did not accept the sign-in of "lars"').waitFor()
    expect(await axeFinds(page)).toEqual([])
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText('Lars Bellander <lars@b.example>, since').waitFor()
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    expect(await world.app.mailboxes.shown(LOCAL_OWNER)).toMatchObject({ user: 'lars' })
    await page.reload()
    await page.getByText('Lars Bellander <lars@b.example>, since').waitFor()
    expect(await page.getByLabel('Sender address').inputValue()).toBe('Lars Bellander <lars@b.example>')
    await page.getByRole('button', { name: 'Delete mailbox' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete mailbox' }).click()
    await page.getByText('No mailbox is connected.').waitFor()
    expect(await world.app.mailboxes.shown(LOCAL_OWNER)).toBeUndefined()
    // The browser console lists the expected refusals.
    expect(wrong.filter((one) => !/status of 400/.test(one))).toEqual([])
  })
})

it('a user’s share is withdrawn by an admin from one user, and stays for others', async () => {
  const world = await createWebWorld()
  try {
    const { page, wrong } = await world.open({ bypassCSP: true })
    await page.goto(`${world.url}/settings/mailbox`)
    await page.getByText('Personal mailboxes are not enabled.').waitFor()
    await page.goto(`${world.url}/settings`)
    await signIn(page, 'root', 'a quiet roastery at noon', 'Create an account')
    await page.getByText('Profile').waitFor()
    const { accounts, collections } = world.app.people
    const ada = await accounts.add('test', { username: 'ada', role: 'member' })
    const ben = await accounts.add('test', { username: 'ben', role: 'member' })
    const notes = await collections.create(ada.userId, 'notes', ada.userId)
    for (const to of ['everyone', `user:${ben.userId}`] as const)
      await collections.setGrant(ada.userId, notes, to, 'reader')
    await page.goto(`${world.url}/admin/access`)
    await page.getByRole('button', { name: /^Revoke notes from ben/ }).waitFor()
    expect(await axeFinds(page)).toEqual([])
    await page.getByRole('button', { name: /^Revoke notes from ben/ }).click()
    await expect.poll(() => collections.grants(notes)).toEqual([{ to: 'everyone', level: 'reader' }])
    await page.getByRole('button', { name: /^Revoke notes from ben/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Revoke notes from/ }).click()
    await page.getByText('No user shares a collection.').waitFor()
    expect(await collections.listShared()).toEqual([])
    expect(wrong).toEqual([])
  } finally {
    await world.close()
  }
})
