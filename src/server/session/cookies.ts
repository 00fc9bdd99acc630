import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asking } from '../context.ts'

/** The cookie of a session. No script can read it, and no page of another site makes a browser send it with a change. */
export const SESSION = 'tutti_session'
/** Of a browser that somebody has signed in with; it lets nobody in. */
export const KNOWN = 'tutti_known'
/** While somebody is with the provider of single sign-on. */
export const SIGN_ON = 'tutti_sign_on'

/** A cookie that a request brings. */
export function cookieOf({ headers }: Pick<Asking, 'headers'>, name: string): string | undefined {
  for (const pair of String(headers['cookie'] ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}

/**
 * Gives the browser a cookie; an empty one takes it back. It is for encrypted connections alone where the browser came by one,
 * also through a proxy.
 * @param isEncrypted whether all come by one
 */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  seconds: number,
  isEncrypted: boolean,
): void {
  const isSecure = isEncrypted || request.protocol === 'https' || request.headers.origin?.startsWith('https:') === true
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${value === '' ? 0 : seconds}`]
  reply.header('set-cookie', [...parts, ...(isSecure ? ['Secure'] : [])].join('; '))
}
