import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startMailServer } from '../../test/mail/smtp.ts'
import type { HttpClient } from '../http/client.ts'
import { guardedTarget } from '../http/connect.ts'
import { openSmtp } from '../mail/imap/smtp.ts'
import { checkOptions } from './check-options.ts'
import { openDatabases } from './databases.ts'
import { openMail } from './sources.ts'
import { openModels } from './models.ts'
import type { AppOptions } from './config/options.ts'

/** Counts connections and ends each at once. */
let server: Server
let port: number
let reached = 0
beforeAll(async () => {
  server = createServer((socket) => {
    reached++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => server.close())
beforeEach(() => {
  reached = 0
})

type Attempt = (host: string, options: Pick<AppOptions, 'allowHosts'>) => Promise<unknown>

const database = async (url: string, options: Pick<AppOptions, 'allowHosts'>): Promise<void> => {
  const databases = [{ name: 'shop', url, publicOnly: true }]
  const { sources, close } = openDatabases(checkOptions({ ...options, config: { databases } }))
  await sources[0]!.protections!(new AbortController().signal).finally(close)
}
const mail = async (
  servers: { readonly url: string; readonly smtpUrl?: string },
  options: Pick<AppOptions, 'allowHosts'>,
): Promise<void> => {
  const config = { mail: { ...servers, from: 'ada@example.com', publicOnly: true } }
  const account = openMail(checkOptions({ ...options, config }), {} as HttpClient)!
  if (servers.smtpUrl === undefined) await account.search('inbox', '', 1)
  else await account.send({ to: ['bob@example.com'], cc: [], subject: 'Hello', text: 'Hello' }, 'key')
}

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  PostgreSQL: (host, options) => database(`postgres://reader:secret@${host}:${port}/shop`, options),
  MySQL: (host, options) => database(`mysql://reader:secret@${host}:${port}/shop`, options),
  'IMAP with TLS': (host, options) => mail({ url: `imaps://ada:secret@${host}:${port}` }, options),
  'IMAP with STARTTLS': (host, options) =>
    mail({ url: `imap://ada:secret@${host}:${port}?security=starttls` }, options),
  model: async (host, options) => {
    const provider = { kind: 'compatible', baseUrl: `http://${host}:${port}/v1`, publicOnly: true } as const
    const models = openModels(checkOptions({ ...options, models: { providers: [provider] } }))
    await models.check(new AbortController().signal)
  },
}

describe.each(Object.keys(ATTEMPTS))('a connection to the public internet only: %s', (kind) => {
  const attempt = ATTEMPTS[kind]!

  it.each(['localhost', '127.0.0.1', '2130706433'])('reaches no internal host: %s', async (host) => {
    await attempt(host, {}).catch(() => undefined)
    expect(reached).toBe(0)
  })

  it('reaches a host that the operator allows', async () => {
    await attempt('localhost', { allowHosts: ['localhost'] }).catch(() => undefined)
    expect(reached).toBeGreaterThan(0)
  })
})

it('sends mail through a checked connection, and opens none to an internal host', async () => {
  const mails = await startMailServer()
  const open = (allowHosts: readonly string[]) =>
    openSmtp({
      host: 'localhost',
      port: mails.port,
      security: 'plain',
      user: 'lars',
      password: 'secret',
      target: guardedTarget({ allowHosts }),
    })
  await expect(open([])).rejects.toThrow('public internet')
  const session = await open(['localhost'])
  const raw = Buffer.from('Subject: Hello\r\n\r\nHello\r\n')
  const sent = await session.deliver('lars@example.com', { raw, recipients: ['bob@example.com'] } as never)
  session.close()
  await mails.close()
  expect(sent.state).toBe('accepted')
  expect(mails.taken).toHaveLength(1)
})
