import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app/user-app.ts'
import type { Access, Caller } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import type { Routes } from './routes.ts'
import type { TuttiError } from '../domain/errors.ts'

/** Dependencies of every resource. */
export interface ServerParts {
  readonly app: App
  readonly clock: Clock
  readonly authenticate: Authenticate
  /** Aborted when the server stops; ends open streams. */
  readonly closing: AbortSignal
  /** Receives errors that concern the operator. */
  readonly onError: (error: TuttiError) => void
}

/** A resource: each folder of `src/server/` exports one, with its routes and their schemas. */
export type Resource = (routes: Routes, parts: ServerParts) => Promise<void>

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** The parts of a request that identify the caller. Header names are in lower case. */
export interface RequestIdentity {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly ip: string
  readonly raw?: Pick<IncomingMessage, 'httpVersion'>
}

/**
 * Identifies the caller of a request; undefined if nobody is signed in.
 * @throws TuttiError `NotSignedIn` for a session or key that is not valid
 */
export type Authenticate = (asking: RequestIdentity) => Promise<Caller | undefined>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use the route. Required: the server does not start if it is missing. */
    access?: Access
    /** The `Authorization` header of this route is not an API key; the route checks it. */
    hasOwnSecret?: true
  }
  interface FastifyRequest {
    /** The caller. Throws if nobody is signed in, which only happens on public routes and is a bug. */
    readonly caller: Caller
    /**
     * Identifies the caller and checks their permission again; sets `caller`. It runs before the body is read, and
     * again afterwards. A route that reads the body itself, or waits for long, calls it afterwards.
     * @throws TuttiError `NotSignedIn`, `NotAllowed`
     */
    readonly admit: () => Promise<void>
    /** The caller on public routes, if signed in. */
    signedIn: Caller | undefined
  }
}
