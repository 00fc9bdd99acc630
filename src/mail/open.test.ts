import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHttpClient } from '../http/client.ts'
import { writeDemoMailbox } from '../app/demo-data.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { parseServerUrl } from './imap/settings.ts'
import { openMailAccount, type MailConfig } from './open.ts'

const http = createHttpClient()
const folder = temporaryFolder()

function open(config: MailConfig) {
  return openMailAccount(config, { http, cwd: folder, now: () => Date.UTC(2026, 9, 31) })
}

beforeAll(() => writeDemoMailbox(join(folder, 'mailbox')))

describe('the address of a server', () => {
  it.each([
    ['imaps://ada:p%40ss@mail.example.com', { port: 993, security: 'tls', user: 'ada', password: 'p@ss' }],
    ['imap://ada:x@mail.example.com', { port: 143, security: 'starttls' }],
    ['imap://ada:x@mail.example.com?security=plain', { port: 143, security: 'plain' }],
    ['imap://ada:x@127.0.0.1:1143', { port: 1143, security: 'plain' }],
    ['imap://ada:x@[::1]:1143', { host: '::1', security: 'plain' }],
    ['imap://ada:x@localhost?security=starttls', { security: 'starttls' }],
    ['imaps://ada%40example.com:x@mail.example.com', { user: 'ada@example.com' }],
  ])('%s', (url, expected) => expect(parseServerUrl(url, 'imap')).toMatchObject(expected))

  it.each([
    'mail.example.com',
    'imaps://',
    'smtps://ada:secret@mail.example.com',
    'imaps://ada:secret@mail.example.com?security=plain',
    'imaps://ada:secret%@mail.example.com',
    'imap://ada:secret@mail.example.com?security=none',
  ])('refuses %s without naming the password', (url) => {
    const parse = (): unknown => parseServerUrl(url, 'imap')
    expect(parse).toThrow(expect.objectContaining({ code: 'ConfigurationError' }))
    expect(parse).not.toThrow(/secret/)
  })
})

describe('the account of the configuration', () => {
  it('does not connect when it is created', () => {
    const account = open({ url: 'imaps://ada%40example.com:secret@mail.invalid', smtpUrl: 'smtps://mail.invalid' })
    expect(account.describe()).toBe('IMAP mail.invalid as ada@example.com, SMTP mail.invalid')
    expect(account.address).toBe('ada@example.com')
    expect(
      open({ url: 'gmail:', from: 'ada@example.com', gmail: { refreshToken: 'x', clientId: 'y' } }).describe(),
    ).toBe('Gmail as ada@example.com')
  })

  it.each([
    [{ url: 'pop3://ada@example.com' }, /must be imaps:/],
    [{ url: 'maildir:' }, /Name the folder/],
    [{ url: 'imaps://ada:secret@mail.example.com' }, /Set TUTTI_MAIL_FROM/],
    [{ url: 'imaps://ada:secret@mail.example.com', from: 'Ada\r\n <ada>' }, /is not valid/],
    [{ url: 'gmail:', from: 'ada@example.com' }, /Gmail needs TUTTI_GMAIL_REFRESH_TOKEN/],
    [{ url: 'gmail:', gmail: { refreshToken: 'x', clientId: 'y' } }, /Set TUTTI_MAIL_FROM/],
  ])('reports the fault of %j', (config, reason) => {
    expect(() => open(config)).toThrow(reason)
    expect(() => open(config)).toThrow(expect.objectContaining({ code: 'ConfigurationError' }))
  })
})

describe('a local mailbox', () => {
  it('keeps a sent mail once for each key, with a note', async () => {
    const account = open({ url: 'maildir:mailbox', from: 'Lars <lars@example.com>' })
    const mail = { to: ['ada@example.com'], cc: [], subject: 'Hello', text: 'Good morning.' }
    expect(await account.check('key')).toEqual({ state: 'not-done' })
    const receipt = await account.send(mail, 'key')
    expect(receipt.note).toBe('kept in the local mailbox; nothing leaves this machine')
    expect(await account.send(mail, 'key')).toEqual(receipt)
    expect(await account.search('sent', 'to:ada', 5)).toMatchObject([{ id: receipt.id }])
    expect(await account.check('key')).toEqual({ state: 'done', receipt })
    expect(account.describe()).toContain('nothing leaves this machine')
  })

  it('saves a draft once for each key', async () => {
    const account = open({ url: 'maildir:mailbox', from: 'lars@example.com' })
    const mail = { to: [], cc: [], subject: 'Later', text: '' }
    expect(await account.draft(mail, 'draft')).toEqual(await account.draft(mail, 'draft'))
    expect(await account.search('drafts', 'subject:later', 5)).toHaveLength(1)
  })

  it('finds names regardless of accents', async () => {
    const account = open({ url: 'maildir:mailbox' })
    expect(await account.search('inbox', 'subject:darker CAFE', 5)).toHaveLength(1)
    expect(await account.search('inbox', 'subject:dárker café', 5)).toHaveLength(1)
  })

  it.each(['../../etc/passwd', 'inbox/../.Sent/cur/x', 'inbox/nobody', ''])('refuses the mail id %j', async (id) => {
    await expect(open({ url: 'maildir:mailbox' }).read(id)).rejects.toThrow(/There is no mail/)
  })

  it('reports a missing mailbox', async () => {
    await expect(open({ url: 'maildir:nowhere' }).search('inbox', '', 5)).rejects.toThrow(/is not a Maildir/)
  })
})
