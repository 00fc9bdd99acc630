import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '../../http/client.ts'
import type { MailAccount, OutgoingMail } from '../types.ts'
import { gmailAccount, gmailQuery } from './account.ts'
import { parseMailQuery } from '../query.ts'
import type { GmailCredentials } from './token.ts'

interface Stored {
  readonly id: string
  readonly threadId: string
  labels: string[]
  readonly raw: string
}

/** The endpoints of the Gmail API that are used, over mails in memory. */
class FakeGmail {
  readonly mails: Stored[] = []
  readonly drafts = new Map<string, Stored>()
  readonly requests: string[] = []
  readonly queries: string[] = []
  token = 'first'
  refreshes = 0
  /** Sent mails do not show up in searches yet. */
  isSlow = false
  failSending: number | 'break' | undefined
  private count = 0

  add(raw: string, label: string, threadId = `t${this.mails.length}`): Stored {
    const mail = { id: `m${++this.count}`, threadId, labels: [label], raw }
    this.mails.unshift(mail)
    return mail
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const url = new URL(request.url ?? '', 'http://gmail')
    const { method = '' } = request
    this.requests.push(`${method} ${url.pathname}`)
    const reply = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(body)
      if (form.get('refresh_token') !== 'refresh') return reply(400, { error: 'invalid_grant' })
      this.token = `token ${++this.refreshes}`
      return reply(200, { access_token: this.token, expires_in: 3600 })
    }
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      return reply(401, { error: { message: 'Invalid Credentials' } })
    }
    const path = url.pathname.replace('/gmail/v1/users/me', '')
    const q = url.searchParams.get('q') ?? ''
    if (path === '/messages') {
      this.queries.push(q)
      const found = this.find(q).slice(0, Number(url.searchParams.get('maxResults')))
      return reply(200, found.length === 0 ? {} : { messages: found.map(({ id, threadId }) => ({ id, threadId })) })
    }
    if (method === 'GET' && path === '/drafts') {
      const drafts = [...this.drafts].filter(([, mail]) => mail.raw.includes(q.replace('rfc822msgid:', '')))
      return reply(200, { drafts: drafts.map(([id, { id: inner }]) => ({ id, message: { id: inner } })) })
    }
    if (method === 'POST' && path === '/drafts') {
      const { message } = JSON.parse(body) as { message: { raw: string; threadId?: string } }
      const mail = this.add(Buffer.from(message.raw, 'base64url').toString('utf8'), 'DRAFT', message.threadId)
      this.drafts.set(`d-${mail.id}`, mail)
      return reply(200, { id: `d-${mail.id}`, message: { id: mail.id, threadId: mail.threadId } })
    }
    if (path === '/drafts/send') {
      const { id } = JSON.parse(body) as { id: string }
      const mail = this.drafts.get(id)
      if (mail === undefined) return reply(404, { error: { message: 'Requested entity was not found.' } })
      if (typeof this.failSending === 'number') return reply(this.failSending, { error: { message: 'Not now.' } })
      this.drafts.delete(id)
      mail.labels = ['SENT']
      if (this.failSending === 'break') return void request.socket.destroy()
      return reply(200, { id: mail.id, threadId: mail.threadId, labelIds: ['SENT'] })
    }
    const mail = this.mails.find(({ id }) => path === `/messages/${id}`)
    if (mail === undefined) return reply(404, { error: { message: 'Requested entity was not found.' } })
    const reference = { id: mail.id, threadId: mail.threadId, labelIds: mail.labels }
    if (url.searchParams.get('format') === 'raw') {
      return reply(200, { ...reference, raw: Buffer.from(mail.raw).toString('base64url') })
    }
    const { headerLines } = await simpleParser(mail.raw)
    const headers = headerLines.map(({ line }) => ({
      name: line.slice(0, line.indexOf(':')),
      value: line.slice(line.indexOf(':') + 2),
    }))
    reply(200, { ...reference, snippet: 'Tom &amp; Dara don&#39;t', payload: { mimeType: 'multipart/mixed', headers } })
  }

  private find(q: string): Stored[] {
    const label = /in:sent/.test(q) ? 'SENT' : /in:drafts/.test(q) ? 'DRAFT' : 'INBOX'
    const messageId = /rfc822msgid:(\S+)/.exec(q)?.[1] ?? ''
    if (this.isSlow && label === 'SENT') return []
    return this.mails.filter(({ labels, raw }) => labels.includes(label) && raw.includes(messageId))
  }
}

const ORIGINAL = [
  'Message-ID: <in-1@cafe.example>',
  'References: <in-0@cafe.example>',
  'From: Yara <yara@cafe.example>',
  'To: lars@brindlemoor-coffee.example',
  'Date: Mon, 26 Oct 2026 09:00:00 +0000',
  'Subject: Torn bags',
  '',
  'Four bags were torn.',
].join('\r\n')

const MAIL: OutgoingMail = { to: ['yara@cafe.example'], cc: [], subject: 'Re: Torn bags', text: 'We are on it.' }
const REFRESH: GmailCredentials = { refreshToken: 'refresh', clientId: 'client', clientSecret: 'hush' }

let gmail: FakeGmail
let server: Server
let http: HttpClient
let base: string
let now = 0

