import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ROLES, SCOPES } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import { SESSION_MS } from '../../accounts/sign-in.ts'
import type { Resource } from '../context.ts'
import { personSchema } from '../accounts/schema.ts'
import { id, time, nameUpTo, noContent, itemsSchema } from '../schemas.ts'
import { AttemptLimit, KNOWN_PER_MINUTE } from './attempts.ts'
import { cookieOf, KNOWN, SESSION, setCookie } from './cookies.ts'
import { addSingleSignOn } from './single-sign-on.ts'
import { access } from '../access.ts'

const username = nameUpTo(200).min(1)
const password = z.string().min(1).max(1_000)
const code = z.string().max(20).describe('Code of the authenticator app, if there is a second factor')
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
export const session: Resource = async (server, parts) => {
  const { app } = parts
  const { accounts, signIn, registration, singleSignOn, tries } = app.people
  const attempts = new AttemptLimit(tries, 'sign in')
  const ofKnown = new AttemptLimit(tries, 'known browser', KNOWN_PER_MINUTE)
  const ofOwn = new AttemptLimit(tries, 'own password', KNOWN_PER_MINUTE)
  // The request that returns from the provider does not tell whether the browser uses HTTPS. The registered redirect
  // URL does.
  const isEncrypted = app.config.people.oidc?.redirectUrl.startsWith('https:') === true
  const cookies = (request: FastifyRequest, reply: FastifyReply, token: string): void =>
    setCookie(request, reply, SESSION, token, SESSION_MS / 1000, isEncrypted)
  const rememberBrowser = async (request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> => {
    const known = await signIn.browserToken(userId)
    if (known !== undefined) setCookie(request, reply, KNOWN, known, YEAR, isEncrypted)
  }
  const from = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, 200)
  const present = async (request: Pick<FastifyRequest, 'headers'>): Promise<string | undefined> =>
    (await signIn.session(cookieOf(request, SESSION) ?? ''))?.sessionId

  server.post(
    '/session/register',
    {
      config: access.public,
      schema: {
        summary: 'Register and sign in. The first account is an admin’s',
        body: z.strictObject({
          username,
          password,
          displayName: nameUpTo(200).optional(),
          email: z.email().optional(),
          invitation: z.string().max(200).optional(),
        }),
        response: { 201: signedIn },
      },
    },
    async (request, reply) => {
      await attempts.count(request.ip)
      const { invitation, displayName, email, ...account } = request.body
      const known = { ...(displayName && { displayName }), ...(email && { email }) }
      const person = await accounts.register({ ...account, ...known }, registration, invitation)
      cookies(request, reply, await signIn.begin(person.userId, from(request)))
      await rememberBrowser(request, reply, person.userId)
      return { person }
    },
  )
  server.post(
    '/session',
    {
      config: access.public,
      schema: {
        summary: 'Sign in with name and password',
        body: z.strictObject({ username, password, code: code.optional() }),
        response: { 200: signedIn },
      },
    },
    async (request, reply) => {
      const { code: given, ...who } = request.body
      // A known browser has its own limit, which others behind the same address cannot use up.
      const ofBrowser = await signIn.ofBrowser(who.username, cookieOf(request, KNOWN) ?? '')
      const [limit, key] = ofBrowser === undefined ? [attempts, request.ip] : [ofKnown, ofBrowser]
      const logIn = { ...who, ...(given === undefined ? {} : { code: given }), fromWhere: from(request) }
      const { person, token } = await limit.unlessRight(key, () =>
        signIn.logIn({ ...logIn, isKnown: ofBrowser !== undefined }),
      )
      cookies(request, reply, token)
      await rememberBrowser(request, reply, person.userId)
      return { person }
    },
  )
  server.delete(
    '/session',
    { config: access.public, schema: { summary: 'Sign out', response: noContent } },
    async (request, reply) => {
      const found = await signIn.session(cookieOf(request, SESSION) ?? '')
      if (found !== undefined) await signIn.end(found.person.userId, { sessionId: found.sessionId })
      setCookie(request, reply, SESSION, '', 0, isEncrypted)
    },
  )
  server.get(
    '/session',
    {
      config: access.public,
      schema: {
        summary: 'The signed-in user, and the ways to sign in',
        response: {
          200: z.object({
            caller: caller.optional(),
            person: personSchema.optional(),
            registration: z.string(),
            singleSignOn: z.boolean(),
          }),
        },
      },
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
  server.get(
    '/session/all',
    {
      config: access.account,
      schema: {
        summary: 'The sessions of the caller',
        response: {
          200: itemsSchema(
            z.object({
              sessionId: z.string(),
              fromWhere: z.string(),
              startedAt: time,
              lastUsedAt: time,
              isThis: z.boolean(),
            }),
          ),
        },
      },
    },
    async ({ caller: { userId }, headers }) => {
      const mine = await present({ headers })
      return { items: (await signIn.sessions(userId)).map((one) => ({ ...one, isThis: one.sessionId === mine })) }
    },
  )
  server.delete(
    '/session/all/:sessionId',
    {
      config: access.account,
      schema: { summary: 'End a session', params: z.object({ sessionId: id }), response: noContent },
    },
    async ({ caller: { userId }, params }) => {
      if (!(await signIn.end(userId, params))) throw new TuttiError('NotFound', 'There is no such session.')
    },
  )
  server.put(
    '/session/password',
    {
      config: access.account,
      schema: {
        summary: 'Change the password; all other sessions end',
        body: z.strictObject({ before: password, after: password, code: code.optional() }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const kept = await present(request)
      await ofOwn.unlessRight(caller.userId, () => signIn.changePassword(caller.userId, body, kept))
      await rememberBrowser(request, reply, caller.userId)
    },
  )
  server.post(
    '/session/reset',
    {
      config: access.public,
      schema: {
        summary: 'Set a password with a token from an admin',
        body: z.strictObject({ token: z.string().max(200), password }),
        response: noContent,
      },
    },
    async ({ ip, body }) => {
      await attempts.count(ip)
      await accounts.reset(body.token, body.password)
    },
  )
  server.post(
    '/session/second-factor',
    {
      config: access.account,
      schema: {
        summary: 'Create a secret for an authenticator app; it is active after confirmation',
        body: z.strictObject({ password }),
        response: { 200: z.object({ secret: z.string(), uri: z.string() }) },
      },
    },
    async ({ caller: { userId }, body }) =>
      ofOwn.unlessRight(userId, () => signIn.beginSecondFactor(userId, body.password)),
  )
  server.post(
    '/session/second-factor/confirm',
    {
      config: access.account,
      schema: {
        summary: 'Confirm the second factor with a first code',
        body: z.strictObject({ code }),
        response: noContent,
      },
    },
    async ({ caller: { userId }, body }) =>
      ofOwn.unlessRight(userId, () => signIn.confirmSecondFactor(userId, body.code)),
  )
  server.delete(
    '/session/second-factor',
    {
      config: access.account,
      schema: {
        summary: 'Remove the second factor',
        body: z.strictObject({ password, code: code.optional() }),
        response: noContent,
      },
    },
    async ({ caller: { userId }, body }) =>
      ofOwn.unlessRight(userId, () => signIn.dropSecondFactor(userId, body.password, body.code)),
  )
  if (singleSignOn !== undefined) {
    const enter = async (request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> =>
      cookies(request, reply, await signIn.begin(userId, from(request)))
    addSingleSignOn(server, parts, singleSignOn, { isEncrypted, enter })
  }
}
