import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestIdentity, Authenticate } from '../context.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { People } from '../../accounts/people.ts'
import { signInLocally } from '../access.ts'

/** The session cookie. Scripts cannot read it, and browsers do not send it with changes from other sites. */
export const SESSION = 'tutti_session'
/** Identifies a browser in which the user has signed in before. Gives no access. */
export const KNOWN = 'tutti_known'
/** Exists while the user is with the single sign-on provider. */
export const SIGN_ON = 'tutti_sign_on'

/** A cookie of a request. */
export function cookieOf({ headers }: Pick<RequestIdentity, 'headers'>, name: string): string | undefined {
  for (const pair of String(headers['cookie'] ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}

/**
 * Sets a cookie; an empty value deletes it. It is restricted to HTTPS if the browser uses HTTPS, also through a proxy.
 * @param isEncrypted whether all browsers use HTTPS
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

/**
 * Identifies the caller by API key or session or, if no accounts exist, as the local user. If a key is not valid, the
 * cookie is ignored: browsers send it automatically.
 */
export function authenticateBy(people: People): Authenticate {
  let hasAccounts = false
  const isLocal = async (): Promise<boolean> => !(hasAccounts ||= await people.accounts.hasAny())
  return async (asking) => {
    const { authorization } = asking.headers
    if (authorization !== undefined) {
      const key = /^Bearer\s+(\S+)$/i.exec(String(authorization))?.[1]
      const caller = key === undefined ? undefined : await people.caller({ key })
      if (caller !== undefined) return caller
      // OpenAI clients always send a key.
      if (key !== undefined && (await isLocal())) return signInLocally(asking)
      throw new TuttiError('NotSignedIn', 'This API key is not valid, or was revoked.')
    }
    const session = cookieOf(asking, SESSION)
    const caller = session === undefined ? undefined : await people.caller({ session })
    if (caller !== undefined) return caller
    return (await isLocal()) ? signInLocally(asking) : undefined
  }
}
