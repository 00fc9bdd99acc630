import { lookup as dnsLookup } from 'node:dns'
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net'
import type { buildConnector } from 'undici'
import { isIpAddress } from './addresses.ts'
import { addressRefused, normalizeHost, portOf } from './check-url.ts'
import { createPolicy, type HttpPolicy, type HttpPolicyOptions } from './policy.ts'

export interface FoundAddress {
  readonly address: string
  readonly family: number
}

/** Resolves all addresses of a host. Tests inject their own. */
export type Lookup = (host: string) => Promise<readonly FoundAddress[]>

/** The system's resolver, which also knows the hosts file. */
export const systemLookup: Lookup = (host) =>
  new Promise((resolve, reject) => {
    dnsLookup(host, { all: true, verbatim: true }, (error, found) => (error === null ? resolve(found) : reject(error)))
  })

/**
 * All addresses of a host. If one of them is blocked, the host is: any of them may be dialled.
 * @throws TuttiError `HttpRequestError` with rule `address`
 */
async function checkedAddresses(
  host: string,
  port: number,
  policy: HttpPolicy,
  lookup: Lookup,
): Promise<readonly FoundAddress[]> {
  const found = await lookup(host)
  if (found.length === 0) throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' })
  for (const { address } of found) {
    const kind = policy.addressProblem(address, host, port)
    if (kind !== undefined) throw addressRefused(host, kind, address)
  }
  return found
}

/**
 * A proxy resolves names itself, so they are checked here first. A name that only the proxy can resolve is left to it:
 * the name of an internal host would resolve here, too.
 */
export async function checkBeforeProxy(url: URL, policy: HttpPolicy, lookup: Lookup): Promise<void> {
  try {
    await checkedAddresses(normalizeHost(url), portOf(url), policy, lookup)
  } catch (thrown) {
    if (!['ENOTFOUND', 'EAI_AGAIN'].includes((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown
  }
}

/**
 * Dials with three checks: an address in the URL, every answer of the resolver (exactly the answer that is dialled, so
 * that a second look-up cannot differ), and the connected address.
 * @param dial creates undici's connector with the given look-up
 */
export function guardedConnector(
  policy: HttpPolicy,
  lookup: Lookup,
  dial: (lookup: LookupFunction) => buildConnector.connector,
): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    const fail = (error: Error): void => callback(error, null)
    if (isIpAddress(host)) {
      const kind = policy.addressProblem(host, host, port)
      if (kind !== undefined) return fail(addressRefused(host, kind))
    }
    dial(checkedLookup(host, port, policy, lookup))(options, (...[error, socket]) => {
      if (error !== null) return fail(error)
      const peer = socket.remoteAddress ?? ''
      const kind = policy.addressProblem(peer, host, port)
      if (kind === undefined) return callback(null, socket)
      socket.destroy()
      fail(addressRefused(host, kind, peer))
    })
  }
}

/** A look-up for `net.connect` that checks each answer. Exactly the checked address is dialled. */
function checkedLookup(host: string, port: number, policy: HttpPolicy, lookup: Lookup): LookupFunction {
  return async (_name, { all }, done) => {
    const answer = await checkedAddresses(host, port, policy, lookup).catch((error: NodeJS.ErrnoException) => error)
    if (answer instanceof Error) done(answer, '')
    else if (all === true) done(null, [...answer])
    else done(null, answer[0]!.address, answer[0]!.family)
  }
}

/**
 * Options of `net.connect` for drivers of other protocols, with the same policy and any port.
 * @throws TuttiError `HttpRequestError` with rule `address` if the address is blocked
 */
export type ConnectTarget = (host: string, port: number) => TcpNetConnectOpts & { readonly lookup: LookupFunction }

export function guardedTarget(options: HttpPolicyOptions, lookup: Lookup = systemLookup): ConnectTarget {
  const policy = createPolicy(options)
  return (written, port) => {
    const host = written.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    // Node.js does not call the look-up for addresses.
    const kind = isIP(host) === 0 ? undefined : policy.addressProblem(host, host, port)
    if (kind !== undefined) throw addressRefused(host, kind)
    return { host, port, lookup: checkedLookup(host, port, policy, lookup) }
  }
}
