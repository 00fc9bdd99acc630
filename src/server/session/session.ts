import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ROLES, SCOPES } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import { SESSION_MS } from '../../accounts/sessions.ts'
import type { Resource } from '../context.ts'
import { time, nameUpTo, itemsSchema, personSchema } from '../schemas.ts'
import { AttemptLimit, MAX_PER_MINUTE_KNOWN } from './attempts.ts'
import { cookieOf, KNOWN, SESSION, setCookie } from './authenticate.ts'
import { addSingleSignOn } from './single-sign-on.ts'

const username = nameUpTo(200).min(1)
const password = z.string().min(1).max(1_000)
const signedIn = z.object({ person: personSchema })
const YEAR = 31_536_000

const caller = z.object({
  userId: z.string(),
  role: z.enum(ROLES),
  groups: z.array(z.string()).readonly(),
  scopes: z.array(z.enum(SCOPES)).readonly(),
  kind: z.enum(['person', 'key', 'demo']),
})

/** Sign-in, sign-out and the user's own account. */
export const session: Resource = async (routes, parts) => {
  const { app } = parts
  const { accounts, signIn, registration, singleSignOn, loginRateLimit: tries } = app.people
  const attempts = new AttemptLimit(tries, 'sign in')
  const browserLimit = new AttemptLimit(tries, 'known browser', MAX_PER_MINUTE_KNOWN)
  const passwordLimit = new AttemptLimit(tries, 'own password', MAX_PER_MINUTE_KNOWN)
  // The request that returns from the provider does not tell whether the browser uses HTTPS. The registered redirect
  // URL does.
  const isEncrypted = app.config.people.oidc?.redirectUrl.startsWith('https:') === true
  const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, token: string): void =>
    setCookie(request, reply, SESSION, token, SESSION_MS / 1000, isEncrypted)
  const rememberBrowser = async (request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> => {
    const token = await signIn.browserToken(userId)
    if (token !== undefined) setCookie(request, reply, KNOWN, token, YEAR, isEncrypted)
  }
  const userAgentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, 200)
  const currentSessionId = async (request: Pick<FastifyRequest, 'headers'>): Promise<string | undefined> =>
    (await signIn.sessions.find(cookieOf(request, SESSION) ?? ''))?.sessionId

  routes.post(
    '/session/register',
    {
      access: 'public',
      summary: 'Register and sign in. The first account is an admin’s',
      body: z.strictObject({
        username,
        password,
        displayName: nameUpTo(200).optional(),
      }),
      response: { 201: signedIn },
    },
    async (request, reply) => {
      await attempts.count(request.ip)
      const { displayName, ...account } = request.body
      const person = await accounts.register({ ...account, ...(displayName && { displayName }) }, registration)
      setSessionCookie(request, reply, await signIn.sessions.start(person.userId, userAgentOf(request)))
      await rememberBrowser(request, reply, person.userId)
      return { person }
    },
  )
  routes.post(
    '/session',
    {
      access: 'public',
      summary: 'Sign in with name and password',
      body: z.strictObject({ username, password }),
      response: signedIn,
    },
    async (request, reply) => {
      const who = request.body
      // A known browser has its own limit, which others behind the same address cannot use up.
      const ofBrowser = await signIn.findByBrowser(who.username, cookieOf(request, KNOWN) ?? '')
      const [limit, key] = ofBrowser === undefined ? [attempts, request.ip] : [browserLimit, ofBrowser]
      const { person, token } = await limit.unlessRight(key, () =>
        signIn.logIn({ ...who, fromWhere: userAgentOf(request), isKnown: ofBrowser !== undefined }),
      )
      setSessionCookie(request, reply, token)
      await rememberBrowser(request, reply, person.userId)
      return { person }
    },
  )
  routes.delete('/session', { access: 'public', summary: 'Sign out' }, async (request, reply) => {
    const found = await signIn.sessions.find(cookieOf(request, SESSION) ?? '')
    if (found !== undefined) await signIn.sessions.end(found.person.userId, { sessionId: found.sessionId })
    setCookie(request, reply, SESSION, '', 0, isEncrypted)
  })
  routes.get(
    '/session',
    {
      access: 'public',
      summary: 'The signed-in user, and the ways to sign in',
      response: z.object({
        caller: caller.optional(),
        person: personSchema.optional(),
        registration: z.string(),
        singleSignOn: z.boolean(),
      }),
    },
    async ({ signedIn: who }) => {
      const person = who === undefined ? undefined : await accounts.byId(who.userId)
      return {
        caller: who,
        person,
        registration,
        singleSignOn: singleSignOn !== undefined,
      }
    },
  )
  routes.get(
    '/session/all',
    {
      access: 'account',
      summary: 'The sessions of the caller',
      response: itemsSchema(
        z.object({
          sessionId: z.string(),
          fromWhere: z.string(),
          startedAt: time,
          lastUsedAt: time,
          isThis: z.boolean(),
        }),
      ),
    },
    async ({ caller: { userId }, headers }) => {
      const mine = await currentSessionId({ headers })
      return { items: (await signIn.sessions.list(userId)).map((one) => ({ ...one, isThis: one.sessionId === mine })) }
    },
  )
  routes.delete(
    '/session/all/:sessionId',
    { access: 'account', summary: 'End a session' },
    async ({ caller: { userId }, params }) => {
      if (!(await signIn.sessions.end(userId, params))) throw new TuttiError('NotFound', 'There is no such session.')
    },
  )
  routes.put(
    '/session/password',
    {
      access: 'account',
      summary: 'Change the password; all other sessions end',
      body: z.strictObject({ before: password, after: password }),
    },
    async (request, reply) => {
      const { caller, body } = request
      const sessionId = await currentSessionId(request)
      await passwordLimit.unlessRight(caller.userId, () => signIn.changePassword(caller.userId, body, sessionId))
      await rememberBrowser(request, reply, caller.userId)
    },
  )
  routes.post(
    '/session/reset',
    {
      access: 'public',
      summary: 'Set a password with a token from an admin',
      body: z.strictObject({ token: z.string().max(200), password }),
    },
    async ({ ip, body }) => {
      await attempts.count(ip)
      await accounts.reset(body.token, body.password)
    },
  )
  if (singleSignOn !== undefined) {
    const enter = async (request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> =>
      setSessionCookie(request, reply, await signIn.sessions.start(userId, userAgentOf(request)))
    addSingleSignOn(routes, parts, singleSignOn, { isEncrypted, enter })
  }
}
