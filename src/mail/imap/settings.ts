import { TuttiError } from '../../domain/errors.ts'
import { isLoopbackHost, readServerUrl } from '../../domain/server-url.ts'
import type { ConnectTarget } from '../../http/connect.ts'

/** How to connect to a server. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, `starttls` before anything is said, or nothing. */
  readonly security: 'tls' | 'starttls' | 'plain'
  readonly user: string
  readonly password: string
  /** How to connect; throws where the server must not be reached. */
  readonly target?: ConnectTarget
}

const PORTS = { imap: { tls: 993, other: 143 }, smtp: { tls: 465, other: 587 } } as const

/**
 * Parses `imaps://user:password@host[:port]`, and `imap:`, `smtps:` and `smtp:`. Connections are encrypted unless the
 * host is this machine or the URL ends in `?security=plain`. Special characters in user and password are
 * percent-encoded.
 * @throws TuttiError `ConfigurationError`, without the password in it
 */
export function parseServerUrl(text: string, kind: 'imap' | 'smtp'): ServerSettings {
  const url = readServerUrl(text, `The address of the ${kind.toUpperCase()} server`)
  const scheme = url?.protocol.slice(0, -1)
  if (url === undefined || (scheme !== kind && scheme !== `${kind}s`) || url.hostname === '') {
    throw invalid(`The address of the ${kind.toUpperCase()} server must look like ${kind}s://user:password@host`)
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const requested = url.searchParams.get('security')
  if (requested !== null && requested !== 'plain' && requested !== 'starttls') {
    throw invalid(`"security=${requested.slice(0, 20)}" in the address of ${host} must be "plain" or "starttls"`)
  }
  const implied = scheme === `${kind}s` ? 'tls' : isLoopbackHost(host) ? 'plain' : 'starttls'
  const security = implied === 'tls' ? 'tls' : (requested ?? implied)
  if (implied === 'tls' && requested === 'plain') {
    throw invalid(`The address of ${host} asks for TLS and for none; write ${kind}:// with ?security=plain`)
  }
  return {
    host,
    port: url.port === '' ? PORTS[kind][security === 'tls' ? 'tls' : 'other'] : Number(url.port),
    security,
    user: decoded(url.username, host),
    password: decoded(url.password, host),
  }
}

function decoded(text: string, host: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(`User or password in the address of ${host} has a "%" that must be written as "%25"`)
  }
}

function invalid(message: string): TuttiError {
  return new TuttiError('ConfigurationError', `${message}.`)
}
