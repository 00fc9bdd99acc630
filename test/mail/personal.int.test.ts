import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem } from '../../src/server/problems.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { DOVECOT_MISSING, startDovecot } from './dovecot.ts'
import { startMailServer } from './smtp.ts'

const ADDRESS = 'Lars Bellander <lars.bellander@brindlemoor-coffee.example>'
/** A planted value: any occurrence is a leak. */
const PASSWORD = 'plantedMailbox0042'
const QUESTION = 'Which mails came in from Yara?'

interface Shown {
  readonly servers: readonly string[]
  readonly mailbox?: Readonly<Record<string, unknown>>
}
type Answered = Problem & { readonly answer: string }

const title = DOVECOT_MISSING === '' ? '' : ` (skipped: ${DOVECOT_MISSING})`

describe.skipIf(DOVECOT_MISSING !== '')(`a personal mailbox${title}`, () => {
  const folder = temporaryFolder()
  const traces = openForAll(() => startOtlpReceiver())
  const imap = openForAll(() => startDovecot(PASSWORD))
  const smtp = openForAll(() => startMailServer(PASSWORD))
  let world: HttpWorld
  const ids = new Map<string, string>()
  const open = async (servers: readonly string[]): Promise<HttpWorld> =>
    startHttpWorld(
      {
        storage: { folder },
        config: { mail: { personalServers: [...servers] } },
        cwd: folder,
        tracing: { receivers: [{ kind: 'otlp', url: traces.url }], content: true },
      },
      (people) =>
        async ({ headers }) =>
          people.callerOf(ids.get(String(headers['x-test-person']))!),
    )
  const entered = (more: object = {}): object => ({
    address: ADDRESS,
    imap: `127.0.0.1:${imap.port}`,
    smtp: `127.0.0.1:${smtp.port}`,
    user: 'lars',
    password: PASSWORD,
    ...more,
  })
  const put = async (as: string, more: object = {}): Promise<Response> =>
    world.fetch('/mailbox', { as, method: 'PUT', json: entered(more) })
  const ask = async (as: string, question = QUESTION): Promise<Answered> =>
    world.json<Answered>('/query', { as, json: { question, context: { current_date: '2026-10-31' } } })

  /** All stored data, as on disk. */
  const plain = async (): Promise<string> => {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
    return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('')
  }

  beforeAll(async () => {
    world = await open([`127.0.0.1:${imap.port}`, `127.0.0.1:${smtp.port}`])
    for (const username of ['root', 'ada', 'ben']) {
      const role = username === 'root' ? 'admin' : 'member'
      ids.set(username, (await world.app.people.accounts.add('test', { username, role })).userId)
    }
  })
  afterAll(() => world?.close())

  it('is stored only if both servers accept the sign-in', async () => {
    for (const [more, said] of [
      [{ password: 'guessed' }, 'did not accept the sign-in of "lars"'],
      [{ imap: '127.0.0.1:1' }, 'is not allowed. Allowed are'],
      [{ imap: '127.0.0.1' }, 'is not allowed. Allowed are'],
      [{ imap: `127.0.0.1:${smtp.port}`, smtp: '169.254.169.254' }, 'is not allowed. Allowed are'],
      [{ imap: `http://127.0.0.1:${imap.port}` }, 'is no server; write host or host:port'],
      [{ imap: `127.0.0.1:${imap.port}@evil.example` }, 'is no server; write host or host:port'],
      [{ imap: `127.0.0.1:${imap.port}/`, smtp: '' }, 'smtp'],
      [{ address: 'nobody' }, 'is not a mail address'],
      [{ address: 'Lars <lars@b.example>\r\nBcc: eve@evil.example' }, 'is not a mail address'],
    ] as const) {
      const response = await put('ada', more)
      expect([more, response.status]).toEqual([more, 400])
      expect(((await response.json()) as Problem).detail).toContain(said)
    }
    // The server accepts the sign-in for reading, but not for sending.
    const refused = await put('ada', { user: 'somebody' })
    expect(refused.status).toBe(400)
    expect(((await refused.json()) as Problem).detail).toContain('did not accept the sign-in of "somebody"')
    expect(await world.json<Shown>('/mailbox')).toEqual({
      servers: [`127.0.0.1:${imap.port}`, `127.0.0.1:${smtp.port}`],
    })

    const kept = await put('ada')
    expect(kept.status).toBe(200)
    const { mailbox } = (await kept.json()) as Shown
    expect(mailbox).toEqual({
      address: ADDRESS,
      imap: `127.0.0.1:${imap.port}`,
      smtp: `127.0.0.1:${smtp.port}`,
      user: 'lars',
      changedAt: expect.any(String),
    })
  })

  it('answers questions of its owner only', async () => {
    expect((await ask('ada')).answer).toContain('Yara')
    expect(JSON.stringify(await world.json('/about', { as: 'ada' }))).toContain('"mail"')
    for (const as of ['ben', 'root']) {
      expect((await ask(as)).answer).not.toContain('Yara ')
      expect(JSON.stringify(await world.json('/about', { as }))).not.toContain('"mail"')
      expect(await world.json<Shown>('/mailbox', { as })).not.toHaveProperty('mailbox')
      const { items } = await world.json<{ items: { name: string; unavailable?: string }[] }>('/agents', { as })
      expect(items.find(({ name }) => name === 'mail')?.unavailable).toContain('No mail account')
      expect((await world.fetch('/mailbox', { as, method: 'DELETE' })).status).toBe(404)
    }
  })

  it('sends from its owner’s address, after approval', async () => {
    const question = 'Send a mail to dara.tolliver@brindlemoor-coffee.example: the count is done'
    const { runId } = await world.json<{ runId: string }>('/runs', { as: 'ada', json: { question } })
    let approvalId: string | undefined
    for (let look = 0; look < 500 && approvalId === undefined; look++) {
      const { items } = await world.json<{ items: { approvalId: string }[] }>('/approvals', { as: 'ada' })
      approvalId = items[0]?.approvalId
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(smtp.taken).toEqual([])
    await world.json(`/approvals/${approvalId}/decide`, { as: 'ada', json: { decision: 'approved' } })
    await world.app.as(ids.get('ada')!).runs.outcome(runId)
    expect(smtp.taken.map(({ from, to }) => [from, ...to])).toEqual([
      ['lars.bellander@brindlemoor-coffee.example', 'dara.tolliver@brindlemoor-coffee.example'],
    ])
  })

  it('is encrypted, exported without its password, and erased with its user', async () => {
    await world.app.people.accounts
      .add('test', { username: 'cleo', role: 'member' })
      .then(({ userId }) => ids.set('cleo', userId))
    expect((await put('cleo', { address: 'Cleo Zanzibarian <lars@b.example>' })).status).toBe(200)
    const cleo = ids.get('cleo')!
    const archive = gunzipSync(await buffer(await world.app.exportPerson(cleo))).toString()
    expect(archive).toContain('Cleo Zanzibarian')
    expect(archive).not.toMatch(/"(?:password|sealed)"/)
    expect(await plain()).not.toContain('Zanzibarian')
    const { app } = world
    expect(await app.people.mailboxes.get(cleo)).toMatchObject({ password: PASSWORD })
    await app.erasePerson('test', cleo)
    expect(await app.people.mailboxes.get(cleo)).toBeUndefined()
  })

  it('has a password that is in no run of its owner and no file, although the owner and a mail mention it', async () => {
    const spellings = [
      PASSWORD,
      Buffer.from(PASSWORD).toString('base64'),
      Buffer.from(`\0lars\0${PASSWORD}`).toString('base64'),
    ]
    const found = (text: string): readonly string[] => spellings.filter((one) => text.includes(one))
    await imap.deliver(
      `From: Yara Jansevoort <yara@b.example>\r\nTo: lars@b.example\r\nSubject: Sesame ${PASSWORD}\r\nMessage-ID: <sesame@b.example>\r\nDate: Fri, 30 Oct 2026 10:00:00 +0000\r\n\r\nThe sesame is ${PASSWORD}.\r\n`,
    )
    const seen: string[] = []
    for (const question of [
      `Which mails say ${PASSWORD}?`,
      'What does the mail about sesame from Yara say?',
      `What is ${PASSWORD}?`,
    ]) {
      const { runId, conversationId } = await world.json<{ runId: string; conversationId: string }>('/runs', {
        as: 'ada',
        json: { question },
      })
      await world.app.as(ids.get('ada')!).runs.outcome(runId)
      for (const path of [
        `/runs/${runId}`,
        `/runs/${runId}/events`,
        `/runs/${runId}/events?format=log`,
        `/runs/${runId}/plan`,
      ])
        seen.push(await (await world.fetch(path, { as: 'ada' })).text())
      if (conversationId !== undefined)
        seen.push(await (await world.fetch(`/conversations/${conversationId}/export`, { as: 'ada' })).text())
    }
    for (const path of ['/runs', '/conversations', '/memory', '/approvals', '/mailbox'])
      seen.push(await (await world.fetch(path, { as: 'ada' })).text())
    for (const path of ['/executions/all', '/audit', '/settings'])
      seen.push(await (await world.fetch(path, { as: 'root' })).text())
    seen.push(gunzipSync(await buffer(await world.app.exportPerson(ids.get('ada')!))).toString('latin1'))
    expect(seen.join('\n')).toContain('esame')
    expect(traces.requests.length).toBeGreaterThan(0)
    seen.push(...traces.requests.map(({ body }) => body))
    expect(seen.flatMap((text, i) => found(text).map((leak) => `${i}: ${leak}`))).toEqual([])
    expect(found(await plain())).toEqual([])
    // Masking reveals nothing to other users.
    const asked = await ask('ben', `What is ${PASSWORD}?`)
    expect(JSON.stringify(asked)).toContain(PASSWORD)
  })

  it('is inactive while no admin allows its servers, without a fallback, and is removed on its owner’s request', async () => {
    await world.close()
    world = await open([])
    const refused = (await (await put('ada')).json()) as Problem
    expect(refused.detail).toContain('"personalServers": ["127.0.0.1"]')
    const { items } = await world.json<{ items: { name: string; unavailable?: string }[] }>('/agents', { as: 'ada' })
    expect(items.find(({ name }) => name === 'mail')?.unavailable).toContain('Your own mailbox cannot be used.')
    expect((await world.fetch('/mailbox', { as: 'ada', method: 'DELETE' })).status).toBe(204)
    expect(await world.json<Shown>('/mailbox', { as: 'ada' })).toEqual({ servers: [] })
    expect((await world.fetch('/mailbox', { as: 'ada', method: 'DELETE' })).status).toBe(404)
  })
})
