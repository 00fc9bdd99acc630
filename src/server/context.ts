import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { FastifyPluginAsyncZod, ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app/user-app.ts'
import type { Access, Caller } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import type { Claim } from '../accounts/idempotency-store.ts'
import type { TuttiError } from '../domain/errors.ts'

/** What every resource is given. */
export interface ServerParts {
  readonly app: App
  readonly clock: Clock
  readonly authenticate: Authenticate
  /** Aborted when the server stops: streams end by it. */
  readonly closing: AbortSignal
  /** Whether it is about to stop, and nobody is to be led here any more. */
  readonly isLeaving: () => boolean
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
 * @throws TuttiError `NotSignedIn` for a session or key that is no longer valid
 */
export type Authenticate = (asking: Asking) => Promise<Caller | undefined>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route says who may use it; one that does not is refused when the server starts. */
    access?: Access
    /**
     * What becomes of a request that is sent twice with one `Idempotency-Key`. `kept`, which is what every POST is that says
     * nothing: its answer is kept and given again. `itself`: the route sees to it, by ids made of the key or by `answerOnce` once it has
     * read the request. `none`: it changes nothing.
     */
    repeated?: 'kept' | 'itself' | 'none'
    /**
     * Looks for what an answer that was kept tells of, for whoever asks; `NotFound`, or nothing, when it is gone: its secrets are not
     * told again then.
     */
    stands?: (request: FastifyRequest, answered: never) => Promise<unknown>
    /** What stands where keys stand is no key: the route looks at it itself. */
    hasOwnSecret?: true
  }
  interface FastifyRequest {
    /** Who asks. Reading it where nobody signed in, which only a public route can, is a mistake in code. */
    readonly caller: Caller
    /**
     * Finds out who asks, and whether they may, as things stand now: `caller` is the one of then. It is done before the body is
     * read, and again once it is there; whoever reads or waits on their own does it afterwards.
     * @throws TuttiError `NotSignedIn`, `NotAllowed`
     */
    readonly admit: () => Promise<void>
    /** Work that is done once for its key; see `answerOnce`. */
    claim: Claim | undefined
    /** Who asks, for public routes. */
    signedIn: Caller | undefined
  }
}
