import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import { systemClock, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { onOneLine } from '../domain/prompt-text.ts'
import { redact } from '../domain/secrets.ts'
import { CrashBackoff } from './crash-backoff.ts'
import { CallTime } from './call-time.ts'
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
import { httpTransport, knock } from './http-transport.ts'
import { MAX_TOOLS, usableTools, type McpToolList, type McpTool, type RawTool } from './tool-list.ts'
import { ProgramTransport } from './program-transport.ts'
import type { ElicitationAnswer, McpCallOptions, McpConnection, McpSpec, McpToolResult } from './spec.ts'
import { callResourceTool, isResourceTool, resourceTools } from './resources.ts'
import { progressMessages } from './progress-messages.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const MOST_PAGES = 100
const MOST_SIGN_INS = 3
/** That of the SDK, whose own time limit cannot stand still. */
const NO_LIMIT_MS = 2_147_483_647

/** Connects to an MCP server. A connection that breaks later is opened again by the next call. */
export async function connectMcp(spec: McpSpec, options: McpCallOptions = {}): Promise<McpConnection> {
  const connection = new Connection(spec, systemClock)
  await connection.open(options)
  return connection
}

/** The same, connected by the first call. */
export function mcpConnection(spec: McpSpec, clock: Clock): McpConnection {
  return new Connection(spec, clock)
}

class Connection implements McpConnection {
  readonly name: string
  readonly #spec: McpSpec
  readonly #clock: Clock
  /** Calls that are under way. */
  readonly #calls = new Set<McpCallOptions>()
  #client: Promise<Client> | undefined
  #program: ProgramTransport | undefined
  #http: StreamableHTTPClientTransport | undefined
  readonly #breakdowns: CrashBackoff
  #closed = false
  #version = 0

  constructor(spec: McpSpec, clock: Clock) {
    this.#spec = spec
    this.#clock = clock
    this.name = spec.name
    this.#breakdowns = new CrashBackoff(spec.name, clock)
  }

  /** One attempt is shared by all who wait for it. @throws TuttiError when the server cannot be reached or does not speak MCP */
  async open(options: McpCallOptions): Promise<Client> {
    if (this.#closed) {
      throw new TuttiError(
        'ToolError',
        `The connection to MCP server "${this.name}" was closed: it is not set up any more, or in another way.`,
      )
    }
    if (this.#client === undefined) {
      this.#breakdowns.assertRested()
      const opening: Promise<Client> = this.#connect(options, () => {
        if (this.#client !== opening) return
        this.#client = undefined
        if (!this.#closed) this.#breakdowns.add()
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
    // Each tool is checked on its own: one that is malformed must not cost the others.
    const pageSchema = PaginatedResultSchema.extend({ tools: z.array(z.unknown()) })
    const found: unknown[] = []
    const seen = new Set<string | undefined>()
    let more: readonly McpTool[] = []
    // Of all pages together: each of a hundred could be slow.
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options
    const end = this.#clock.now() + timeoutMs
    for (let cursor: string | undefined; !seen.has(cursor) && seen.size < MOST_PAGES && found.length <= MAX_TOOLS;) {
      seen.add(cursor)
      const left = Math.max(1, end - this.#clock.now())
      const page = await this.#request(
        'tools/list',
        { ...options, timeoutMs: left, isRead: true },
        async (client, request) => {
          more = resourceTools(client)
          // A server of resources alone has no tools to list.
          if (client.getServerCapabilities()?.tools === undefined) return { tools: [] }
          // `listTools` of the SDK compiles what the server says of its output: patterns of a stranger, run by us.
          const params = cursor === undefined ? {} : { cursor }
          return client.request({ method: 'tools/list', params }, pageSchema, request)
        },
      )
      found.push(...page.tools)
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
    }
    const { tools, leftOut } = usableTools(found, (tool): tool is RawTool => ToolSchema.safeParse(tool).success)
    return { tools: [...tools, ...more], leftOut }
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions = {},
  ): Promise<McpToolResult> {
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
    // Read within the request: what cannot be read leaves open what was done.
    return this.#request(`tool "${name}"`, options, async (client, request) => {
      const result = isResourceTool(name)
        ? await callResourceTool(client, name, args, request)
        : await client.request(
            { method: 'tools/call', params: { name, arguments: { ...args } } },
            CallToolResultSchema,
            request,
          )
      return readResult(result, await this.#secrets(), options.isRead === true)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = this.#client
    this.#client = undefined
    // An attempt that failed has nothing to close, and was reported to those who waited for it.
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
    const time = new CallTime(this.#clock, timeoutMs)
    const call = { ...options, ...progressMessages(options, time, secrets) }
    const request: RequestOptions = {
      timeout: NO_LIMIT_MS,
      onprogress: ({ progress, total, message }) => {
        time.lengthen()
        call.onNote(`${progress}${total === undefined ? '' : ` of ${total}`}${message ? `: ${message}` : ''}`)
      },
      signal: signal === undefined ? time.signal : AbortSignal.any([signal, time.signal]),
    }
    let client: Client | undefined
    let isAtWork = false
    const opened = async (): Promise<T> => {
      client = await this.open({ timeoutMs })
      time.start()
      if (options.isRead !== true && this.#spec.transport === 'http') await knock(client, request.signal!)
      if (options.version !== undefined && options.version !== this.#version) throw new OfferChanged()
      isAtWork = options.isRead !== true
      return send(client, request)
    }
    this.#calls.add(call)
    try {
      const result = await this.#signedIn(opened, () => !isAtWork).catch(async (error: unknown) => {
        if (isAtWork || !(isSessionLost(error) || isRenewed(error))) throw error
        if (isSessionLost(error)) await this.#drop(client)
        return opened()
      })
      this.#breakdowns.end()
      return result
    } catch (error) {
      if (error instanceof OfferChanged) throw error
      const isOver = time.signal.aborted || client?.transport === undefined
      throw callError(error, { ...attempt, lastWords: this.#lastWords(), isOver, isAtWork })
    } finally {
      time.stop()
      this.#calls.delete(call)
    }
  }

  /** Of several calls that find the session lost, the first opens another one for all. */
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
        const made = await this.#newClient()
        await made.connect(await this.#transport(), request)
        return made
      })
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK offers nothing else
      client.onclose = forget
      this.#version++
      return client
    } catch (error) {
      forget()
      const isOver = isSdkError(error)
      const about = { server: this.name, what: 'the connection', lastWords: this.#lastWords(), isOver }
      throw openError(error, { ...about, timeoutMs, signal, secrets: await this.#secrets() })
    }
  }

  async #newClient(): Promise<Client> {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const types = await import('@modelcontextprotocol/sdk/types.js')
    // Sampling is not among it: no stranger's words go to our models as a request of theirs.
    // Values that a form has by default are sent by whoever shows them to the person, and not by the package in its place.
    const capabilities = { elicitation: { form: {} } }
    const client = new Client({ name: 'tutti', version: '1' }, { capabilities })
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => void this.#version++)
    client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params: { level, data } }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      for (const { onNote } of this.#calls) onNote?.(`${level}: ${text}`)
    })
    client.setRequestHandler(types.ElicitRequestSchema, async ({ params }) => ({ ...(await this.#answer(params)) }))
    return client
  }

  /**
   * Work that may need a sign-in first, or one with more rights; after that it is done again.
   * @throws SignInRenewed where it may not be
   */
  async #signedIn<T>(work: () => Promise<T>, mayRepeat = () => true): Promise<T> {
    const { signIn } = this.#spec as Partial<McpSpec & { transport: 'http' }>
    for (let tries = 0; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (signIn === undefined || !isSignInWanted(error) || tries >= MOST_SIGN_INS) throw error
        await this.#http?.finishAuth(await signIn.code())
        if (!mayRepeat()) throw new SignInRenewed()
      }
    }
  }

  async #answer(params: { readonly message: string; readonly requestedSchema?: unknown }): Promise<ElicitationAnswer> {
    const [only, ...others] = this.#calls
    const message = onOneLine(redact(params.message.slice(0, 4_000), await this.#secrets()).slice(0, 1_000))
    if (only?.onQuestion !== undefined && others.length === 0)
      return only.onQuestion({ message, schema: params.requestedSchema })
    for (const { onNote } of this.#calls) onNote?.(`(asks, and was declined, since it is not clear of whom) ${message}`)
    return { action: 'decline' }
  }

  /** What the server was told, and nobody is to see. */
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
      case 'in-memory': {
        const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
        const [ours, theirs] = InMemoryTransport.createLinkedPair()
        await spec.server.connect(theirs)
        return ours
      }
      case 'stdio':
        return (this.#program = new ProgramTransport(spec, this.#clock))
      case 'http':
        this.#http = await httpTransport(spec)
        // The SDK's class declares optional members in a way that `exactOptionalPropertyTypes` does not accept.
        return this.#http as Transport
    }
  }
}
