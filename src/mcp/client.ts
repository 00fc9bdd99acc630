import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import { systemClock, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { TimeLimit } from '../shared/time-limit.ts'
import { readResult } from './content.ts'
import {
  callError,
  isSdkError,
  isRenewed,
  isSessionLost,
  isSignInWanted,
  OfferChanged,
  openError,
  SignInRenewed,
} from './errors.ts'
import { httpTransport, pingServer } from './http-transport.ts'
import { MAX_TOOLS, usableTools, type McpToolList, type RawTool } from './tool-list.ts'
import { ProgramTransport } from './program-transport.ts'
import type { McpCallOptions, McpConnection, McpSpec, McpToolResult } from './spec.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const MAX_PAGES = 100
const MAX_SIGN_INS = 3
/** Disables the timeout of the SDK, which does not follow the clock. */
const NO_LIMIT_MS = 2_147_483_647

/** Connects to an MCP server. If the connection breaks later, the next call opens a new one. */
export async function connectMcp(spec: McpSpec, options: McpCallOptions = {}): Promise<McpConnection> {
  const connection = new Connection(spec, systemClock)
  await connection.open(options)
  return connection
}

/** Same as `connectMcp`, but connects with the first call. */
export function mcpConnection(spec: McpSpec, clock: Clock): McpConnection {
  return new Connection(spec, clock)
}

class Connection implements McpConnection {
  readonly name: string
  readonly #spec: McpSpec
  readonly #clock: Clock
  #client: Promise<Client> | undefined
  #program: ProgramTransport | undefined
  #http: StreamableHTTPClientTransport | undefined
  #closed = false
  #version = 0

  constructor(spec: McpSpec, clock: Clock) {
    this.#spec = spec
    this.#clock = clock
    this.name = spec.name
  }

  /**
   * Connects. Concurrent callers share one attempt.
   * @throws TuttiError if the server cannot be reached or does not speak MCP
   */
  async open(options: McpCallOptions): Promise<Client> {
    if (this.#closed) {
      throw new TuttiError(
        'ToolError',
        `The connection to MCP server "${this.name}" was closed: its configuration was removed or has changed.`,
      )
    }
    if (this.#client === undefined) {
      const opening: Promise<Client> = this.#connect(options, () => {
        if (this.#client === opening) this.#client = undefined
      })
      this.#client = opening
    }
    return this.#client
  }

  async ready(options: McpCallOptions = {}): Promise<number> {
    await this.open(options)
    return this.#version
  }

  async listTools(options: McpCallOptions = {}): Promise<McpToolList> {
    const { PaginatedResultSchema, ToolSchema } = await import('@modelcontextprotocol/sdk/types.js')
    // Tools are validated one by one, so that a malformed one does not affect the others.
    const pageSchema = PaginatedResultSchema.extend({ tools: z.array(z.unknown()) })
    const found: unknown[] = []
    const cursors = new Set<string | undefined>()
    // One limit for all pages together: each of a hundred pages could be slow.
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options
    const end = this.#clock.now() + timeoutMs
    for (
      let cursor: string | undefined;
      !cursors.has(cursor) && cursors.size < MAX_PAGES && found.length <= MAX_TOOLS;
    ) {
      cursors.add(cursor)
      const remainingMs = Math.max(1, end - this.#clock.now())
      const page = await this.#request(
        'tools/list',
        { ...options, timeoutMs: remainingMs, isRead: true },
        async (client, request) => {
          // A server with resources only has no tools.
          if (client.getServerCapabilities()?.tools === undefined) return { tools: [] }
          // Not `listTools` of the SDK: it compiles the output schemas of the server, including untrusted regular
          // expressions.
          const params = cursor === undefined ? {} : { cursor }
          return client.request({ method: 'tools/list', params }, pageSchema, request)
        },
      )
      found.push(...page.tools)
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
    }
    const { tools, leftOut } = usableTools(found, (tool): tool is RawTool => ToolSchema.safeParse(tool).success)
    return { tools, leftOut }
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions = {},
  ): Promise<McpToolResult> {
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
    // The result is parsed within the request: if that fails, the effect of the call is unknown.
    return this.#request(`tool "${name}"`, options, async (client, request) => {
      const params = { name, arguments: { ...args } }
      const result = await client.request({ method: 'tools/call', params }, CallToolResultSchema, request)
      return readResult(result, await this.#secrets(), options.isRead === true)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = this.#client
    this.#client = undefined
    // A failed attempt has nothing to close, and its error was reported to its callers.
    await (await client?.catch(() => undefined))?.close()
  }

  async #request<T>(
    what: string,
    options: McpCallOptions,
    send: (client: Client, request: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
    const secrets = await this.#secrets()
    const attempt = { server: this.name, what, timeoutMs, signal, secrets }
    if (signal?.aborted) throw callError(signal.reason, { ...attempt, lastWords: '', isOver: true })
    const late = new AbortController()
    const time = new TimeLimit(this.#clock, timeoutMs, () => late.abort('no answer in time'))
    const request: RequestOptions = {
      timeout: NO_LIMIT_MS,
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    }
    let client: Client | undefined
    let isAtWork = false
    const opened = async (): Promise<T> => {
      client = await this.open({ timeoutMs })
      time.start()
      if (options.isRead !== true && this.#spec.transport === 'http') await pingServer(client, request.signal!)
      if (options.version !== undefined && options.version !== this.#version) throw new OfferChanged()
      isAtWork = options.isRead !== true
      return send(client, request)
    }
    try {
      return await this.#signedIn(opened, () => !isAtWork).catch(async (error: unknown) => {
        if (isAtWork || !(isSessionLost(error) || isRenewed(error))) throw error
        if (isSessionLost(error)) await this.#drop(client)
        return opened()
      })
    } catch (error) {
      if (error instanceof OfferChanged) throw error
      const isOver = late.signal.aborted || client?.transport === undefined
      throw callError(error, { ...attempt, lastWords: this.#lastWords(), isOver, isAtWork })
    } finally {
      time.stop()
    }
  }

  /** Drops a lost session. Only the first of several callers does so; the others use the new session. */
  async #drop(client: Client | undefined): Promise<void> {
    if ((await this.#client?.catch(() => undefined)) !== client) return
    this.#client = undefined
    await client?.close()
  }

  /** `forget` is called when the attempt fails and when the connection ends. */
  async #connect(options: McpCallOptions, forget: () => void): Promise<Client> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
    this.#program = undefined
    try {
      const request = { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) }
      const client = await this.#signedIn(async () => {
        const client = await this.#newClient()
        await client.connect(await this.#transport(), request)
        return client
      })
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK offers nothing else
      client.onclose = forget
      this.#version++
      return client
    } catch (error) {
      forget()
      const isOver = isSdkError(error)
      const failure = { server: this.name, what: 'the connection', lastWords: this.#lastWords(), isOver }
      throw openError(error, { ...failure, timeoutMs, signal, secrets: await this.#secrets() })
    }
  }

  async #newClient(): Promise<Client> {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js')
    // No capabilities: servers must not send prompts to our models, or ask users in the middle of a call.
    const client = new Client({ name: 'tutti', version: '1' })
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void this.#version++)
    return client
  }

  /**
   * Runs an action that may require a sign-in, or one with more permissions; then runs it again.
   * @throws SignInRenewed if it may not be repeated
   */
  async #signedIn<T>(work: () => Promise<T>, mayRepeat = () => true): Promise<T> {
    const { signIn } = this.#spec as Partial<McpSpec & { transport: 'http' }>
    for (let tries = 0; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (signIn === undefined || !isSignInWanted(error) || tries >= MAX_SIGN_INS) throw error
        await this.#http?.finishAuth(await signIn.code())
        if (!mayRepeat()) throw new SignInRenewed()
      }
    }
  }

  /** Secrets that were sent to the server and must be masked. */
  async #secrets(): Promise<readonly string[]> {
    const { secrets = [], signIn } = this.#spec as Partial<McpSpec & { transport: 'http' }>
    return [...secrets, ...((await signIn?.secrets()) ?? [])]
  }

  #lastWords(): string {
    return this.#program?.lastWords ?? ''
  }

  async #transport(): Promise<Transport> {
    const spec = this.#spec
    switch (spec.transport) {
      case 'stdio':
        return (this.#program = new ProgramTransport(spec, this.#clock))
      case 'http':
        this.#http = await httpTransport(spec)
        // The SDK's class declares optional members in a way that `exactOptionalPropertyTypes` does not accept.
        return this.#http as Transport
    }
  }
}
