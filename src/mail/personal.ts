import { TuttiError } from '../domain/errors.ts'
import type { Mailbox } from '../domain/mailbox.ts'
import { isLoopbackHost } from '../domain/server-url.ts'
import type { ConnectTarget } from '../http/connect.ts'
import { bareAddress, parseAddress, printable } from './address.ts'
import { imapAccount } from './imap/account.ts'
import { withImap } from './imap/connection.ts'
import type { ServerSettings } from './imap/settings.ts'
import { openSmtp } from './imap/smtp.ts'
import type { MailAccount } from './types.ts'

interface Servers {
  readonly imap: ServerSettings
  readonly smtp?: ServerSettings
}

/** The first port is the default. On the ports of `tls`, connections use TLS from the start. */
const PORTS = { imap: [993, 143], smtp: [465, 587] } as const
const TLS = new Set([993, 465])

/**
 * A mailbox on servers that an admin allows: `host` with the usual mail ports, or `host:port`. Connections use TLS or
 * STARTTLS unless the server is this machine.
 * @throws TuttiError `InvalidRequest` for other servers and for an invalid address
 */
export function personalAccount(mailbox: Mailbox, allowed: readonly string[], now: () => number): MailAccount {
  return imapAccount({ ...serversOf(mailbox, allowed), address: sender(mailbox.address), now })
}

/**
 * Signs in at both servers, without further actions.
 * @throws TuttiError `InvalidRequest` as `personalAccount`; `MailError` if a server rejects the sign-in
 */
export async function assertSignsIn(
  mailbox: Mailbox,
  allowed: readonly string[],
  target?: ConnectTarget,
): Promise<void> {
  sender(mailbox.address)
  const { imap, smtp } = serversOf(mailbox, allowed)
  const reached = target === undefined ? {} : { target }
  await withImap({ ...imap, ...reached }, undefined, async () => undefined)
  if (smtp !== undefined) (await openSmtp({ ...smtp, ...reached })).close()
}

function serversOf({ imap, smtp, user, password }: Mailbox, allowed: readonly string[]): Servers {
  const server = (text: string, kind: keyof typeof PORTS): ServerSettings => {
    const { host, port } = allowedServer(text, kind, allowed)
    const security = isLoopbackHost(host) ? 'plain' : TLS.has(port) ? 'tls' : 'starttls'
    return { host, port, security, user, password }
  }
  return { imap: server(imap, 'imap'), ...(smtp === undefined ? {} : { smtp: server(smtp, 'smtp') }) }
}

function allowedServer(
  text: string,
  kind: keyof typeof PORTS,
  allowed: readonly string[],
): { readonly host: string; readonly port: number } {
  const named = parseHostAndPort(text)
  if (named === undefined)
    throw new TuttiError('InvalidRequest', `"${printable(text)}" is no server; write host or host:port.`)
  const usual: readonly number[] = PORTS[kind]
  const { host, port = usual[0]! } = named
  const isAllowed = allowed.some((one) => {
    const allowedPlace = parseHostAndPort(one)
    return (
      allowedPlace?.host === host &&
      (allowedPlace.port === undefined ? usual.includes(port) : allowedPlace.port === port)
    )
  })
  if (isAllowed) return { host, port }
  const serverName = `${kind.toUpperCase()} server ${host}:${port}`
  throw new TuttiError(
    'InvalidRequest',
    allowed.length === 0
      ? `Mailboxes of people are not allowed here. An admin allows the ${serverName} by "personalServers": ["${host}"] under "mail" in the configuration.`
      : `The ${serverName} is not allowed. Allowed are: ${allowed.join(', ')}. An admin can add servers to "personalServers" under "mail" in the configuration.`,
  )
}

/** Returns undefined if the text is neither `host` nor `host:port`. */
export function parseHostAndPort(text: string): { readonly host: string; readonly port?: number } | undefined {
  const [, host, port] = /^([a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text.trim()) ?? []
  if (host === undefined || (port !== undefined && (Number(port) === 0 || Number(port) > 65_535))) return undefined
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return { host: bare, ...(port === undefined ? {} : { port: Number(port) }) }
}

function sender(text: string): string {
  try {
    return parseAddress(text).name === '' ? bareAddress(text) : text
  } catch (thrown) {
    throw new TuttiError(
      'InvalidRequest',
      `The address that mails are sent from is not valid: ${(thrown as Error).message}`,
    )
  }
}
