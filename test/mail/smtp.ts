/** A mail server on loopback that stores accepted mails, and can fail at a chosen moment. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Taken {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

export interface MailServer {
  /** `smtp://lars:${expected}@127.0.0.1:port` */
  readonly url: string
  readonly port: number
  readonly taken: readonly Taken[]
  /** Sets the behaviour for the next mails. */
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

export interface Behaviour {
  /** Refused recipients. */
  readonly refuse?: readonly string[]
  /** Called at MAIL FROM, before the mail is accepted. */
  readonly onSender?: () => void
  /** Called after a mail is accepted, before the reply to the client. */
  readonly onTaken?: (mail: Taken) => void
  /** Closes the connection instead of confirming the mail. */
  readonly hangUp?: boolean
}

export async function startMailServer(expected = 'secret'): Promise<MailServer> {
  const taken: Taken[] = []
  let behaviour: Behaviour = {}
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, callback) {
      if (username === 'lars' && password === expected) callback(null, { user: username })
      else callback(new Error('wrong password'))
    },
    onMailFrom(_address, _session, callback) {
      behaviour.onSender?.()
      callback()
    },
    onRcptTo({ address }, _session, callback) {
      const isRefused = behaviour.refuse?.includes(address) === true
      callback(isRefused ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null)
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const mail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        }
        taken.push(mail)
        behaviour.onTaken?.(mail)
        if (behaviour.hangUp === true) for (const socket of sockets) socket.destroy()
        else callback()
      })
    },
  })
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://lars:${expected}@127.0.0.1:${port}`,
    port,
    taken,
    behave: (next) => (behaviour = next),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
