import type { ImapFlow, MailboxLockObject } from 'imapflow'
import { TuttiError } from '../../domain/errors.ts'
import { toMailError, mailError } from '../errors.ts'
import type { ServerSettings } from './settings.ts'

const CONNECT_MS = 15_000
const SOCKET_MS = 60_000

/**
 * Connects, runs one task, and logs out. Each task has its own connection, so that none becomes stale and a lost server
 * is noticed immediately.
 * @throws TuttiError `MailError`, retryable unless the sign-in was rejected
 */
export async function withImap<T>(
  settings: ServerSettings,
  signal: AbortSignal | undefined,
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const { ImapFlow } = await import('imapflow')
  signal?.throwIfAborted()
  const { host, port, security, user, password, target } = settings
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
    auth: { user, pass: password },
    ...(target === undefined ? {} : { tls: { lookup: target(host, port).lookup } as object }),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
  })
  let connectionError: unknown
  client.on('error', (error: unknown) => (connectionError = error))
  const abort = (): void => client.close()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    await client.connect()
    const result = await work(client)
    await client.logout().catch(() => client.close())
    return result
  } catch (thrown) {
    signal?.throwIfAborted()
    throw imapError(thrown, connectionError, settings)
  } finally {
    signal?.removeEventListener('abort', abort)
    client.close()
  }
}

/** Selects a mailbox during the task. */
export async function withMailbox<T>(
  client: ImapFlow,
  path: string,
  readOnly: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const lock: MailboxLockObject = await client.getMailboxLock(path, { readOnly })
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function imapError(thrown: unknown, underlying: unknown, { host, user, password }: ServerSettings): TuttiError {
  if (TuttiError.isInstance(thrown)) return thrown
  if ((thrown as { authenticationFailed?: boolean }).authenticationFailed === true) {
    return mailError(`${host} did not accept the sign-in of "${user}". Check user and password.`, { cause: thrown })
  }
  const cause = (thrown as { code?: string }).code === 'NoConnection' ? (underlying ?? thrown) : thrown
  return toMailError(cause, `The IMAP server ${host} did not complete the request`, [password])
}
