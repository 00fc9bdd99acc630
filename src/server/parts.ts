import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { FastifyPluginAsyncZod, ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app.ts'
import type { Access, Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { TuttiError } from '../core/errors.ts'

/** What every resource is given. */
export interface ServerParts {
  readonly app: App
  readonly clock: Clock
  readonly authenticate: Authenticate
  /** Aborted when the server stops: streams end by it. */
  readonly closing: AbortSignal
  /** Trouble that is for the operator. */
  readonly onTrouble: (error: TuttiError) => void
}

/** One resource: a folder of `src/server/` exports one, with its routes and their schemas. */
export type Resource = FastifyPluginAsyncZod<ServerParts>

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** What can be told of who asks; names of headers in lower case. */
export interface Asking {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly ip: string
  readonly raw?: Pick<IncomingMessage, 'httpVersion'>
}

/**
 * Finds out who makes a request; undefined when nobody is signed in.
 * @throws TuttiError `NotSignedIn` for a session or key that is not valid any more
 */
export type Authenticate = (asking: Asking) => Promise<Caller | undefined>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route says who may use it; one that does not is refused when the server starts. */
    access?: Access
    /** What stands where keys stand is no key: the route looks at it itself. */
    hasOwnSecret?: true
  }
  interface FastifyRequest {
    /** Who asks. Reading it where nobody signed in, which only a public route can, is a mistake in code. */
    readonly caller: Caller
    /** Who asks, for public routes. */
    signedIn: Caller | undefined
  }
}
