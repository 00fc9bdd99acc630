import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import type { SingleSignOn } from '../../accounts/single-sign-on.ts'
import type { Server, ServerParts } from '../context.ts'
import { Attempts } from './attempts.ts'
import { cookieOf, setCookie, SIGN_ON } from './cookies.ts'

const config = { access: 'public' } as const
const TEN_MINUTES = 600
const A_MINUTE_MS = 60_000

interface Entrance {
  /** Whether all browsers come by encrypted connections. */
  readonly isEncrypted: boolean
  /** Signs a person in, in the browser that asked. */
  enter(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
}

/** The way to a provider of OpenID Connect, and back. */
export function addSingleSignOn(
  server: Server,
  { clock, onTrouble }: Pick<ServerParts, 'clock' | 'onTrouble'>,
  provider: SingleSignOn,
  { isEncrypted, enter }: Entrance,
): void {
  const attempts = new Attempts(clock)
  let toldAt = 0
  /** Why nobody came in is for whoever runs the house, and not more often than they can read; a person is led back to where they can try again. */
  const errorHandler: RouteShorthandOptions['errorHandler'] = (error, request, reply) => {
    const cause = TuttiError.is(error, 'NotAllowed') ? error : error.cause
    const isPerson = request.headers.accept?.includes('text/html') === true
    // The server tells of its own errors on its own.
    if (
      (isPerson || TuttiError.is(error, 'NotSignedIn')) &&
      cause instanceof Error &&
      clock.now() - toldAt >= A_MINUTE_MS
    ) {
      toldAt = clock.now()
      onTrouble(new TuttiError('NotSignedIn', `Signing in with the provider failed: ${cause.message}`, { cause }))
    }
    if (isPerson) return reply.redirect('/#sign-on=failed')
    return server.errorHandler(error, request, reply)
  }
  server.get(
    '/session/oidc',
    {
      config,
      errorHandler,
      schema: {
        tags: ['session'],
        summary: 'Go and sign in with the provider',
        querystring: z.object({
          again: z
            .stringbool()
            .default(false)
            .describe('Have the provider ask once more, and come back to the settings'),
        }),
      },
    },
    async (request, reply) => {
      const { again } = request.query
      const { url, underWay } = await provider.begin(again)
      const kept = Buffer.from(JSON.stringify({ ...underWay, again })).toString('base64url')
      setCookie(request, reply, SIGN_ON, kept, TEN_MINUTES, isEncrypted)
      return reply.redirect(url)
    },
  )
  server.get(
    '/session/oidc/callback',
    { config, errorHandler, schema: { tags: ['session'], summary: 'Where the provider sends people back to' } },
    async (request, reply) => {
      // Each asks the provider something, whoever made it up.
      attempts.count(request.ip)
      const kept = Buffer.from(cookieOf(request, SIGN_ON) ?? '', 'base64url').toString()
      // Good for one answer of the provider, whatever that is.
      setCookie(request, reply, SIGN_ON, '', 0, isEncrypted)
      const underWay = underWaySchema.safeParse(parsed(kept)).data
      if (underWay === undefined) throw new TuttiError('NotSignedIn', 'Begin at /session/oidc, in this browser.')
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
