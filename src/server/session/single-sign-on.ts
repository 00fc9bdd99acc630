import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { tryParseJson } from '../../shared/json.ts'
import type { SingleSignOn } from '../../accounts/single-sign-on.ts'
import type { ServerParts } from '../context.ts'
import type { Routes } from '../routes.ts'
import { AttemptLimit } from './attempts.ts'
import { cookieOf, setCookie, SIGN_ON } from './authenticate.ts'

const TEN_MINUTES = 600
const REPORT_INTERVAL_MS = 60_000
const REDIRECT = { 302: z.null().describe('Redirect') }

interface Entrance {
  /** Whether all browsers connect with HTTPS. */
  readonly isEncrypted: boolean
  /** Signs the user in, in this browser. */
  enter(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
}

/** Routes of the sign-in with an OpenID Connect provider. */
export function addSingleSignOn(
  routes: Routes,
  { app, clock, onError }: ServerParts,
  provider: SingleSignOn,
  { isEncrypted, enter }: Entrance,
): void {
  const attempts = new AttemptLimit(app.people.loginRateLimit, 'single sign-on')
  let reportedAt = 0
  /**
   * The cause of a failed sign-in goes to the operator's log, rate limited. A browser is redirected to a page where the
   * user can try again.
   */
  const errorHandler: RouteShorthandOptions['errorHandler'] = (error, request, reply) => {
    const cause = TuttiError.is(error, 'NotAllowed') ? error : error.cause
    const isPerson = request.headers.accept?.includes('text/html') === true
    // The server logs its own errors already.
    if (
      (isPerson || TuttiError.is(error, 'NotSignedIn')) &&
      cause instanceof Error &&
      clock.now() - reportedAt >= REPORT_INTERVAL_MS
    ) {
      reportedAt = clock.now()
      onError(new TuttiError('NotSignedIn', `Signing in with the provider failed: ${cause.message}`, { cause }))
    }
    if (isPerson) return reply.redirect('/#sign-on=failed')
    return routes.server.errorHandler(error, request, reply)
  }
  routes.get(
    '/session/oidc',
    {
      access: 'public',
      summary: 'Sign in with the provider',
      query: z.object({
        again: z
          .stringbool()
          .default(false)
          .describe('Make the provider ask for credentials again, and return to the settings'),
      }),
      response: REDIRECT,
      errorHandler,
    },
    async (request, reply) => {
      const { again } = request.query
      const { url, underWay } = await provider.begin(again)
      const state = Buffer.from(JSON.stringify({ ...underWay, again })).toString('base64url')
      setCookie(request, reply, SIGN_ON, state, TEN_MINUTES, isEncrypted)
      return reply.redirect(url)
    },
  )
  routes.get(
    '/session/oidc/callback',
    { access: 'public', summary: 'Redirect target of the provider', response: REDIRECT, errorHandler },
    async (request, reply) => {
      // Each call causes a request to the provider, even if its parameters are made up.
      await attempts.count(request.ip)
      const state = Buffer.from(cookieOf(request, SIGN_ON) ?? '', 'base64url').toString()
      // The cookie is valid for one response of the provider.
      setCookie(request, reply, SIGN_ON, '', 0, isEncrypted)
      const underWay = underWaySchema.safeParse(tryParseJson(state)).data
      if (underWay === undefined) throw new TuttiError('NotSignedIn', 'Start at /session/oidc in the same browser.')
      const person = await provider.finish(request.url.replace(/^[^?]*/, ''), underWay)
      await enter(request, reply, person.userId)
      return reply.redirect(underWay.again ? '/settings/security' : '/')
    },
  )
}

const underWaySchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  again: z.boolean().default(false),
})
