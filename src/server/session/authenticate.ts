import { TuttiError } from '../../domain/errors.ts'
import type { People } from '../../accounts/people.ts'
import { signInLocally } from '../access.ts'
import type { Authenticate } from '../context.ts'
import { cookieOf, SESSION } from './cookies.ts'

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
