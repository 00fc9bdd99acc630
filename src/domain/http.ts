import type { Tool } from './tool.ts'

/** A request of an agent to a server, see `ctx.http`. */
export interface HttpCall {
  /** `GET` by default. `GET` and `HEAD` read; all other methods count as irreversible. */
  readonly method?: string
  /** May contain placeholders such as `{city}`, which `params` fill. */
  readonly url: string
  /** Percent-encoded when they are put in. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Headers with secret names, such as `authorization`, are masked everywhere. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A server's response; a status of 400 or above is also a response. */
export interface HttpReply {
  readonly status: number
  /** The URL of the response, after redirects. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty if the body is not text. */
  readonly text: string
  /** The body if it is not text. */
  readonly base64?: string
  /** The body was longer than a million bytes, and its rest is missing. */
  readonly isCut: boolean
}

/** A call as it is journalled and shown to users. */
export interface HttpInput extends Omit<HttpCall, 'method' | 'url'> {
  readonly method: string
  /** With all its places filled. */
  readonly url: string
  /** The address if the agent declares it: then only `params`, headers and body vary. */
  readonly address?: string
  /** How many addresses the agent declares. */
  readonly among?: number
  readonly secretHeaders?: Readonly<Record<string, string>>
  readonly secretParams?: NonNullable<HttpCall['params']>
}

/** The engine's network tools for agents: one that reads, and one for all other methods. */
export interface HttpTools {
  readonly read: Tool<HttpInput, HttpReply>
  readonly change: Tool<HttpInput, HttpReply>
}
