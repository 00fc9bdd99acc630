import { connect, type Socket } from 'node:net'
import type { Composed } from '../compose.ts'
import { toMailError, mailError } from '../errors.ts'
import type { ServerSettings } from './settings.ts'

const CONNECT_MS = 15_000
const SOCKET_MS = 60_000

/** The server's reply to a mail. `lost` means that it is unknown whether it accepted the mail. */
export type Delivery =
  | { readonly state: 'accepted'; readonly refused: readonly string[] }
  | { readonly state: 'refused'; readonly error: Error }
  | { readonly state: 'lost'; readonly error: Error }

/** A signed-in connection for sending. */
export interface SmtpSession {
  deliver(from: string, mail: Composed): Promise<Delivery>
  close(): void
}

interface SmtpFailure {
  readonly responseCode?: number
  readonly command?: string
  readonly code?: string
  /** Of the operating system. */
  readonly originalCode?: string
}

/**
 * Connects and signs in, so that all errors before the mail is transferred occur here.
 * @throws TuttiError `MailError`: nothing has been sent
 */
export async function openSmtp(settings: ServerSettings): Promise<SmtpSession> {
  const { createTransport } = await import('nodemailer')
  const { host, port, security, user, password, target } = settings
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    ...(security === 'tls' ? {} : security === 'starttls' ? { requireTLS: true } : { ignoreTLS: true }),
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    ...(target === undefined ? {} : { getSocket: openedBy(() => connect(target(host, port))) }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.verify()
  } catch (thrown) {
    transport.close()
    if ((thrown as SmtpFailure).code === 'EAUTH') {
      throw mailError(`${host} did not accept the sign-in of "${user}". Check user and password.`, { cause: thrown })
    }
    throw toMailError(thrown, `The SMTP server ${host} cannot be used; nothing was sent`, [password])
  }
  return {
    async deliver(from, { raw, recipients }) {
      try {
        const info = await transport.sendMail({ envelope: { from, to: [...recipients] }, raw })
        return { state: 'accepted', refused: info.rejected.map(String) }
      } catch (thrown) {
        const error = toMailError(thrown, `The SMTP server ${host} did not take the mail`, [password])
        return { state: isRefusal(thrown as SmtpFailure) ? 'refused' : 'lost', error }
      }
    },
    close: () => transport.close(),
  }
}

/** An answer of 4xx or 5xx to a command means that the server took no responsibility (RFC 5321, section 4.2.5). */
function isRefusal({ responseCode, command, code, originalCode }: SmtpFailure): boolean {
  if (code === 'EENVELOPE' || code === 'EAUTH' || code === 'EDNS' || originalCode === 'ECONNREFUSED') return true
  return responseCode !== undefined && responseCode >= 400 && command !== 'CONN'
}

/** Hands nodemailer a connected socket, since it looks names up on its own. */
function openedBy(open: () => Socket) {
  return (_options: unknown, done: (error: Error | null, socketOptions?: object) => void): void => {
    const socket = open().setTimeout(CONNECT_MS, () => socket.destroy(new Error('Connection timeout')))
    socket.once('error', done)
    socket.once('connect', () => {
      socket.off('error', done).setTimeout(0)
      done(null, { connection: socket })
    })
  }
}
