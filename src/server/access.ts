import type { FastifyRequest } from 'fastify'
import { hasScope, mayUse, scopeNeeded, SCOPES, type Access, type Caller } from '../domain/caller.ts'
import { TuttiError } from '../domain/errors.ts'
import { LOCAL_OWNER } from '../domain/events.ts'
import { isLoopbackHost } from '../domain/server-url.ts'
import type { RequestIdentity, Authenticate } from './context.ts'

/** Access of a route, for its `config`. Roles are those of people; scopes are those of API keys. */
export const access = {
  public: { access: 'public' },
  read: { access: { role: 'viewer', scope: 'read' } },
  /** For runs by ID: a key with only the scope `ask` can read the runs that it started. */
  follow: { access: { role: 'viewer', scope: 'read', orScope: 'ask' } },
  /** A key with the scope `decide` must see what it decides. */
  readApprovals: { access: { role: 'viewer', scope: 'read', orScope: 'decide' } },
  decide: { access: { role: 'member', scope: 'decide' } },
  ask: { access: { role: 'member', scope: 'ask' } },
  documents: { access: { role: 'member', scope: 'documents' } },
  /** What outlives a key, or cannot be undone, needs a key with the scope `admin`. */
  manage: { access: { role: 'member', scope: 'admin' } },
  /** The caller's own account. */
  account: { access: { role: 'viewer', scope: 'admin' } },
  admin: { access: { role: 'admin', scope: 'admin' } },
} as const satisfies Readonly<Record<string, { readonly access: Access }>>

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @throws TuttiError `NotAllowed` for a change that a page of another site requested */
export function assertSameSite(request: Pick<FastifyRequest, 'method' | 'headers' | 'host' | 'protocol'>): void {
  const { method, headers } = request
  // A client that sends its own key is safe: browsers never add one automatically, unlike cookies or passwords.
  if (SAFE.has(method) || /^Bearer\s/i.test(headers.authorization ?? '')) return
  const site = headers['sec-fetch-site']
  // `none` means that no page made the request.
  if ([undefined, 'same-origin', 'none'].includes(site as string | undefined) && isOwnOrigin(request)) return
  throw new TuttiError('NotAllowed', 'This request came from a page of another site. Use an API key there.')
}

function isOwnOrigin({ headers, host, protocol }: Pick<FastifyRequest, 'headers' | 'host' | 'protocol'>): boolean {
  const { origin } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin) || new URL(origin).host !== host) return false
  // Behind an untrusted proxy only the browser knows that the connection is encrypted. It reports this in
  // `sec-fetch-site`, which no page can set.
  return new URL(origin).protocol === `${protocol}:` || headers['sec-fetch-site'] === 'same-origin'
}

/** @throws TuttiError `NotSignedIn`, `NotAllowed` */
export function assertAccess(caller: Caller | undefined, needed: Access): void {
  if (needed === 'public') return
  if (caller === undefined) {
    throw new TuttiError('NotSignedIn', 'Sign in, or send an API key as "Authorization: Bearer …".')
  }
  if (mayUse(caller, needed)) return
  const lacks = hasScope(caller.scopes, needed)
    ? `the role ${needed.role}`
    : `a key with the scope ${scopeNeeded(needed)}`
  throw new TuttiError('NotAllowed', `This needs ${lacks}.`)
}

/**
 * A key must stop working when it is revoked. It therefore cannot create anything that gives access on its own.
 * @throws TuttiError `NotAllowed` for a key without the scope `admin`
 */
export function assertNotKey({ kind, scopes }: Caller, made: string): void {
  if (kind !== 'key' || scopes.includes('admin')) return
  throw new TuttiError(
    'NotAllowed',
    `${made} would outlive the key; this needs a person, or a key with the scope admin.`,
  )
}

/** Headers that proxies add. A proxy that adds none cannot be distinguished from a browser. */
const OF_PROXIES = /^(?:forwarded|via|x-forwarded-.*|cf-.*|x-real-ip|(?:x-|true-|x-cluster-|fastly-|fly-)?client-ip)$/

/** The caller if no accounts exist: the single local user. */
export const LOCAL_CALLER: Caller = { userId: LOCAL_OWNER, role: 'admin', groups: [], scopes: SCOPES, kind: 'demo' }

/**
 * Without accounts, requests from this machine belong to the single local user, whose runs the command line shows as
 * well.
 */
export const signInLocally: Authenticate = async (asking) => {
  if (!isLocalRequest(asking)) {
    throw new TuttiError(
      'NotAllowed',
      'Without accounts, Tutti accepts requests from its own machine only. Open it at 127.0.0.1.',
    )
  }
  return LOCAL_CALLER
}

/** Whether the request comes from this machine, as far as can be determined. */
export function isLocalRequest({ headers, ip, raw }: RequestIdentity): boolean {
  // Any site may use a host name that resolves to this machine, and a proxy would forward requests from anywhere.
  // Browsers do not speak HTTP/1.0, but proxies do.
  const isForwarded = raw?.httpVersion === '1.0' || Object.keys(headers).some((name) => OF_PROXIES.test(name))
  return !isForwarded && isLoopbackHost(ip) && isLoopbackHost(hostOf(headers['host']))
}

function hostOf(header: unknown): string {
  const url = `http://${String(header)}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}
