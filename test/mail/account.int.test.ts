import { simpleParser } from 'mailparser'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MailAccount, OutgoingMail } from '../../src/mail/types.ts'
import { openForAll } from '../support/opened.ts'
import { DOVECOT_MISSING, startDovecot } from './dovecot.ts'
import { openAccount } from './office.ts'
import { startMailServer } from './smtp.ts'

const MAIL: OutgoingMail = {
  to: ['Dara Tolliver <dara.tolliver@brindlemoor-coffee.example>'],
  cc: ['finance@brindlemoor-coffee.example'],
  subject: 'Grüße aus dem Lager',
  text: 'Hello Dara,\n\nthe count is done.\n.\nLars',
}

const title = DOVECOT_MISSING === '' ? '' : ` (skipped: ${DOVECOT_MISSING})`

describe.skipIf(DOVECOT_MISSING !== '')(`an IMAP and SMTP account${title}`, () => {
  const imap = openForAll(() => startDovecot())
  const smtp = openForAll(() => startMailServer())
  let account: MailAccount

  beforeAll(() => void (account = openAccount(imap.url, smtp.url)))

  afterEach(async () => {
    smtp.behave({})
    await imap.reset()
  })

  it.each([
    ['inbox', 'from:yara', 3],
    ['inbox', 'from:jansevoort torn subject:"order 905"', 3],
    ['inbox', 'from:yara since:2026-10-21 before:2026-10-26', 1],
    ['inbox', 'order confirmed pallet', 1],
    ['inbox', 'Falern', 1],
    ['inbox', 'Café', 3],
    ['sent', 'to:support', 2],
    ['drafts', '', 1],
    ['inbox', 'nobody-at-all', 0],
  ] as const)('searches %s for "%s"', async (folder, query, count) => {
    const found = await account.search(folder, query, 50)
    expect(found.map(({ subject }) => subject)).toHaveLength(count)
  })

  it('returns the newest first, up to the limit', async () => {
    const found = await account.search('inbox', '', 3)
    expect(found.map(({ date }) => date.slice(0, 10))).toEqual(['2026-10-30', '2026-10-30', '2026-10-29'])
    expect(found[0]).toMatchObject({
      folder: 'inbox',
      from: 'Wiebke Grevendal <wiebke.grevendal@sterora-software.example>',
      snippet: expect.stringContaining('one floor up'),
    })
  })

  it('reads a mail without marking it as read', async () => {
    const [header] = await account.search('inbox', 'from:nordbryg', 1)
    const mail = await account.read(header!.id)
    expect(mail).toMatchObject({
      subject: 'Re: Purchase order 183',
      references: ['<out-1012@mail.brindlemoor-coffee.example>'],
      attachments: [{ name: 'confirmation-183.csv', type: 'text/csv' }],
    })
    expect(mail.text).toContain('delivery in week 44')
    const before = await imap.unread()
    const [unread] = await account.search('inbox', 'from:nordhaven', 1)
    expect((await account.read(unread!.id)).text).toContain('order 935')
    expect(await imap.unread()).toBe(before)
  })

  it('refuses ids of other accounts and of deleted mails', async () => {
    await expect(account.read('inbox/1.tutti')).rejects.toThrow(/not the id of a mail in this account/)
    const [header] = await account.search('inbox', '', 1)
    await expect(account.read(header!.id.replace(/\d+$/, '99999'))).rejects.toThrow(/no longer where it was/)
    await expect(account.read('inbox.12345.1')).rejects.toThrow(/no longer where it was/)
  })

  it('saves a draft once for any number of requests', async () => {
    const first = await account.draft(MAIL, 'key 1')
    const second = await account.draft(MAIL, 'key 1')
    expect(second).toEqual(first)
    const drafts = await account.search('drafts', 'subject:Grüße', 10)
    expect(drafts).toMatchObject([{ id: first.id, to: MAIL.to, cc: MAIL.cc, subject: MAIL.subject }])
  })

  it('sends once, and stores a copy among the sent mails', async () => {
    const before = smtp.taken.length
    const receipt = await account.send(MAIL, 'key 2')
    const again = await account.send(MAIL, 'key 2')
    expect(again).toMatchObject({ messageId: receipt.messageId, note: expect.stringContaining('not sent again') })
    expect(smtp.taken.slice(before)).toHaveLength(1)
    const { raw, from, to } = smtp.taken.at(-1)!
    expect(from).toBe('lars.bellander@brindlemoor-coffee.example')
    expect(to).toEqual(['dara.tolliver@brindlemoor-coffee.example', 'finance@brindlemoor-coffee.example'])
    const mail = await simpleParser(raw)
    expect(mail).toMatchObject({ subject: MAIL.subject, messageId: receipt.messageId })
    expect(mail.text?.trim()).toBe(MAIL.text)
    expect(raw).not.toContain('X-Tutti-State')
    expect(await account.read(receipt.id!)).toMatchObject({ folder: 'sent', messageId: receipt.messageId })
    expect(await account.search('drafts', 'subject:Grüße', 10)).toEqual([])
    expect(await account.check('key 2')).toMatchObject({ state: 'done', receipt: { id: receipt.id } })
  })

  it('answers in the thread', async () => {
    const [header] = await account.search('inbox', 'from:yara', 1)
    await account.reply(header!.id, { ...MAIL, subject: 'Re: Four torn bags in order 905' }, 'key 3')
    const mail = await simpleParser(smtp.taken.at(-1)!.raw)
    expect(mail.inReplyTo).toBe('<in-1026@mail.brindlemoor-coffee.example>')
    expect(mail.references).toEqual(
      ['in-1020', 'out-1021', 'in-1021', 'in-1026'].map((id) => `<${id}@mail.brindlemoor-coffee.example>`),
    )
  })

  it('reports that nothing was sent when the server refuses, and leaves nothing behind', async () => {
    smtp.behave({ refuse: MAIL.to.concat(MAIL.cc).map((text) => /[^<\s]+@[^>\s]+/.exec(text)![0]) })
    await expect(account.send(MAIL, 'key 4')).rejects.toThrow(/did not take the mail.*no such mailbox/)
    expect(await account.check('key 4')).toEqual({ state: 'not-done' })
    expect(await account.search('drafts', 'subject:Grüße', 10)).toEqual([])
  })

  it('names refused recipients when the server accepted the others', async () => {
    smtp.behave({ refuse: ['finance@brindlemoor-coffee.example'] })
    const receipt = await account.send(MAIL, 'key 5')
    expect(receipt.refused).toEqual(['finance@brindlemoor-coffee.example'])
  })

  it('reports an unknown state when the connection broke at the wrong moment', async () => {
    smtp.behave({ hangUp: true })
    await expect(account.send(MAIL, 'key 6')).rejects.toThrow(/it may have been sent.*copy is in the drafts/)
    expect(await account.check('key 6')).toEqual({ state: 'unknown' })
    expect(await imap.mails('.Drafts')).toContainEqual(expect.stringContaining('it may have left already'))
  })

  it('recognises that a mail that never reached the server was not sent', async () => {
    expect(await account.check('key of nobody')).toEqual({ state: 'not-done' })
    const noServer = openAccount(imap.url, 'smtp://127.0.0.1:9')
    await expect(noServer.send(MAIL, 'key 7')).rejects.toThrow(/nothing was sent.*ECONNREFUSED/)
    expect(await account.check('key 7')).toEqual({ state: 'not-done' })
  })

  it('names a wrong sign-in, never the password', async () => {
    const port = /:(\d+)$/.exec(imap.url)![1]!
    const wrong = openAccount(`imap://lars:not-it@127.0.0.1:${port}`, undefined)
    await expect(wrong.search('inbox', '', 1)).rejects.toThrow(/^127\.0\.0\.1 did not accept the sign-in of "lars"/)
    const wrongSmtp = openAccount(imap.url, `smtp://lars:not-it@127.0.0.1:${smtp.port}`)
    await expect(wrongSmtp.send(MAIL, 'key 8')).rejects.toThrow(/did not accept the sign-in/)
    await expect(wrong.send(MAIL, 'key 9')).rejects.toThrow(/No SMTP server is set up/)
  })

  it('requires encryption when the server offers none', async () => {
    const starttls = openAccount(`${imap.url}?security=starttls`, undefined)
    await expect(starttls.search('inbox', '', 1)).rejects.toMatchObject({ code: 'MailError' })
    const tls = openAccount(imap.url.replace('imap:', 'imaps:'), undefined)
    await expect(tls.search('inbox', '', 1)).rejects.toMatchObject({ code: 'MailError', retryable: true })
  })

  it('can be aborted', async () => {
    const abort = new AbortController()
    const searching = account.search('inbox', '', 50, abort.signal)
    abort.abort(new Error('no longer wanted'))
    await expect(searching).rejects.toThrow('no longer wanted')
  })
})
