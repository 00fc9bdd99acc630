import { describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { DOVECOT_MISSING, startDovecot } from '../mail/dovecot.ts'
import { openForAll } from '../support/opened.ts'
import { axeFinds, createWebWorld } from './support.ts'

/** A personal mailbox in the browser. */

const title = DOVECOT_MISSING === '' ? '' : ` (skipped: ${DOVECOT_MISSING})`

describe.skipIf(DOVECOT_MISSING !== '')(`a personal mailbox, in the browser${title}`, () => {
  const imap = openForAll(startDovecot)
  const world = openForAll(() => createWebWorld({ personalServers: [`127.0.0.1:${imap.port}`] }))

  it('is entered, refused with a wrong password, stored, and erased', async () => {
    const { page } = await world.open('/settings/mailbox', { bypassCSP: true, allowed: /status of 400/ })
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
    expect(await world.app.mailboxes.describe(LOCAL_OWNER)).toMatchObject({ user: 'lars' })
    await page.reload()
    await page.getByText('Lars Bellander <lars@b.example>, since').waitFor()
    expect(await page.getByLabel('Sender address').inputValue()).toBe('Lars Bellander <lars@b.example>')
    await page.getByRole('button', { name: 'Delete mailbox' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete mailbox' }).click()
    await page.getByText('No mailbox is connected.').waitFor()
    expect(await world.app.mailboxes.describe(LOCAL_OWNER)).toBeUndefined()
  })
})