function open(credentials: GmailCredentials = REFRESH): MailAccount {
  const address = 'Lars <lars@brindlemoor-coffee.example>'
  return gmailAccount({ credentials, http, address, now: () => now, baseUrl: base, tokenUrl: `${base}/token` })
}

beforeEach(async () => {
  gmail = new FakeGmail()
  now = Date.UTC(2026, 9, 31)
  server = createServer((request, response) => {
    gmail.answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  http = createHttpClient({ allowHosts: [`127.0.0.1:${port}`] })
})

afterEach(async () => {
  await http.close()
  server.close()
})

describe('signing in to Gmail', () => {
  it('gets an access token once, and a new one before it runs out', async () => {
    const account = open()
    await account.search('inbox', '', 5)
    await account.search('inbox', '', 5)
    expect(gmail.refreshes).toBe(1)
    now += 3_600_000
    await account.search('inbox', '', 5)
    expect(gmail.refreshes).toBe(2)
  })

  it('gets a new token when the old one is refused, and tries once more', async () => {
    const account = open()
    await account.search('inbox', '', 5)
    gmail.token = 'another'
    await expect(account.search('inbox', '', 5)).resolves.toEqual([])
    expect(gmail.refreshes).toBe(2)
  })

  it('suggests a fix when the sign-in fails, without the secrets', async () => {
    const wrong = open({ ...REFRESH, refreshToken: 'revoked' })
    const error = await wrong.search('inbox', '', 5).catch((thrown: Error) => thrown)
    expect(String(error)).toMatch(/invalid_grant.*TUTTI_GMAIL_REFRESH_TOKEN/)
    expect(String(error)).not.toMatch(/hush|revoked/)
  })
})

describe('reading Gmail', () => {
  it('searches in Gmail’s own syntax and lists without loading whole mails', async () => {
    gmail.add(ORIGINAL, 'INBOX')
    const found = await open().search('inbox', 'from:yara since:2026-10-01 "torn bags"', 5)
    expect(gmail.queries).toEqual(['in:inbox from:"yara" after:2026/10/01 "torn bags"'])
    expect(found).toMatchObject([
      {
        id: 'm1',
        folder: 'inbox',
        from: 'Yara <yara@cafe.example>',
        subject: 'Torn bags',
        date: '2026-10-26T09:00:00.000Z',
        snippet: "Tom & Dara don't",
        hasAttachments: true,
      },
    ])
  })

  it('cannot be redirected by quotes in a query', () => {
    expect(gmailQuery('inbox', { ...parseMailQuery(''), from: ['x" in:anywhere "'] })).toBe(
      'in:inbox from:"x  in:anywhere  "',
    )
  })

  it('reads a mail, and reports a missing one', async () => {
    const { id } = gmail.add(ORIGINAL, 'INBOX')
    expect(await open().read(id)).toMatchObject({ messageId: '<in-1@cafe.example>', text: 'Four bags were torn.' })
    await expect(open().read('nobody')).rejects.toThrow(/no mail "nobody" in this Gmail account/)
  })
})

describe('writing with Gmail', () => {
  it('saves a draft once', async () => {
    const account = open()
    expect(await account.draft(MAIL, 'key')).toEqual(await account.draft(MAIL, 'key'))
    expect(gmail.drafts.size).toBe(1)
  })

  it('answers in the thread', async () => {
    const { id, threadId } = gmail.add(ORIGINAL, 'INBOX', 'thread 7')
    const receipt = await open().reply(id, MAIL, 'key')
    const sent = gmail.mails.find((mail) => mail.id === receipt.id)!
    expect(sent).toMatchObject({ threadId, labels: ['SENT'] })
    const parsed = await simpleParser(sent.raw)
    expect(parsed.inReplyTo).toBe('<in-1@cafe.example>')
    expect(parsed.references).toEqual(['<in-0@cafe.example>', '<in-1@cafe.example>'])
  })

  it('sends once, and recognises the sent mail afterwards', async () => {
    const account = open()
    const receipt = await account.send(MAIL, 'key')
    expect(await account.check('key')).toEqual({ state: 'done', receipt })
    expect(await account.send(MAIL, 'key')).toMatchObject({ note: expect.stringContaining('not sent again') })
    expect(gmail.mails.filter(({ labels }) => labels.includes('SENT'))).toHaveLength(1)
  })

  it('recognises a mail that is still a draft as unsent, and sends that draft', async () => {
    const account = open()
    gmail.failSending = 403
    await expect(account.send(MAIL, 'key')).rejects.toThrow(/Gmail refused: Not now.*gmail.compose/)
    expect(await account.check('key')).toEqual({ state: 'not-done' })
    gmail.failSending = undefined
    await account.send(MAIL, 'key')
    expect(gmail.mails).toHaveLength(1)
  })

  it('reports an unknown state when a mail is neither a draft nor among the sent ones', async () => {
    const account = open()
    gmail.failSending = 'break'
    gmail.isSlow = true
    await expect(account.send(MAIL, 'key')).rejects.toMatchObject({ code: 'HttpRequestError' })
    expect(await account.check('key')).toEqual({ state: 'unknown' })
    gmail.isSlow = false
    expect(await account.check('key')).toMatchObject({ state: 'done' })
  })
})
