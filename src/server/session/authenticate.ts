import { TuttiError } from '../../domain/errors.ts'
import type { People } from '../../accounts/people.ts'
import { signInLocally } from '../access.ts'
import type { Authenticate } from '../context.ts'
import { cookieOf, SESSION } from './cookies.ts'

/**
 * Who asks, by their key or session; where nobody has an account, the one user of the machine. A key that is not good for
 * anything is never made up for by a cookie, which a browser sends on its own.
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
      // Clients of OpenAI send some key always.
      if (key !== undefined && (await isLocal())) return signInLocally(asking)
      throw new TuttiError('NotSignedIn', 'This key is not good for anything (any more).')
    }
    const session = cookieOf(asking, SESSION)
    const caller = session === undefined ? undefined : await people.caller({ session })
    if (caller !== undefined) return caller
    return (await isLocal()) ? signInLocally(asking) : undefined
  }
}
