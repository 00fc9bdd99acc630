import type { buildConnector, Dispatcher, Pool } from 'undici'
import { guardedConnector, type Lookup } from './connect.ts'
import type { HttpPolicy, ProxySettings } from './policy.ts'

const CONNECT_TIMEOUT_MS = 10_000
const CONNECTIONS_PER_HOST = 8

/**
 * Connections with one policy. The client sets timeouts, not this. If there is a proxy, it dials; proxies are
 * configured by the operator and not checked. Environment variables are ignored.
 */
export async function createDispatcher(policy: HttpPolicy, lookup: Lookup, proxy?: ProxySettings): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent, Pool, buildConnector } = await import('undici')
  const options = {
    connections: CONNECTIONS_PER_HOST,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: guardedConnector(policy, lookup, (checked) =>
      // A connector per dial: its look-up is bound to the host and port of the dial. TLS sessions are not resumed.
      buildConnector({ lookup: checked, timeout: CONNECT_TIMEOUT_MS, maxCachedSessions: 0 }),
    ),
  }
  if (proxy === undefined) return new Agent(options)
  const { http = '', https = '', noProxy = '' } = proxy
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: http,
    httpsProxy: https,
    noProxy,
    proxyTunnel: false,
    factory: (origin: string | URL, given: object) => new Pool(origin, withFinalErrors(given)),
  })
}

/**
 * undici retries `UND_ERR_SOCKET` immediately, and forever if a proxy drops each tunnel. With another code the error is
 * passed to the request.
 */
function withFinalErrors(options: Pool.Options): Pool.Options {
  const { connect } = options
  if (typeof connect !== 'function') return options
  const connectOnce: buildConnector.connector = (to, callback) =>
    connect(to, (...[error, socket]) => {
      if (error === null) return callback(null, socket)
      callback(Object.assign(new Error('no connection', { cause: error }), { code: finalCode(error) }), null)
    })
  return { ...options, connect: connectOnce }
}

function finalCode(error: NodeJS.ErrnoException): string | undefined {
  return error.code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : error.code
}
