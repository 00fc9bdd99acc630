import type { FastifyRequest } from 'fastify'
import { hasScope, mayUse, scopeNeeded, SCOPES, type Access, type Caller } from '../domain/caller.ts'
import { TuttiError } from '../domain/errors.ts'
import { LOCAL_OWNER } from '../domain/owner.ts'
import { isLoopbackHost } from '../domain/server-url.ts'
import type { Asking, Authenticate } from './context.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @throws TuttiError `NotAllowed` for a change that a page of another site asks a browser for */
export function assertSameSite(request: Pick<FastifyRequest, 'method' | 'headers' | 'host' | 'protocol'>): void {
  const { method, headers } = request
  // Who sends a key of their own does not rely on what a browser adds on its own, as it does a name and password.
  if (SAFE.has(method) || /^Bearer\s/i.test(headers.authorization ?? '')) return
  const site = headers['sec-fetch-site']
  // `none` is what no page asked for.
  if ([undefined, 'same-origin', 'none'].includes(site as string | undefined) && isOwnOrigin(request)) return
  throw new TuttiError('NotAllowed', 'This came from a page of another site. Use an API key from there.')
}

function isOwnOrigin({ headers, host, protocol }: Pick<FastifyRequest, 'headers' | 'host' | 'protocol'>): boolean {
  const { origin } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin) || new URL(origin).host !== host) return false
  // Behind a proxy that is not trusted the browser alone knows that it is encrypted. It says so, and no page can in its place.
  return new URL(origin).protocol === `${protocol}:` || headers['sec-fetch-site'] === 'same-origin'
}

/** @throws TuttiError `NotSignedIn`, `NotAllowed` */
export function assertAccess(caller: Caller | undefined, access: Access): void {
  if (access === 'public') return
  if (caller === undefined) {
    throw new TuttiError('NotSignedIn', 'Sign in, or send an API key as "Authorization: Bearer …".')
  }
  if (mayUse(caller, access)) return
  const lacks = hasScope(caller.scopes, access)
    ? `the role ${access.role}`
    : `a key with the scope ${scopeNeeded(access)}`
  throw new TuttiError('NotAllowed', `This needs ${lacks}.`)
}

/**
 * A key's own words cannot continue working when it is revoked, so what leads in or out on its own is a person's to make.
 * @throws TuttiError `NotAllowed` for a key without the scope `admin`
 */
export function assertMayOutlive({ kind, scopes }: Caller, made: string): void {
  if (kind !== 'key' || scopes.includes('admin')) return
  throw new TuttiError(
    'NotAllowed',
    `${made} would outlive the key; this needs a person, or a key with the scope admin.`,
  )
}

/** What proxies add; one that adds nothing cannot be told from a browser. */
const OF_PROXIES = /^(?:forwarded|via|x-forwarded-.*|cf-.*|x-real-ip|(?:x-|true-|x-cluster-|fastly-|fly-)?client-ip)$/

/** The one user of a machine on which nobody signs in. */
export const LOCAL_CALLER: Caller = { userId: LOCAL_OWNER, role: 'admin', groups: [], scopes: SCOPES, kind: 'demo' }

/** Where no one has an account: whoever sits at this machine is its one user, whose runs the command line shows, too. */
export const signInLocally: Authenticate = async (asking) => {
  if (!isFromHere(asking)) {
    throw new TuttiError(
      'NotAllowed',
      'Without accounts Tutti is there for its own machine alone: open it at 127.0.0.1.',
    )
  }
  return LOCAL_CALLER
}

/** Whether it comes from this machine, as far as that can be told. */
export function isFromHere({ headers, ip, raw }: Asking): boolean {
  // A name that leads here may be any site's, and a proxy would let in all the world. Browsers speak no HTTP/1.0, proxies do.
  const isForwarded = raw?.httpVersion === '1.0' || Object.keys(headers).some((name) => OF_PROXIES.test(name))
  return !isForwarded && isLoopbackHost(ip) && isLoopbackHost(hostOf(headers['host']))
}

function hostOf(header: unknown): string {
  const url = `http://${String(header)}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}
