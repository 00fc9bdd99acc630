import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { systemClock, type Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import { onOneLine } from '../core/prompt-text.ts'
import { mapLeaves } from '../core/leaves.ts'
import { redact } from '../core/secrets.ts'
import { CallTime } from './call-time.ts'
import { contentText } from './content.ts'
import { callError, isSessionLost, isSignInWanted, openError } from './errors.ts'
import { httpTransport } from './http-transport.ts'
import { MOST_TOOLS, usableTools, type McpOffer, type McpTool, type RawTool } from './offered.ts'
import { ProgramTransport } from './program-transport.ts'
import type { ElicitationAnswer, McpCallOptions, McpConnection, McpSpec, McpToolResult } from './spec.ts'
import { callResourceTool, isResourceTool, resourceTools } from './resources.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const MOST_PAGES = 100
const MOST_SIGN_INS = 3
const MOST_NOTES = 50
const LONGEST_NOTE = 300
const MOST_QUESTIONS = 10
/** That of the SDK, whose own time limit cannot stand still. */
const NO_LIMIT_MS = 2_147_483_647
const MOST_STRUCTURED = 2_000_000
/** After a server has broken down twice in a row, how long it is left alone; twice as long each time. */
const FIRST_REST_MS = 1_000
const LONGEST_REST_MS = 60_000

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
  #closed = false
  #version = 0
  /** Breakdowns in a row, and until when it is left alone. */
  #broken = 0
  #restsUntil = 0

  constructor(spec: McpSpec, clock: Clock) {
    this.#spec = spec
    this.#clock = clock
    this.name = spec.name
  }

  /** One attempt is shared by all who wait for it. @throws TuttiError when the server cannot be reached or does not speak MCP */
  async open(options: McpCallOptions): Promise<Client> {
    if (this.#closed) {
      throw new TuttiError('ToolError', `The connection to MCP server "${this.name}" has been closed.`)
    }
    if (this.#client === undefined) {
      this.#assertRested()
      const opening: Promise<Client> = this.#connect(options, () => {
        if (this.#client !== opening) return
        this.#client = undefined
        this.#hasBroken()
      })
      this.#client = opening
    }
    return this.#client
  }

  async ready(options: McpCallOptions = {}): Promise<number> {
    await this.open(options)
    return this.#version
  }

  async listTools(options: McpCallOptions = {}): Promise<McpOffer> {
    const found: RawTool[] = []
    const seen = new Set<string | undefined>()
    let more: readonly McpTool[] = []
    for (let cursor: string | undefined; !seen.has(cursor) && seen.size < MOST_PAGES && found.length <= MOST_TOOLS;) {
      seen.add(cursor)
      const { ListToolsResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
      const page = await this.#request('tools/list', options, async (client, request) => {
        more = resourceTools(client)
        // A server of resources alone has no tools to list.
        if (client.getServerCapabilities()?.tools === undefined) return { tools: [] }
        // `listTools` of the SDK compiles what the server says of its output: patterns of a stranger, run by us.
        const params = cursor === undefined ? {} : { cursor }
        return client.request({ method: 'tools/list', params }, ListToolsResultSchema, request)
      })
      found.push(...page.tools)
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
    }
    const { tools, leftOut } = usableTools(found)
    return { tools: [...tools, ...more], leftOut }
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions = {},
  ): Promise<McpToolResult> {
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
    const result: Readonly<Record<string, unknown>> = await this.#request(
      `tool "${name}"`,
      options,
      (client, request) =>
        isResourceTool(name)
          ? callResourceTool(client, name, args, request)
          : client.request(
              { method: 'tools/call', params: { name, arguments: { ...args } } },
              CallToolResultSchema,
              request,
            ),
    )
    const { structuredContent: structured } = result
    if (structured !== undefined && JSON.stringify(structured).length > MOST_STRUCTURED) {
      throw new TuttiError(
        'ToolError',
        `MCP server "${this.name}", tool "${name}": its answer is too large; ask for less.`,
      )
    }
    // Services like to echo what they were sent.
    const secrets = this.#spec.transport === 'http' ? ((await this.#spec.signIn?.secrets()) ?? []) : []
    const masked = <V>(value: V): V =>
      mapLeaves(value, (leaf) => (typeof leaf === 'string' ? redact(leaf, secrets) : leaf))
    return {
      text: masked(contentText(result['content'])),
      isError: result['isError'] === true,
      ...(structured === undefined ? {} : { structured: masked(structured) }),
    }
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
    const attempt = { server: this.name, what, timeoutMs, signal }
    if (signal?.aborted) throw callError(signal.reason, { ...attempt, stderr: '' })
    const time = new CallTime(this.#clock, timeoutMs)
    const { onQuestion } = options
    const call = {
      ...options,
      onNote: atMost(MOST_NOTES, options.onNote),
      ...(onQuestion === undefined ? {} : { onQuestion: atMostAsked(MOST_QUESTIONS, onQuestion, time) }),
    }
    const request: RequestOptions = {
      timeout: NO_LIMIT_MS,
      onprogress: ({ progress, total, message }) => {
        time.lengthen()
        call.onNote(`${progress}${total === undefined ? '' : ` of ${total}`}${message ? `: ${message}` : ''}`)
      },
      signal: signal === undefined ? time.signal : AbortSignal.any([signal, time.signal]),
    }
    const opened = async (): Promise<T> => {
      const client = await this.open({ timeoutMs })
      time.start()
      return send(client, request)
    }
    this.#calls.add(call)
    try {
      const result = await this.#signedIn(opened).catch(async (error: unknown) => {
        if (!isSessionLost(error)) throw error
        const client = this.#client
        this.#client = undefined
        await (await client)?.close()
        return opened()
      })
      this.#broken = 0
      return result
    } catch (error) {
      throw callError(error, { ...attempt, stderr: this.#lastWords() })
    } finally {
      time.stop()
      this.#calls.delete(call)
    }
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
      const stderr = this.#lastWords()
      throw openError(error, { server: this.name, what: 'the connection', timeoutMs, signal, stderr })
    }
  }

  async #newClient(): Promise<Client> {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const types = await import('@modelcontextprotocol/sdk/types.js')
    // Sampling is not among it: no stranger's words go to our models as a request of theirs.
    const capabilities = { elicitation: { form: { applyDefaults: true } } }
    const client = new Client({ name: 'tutti', version: '1' }, { capabilities })
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => void this.#version++)
    client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params: { level, data } }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      for (const { onNote } of this.#calls) onNote?.(`${level}: ${text}`)
    })
    client.setRequestHandler(types.ElicitRequestSchema, async ({ params }) => ({ ...(await this.#answer(params)) }))
    return client
  }

  /** Work that may need a sign-in first, or one with more rights; after that it is done again. */
  async #signedIn<T>(work: () => Promise<T>): Promise<T> {
    const { signIn } = this.#spec as Partial<McpSpec & { transport: 'http' }>
    for (let tries = 0; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (signIn === undefined || !isSignInWanted(error) || tries >= MOST_SIGN_INS) throw error
        await this.#http?.finishAuth(await signIn.code())
      }
    }
  }

  async #answer(params: { readonly message: string; readonly requestedSchema?: unknown }): Promise<ElicitationAnswer> {
    const [only, ...others] = this.#calls
    const message = onOneLine(params.message.slice(0, 1_000))
    if (only?.onQuestion !== undefined && others.length === 0)
      return only.onQuestion({ message, schema: params.requestedSchema })
    for (const { onNote } of this.#calls) onNote?.(`(asks, and was declined, since it is not clear of whom) ${message}`)
    return { action: 'decline' }
  }

  #lastWords(): string {
    return this.#program?.stderr ?? ''
  }

  #hasBroken(): void {
    if (this.#closed) return
    const rest = this.#broken === 0 ? 0 : Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (this.#broken - 1))
    this.#broken++
    this.#restsUntil = this.#clock.now() + rest
  }

  #assertRested(): void {
    const left = this.#restsUntil - this.#clock.now()
    if (left <= 0) return
    const message = `MCP server "${this.name}" broke down ${this.#broken} times in a row; it is tried again in ${Math.ceil(left / 1000)} s.`
    throw new TuttiError('ToolError', message, { retryable: true })
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

/** The first few; the time of the call stands still meanwhile. */
function atMostAsked(most: number, ask: NonNullable<McpCallOptions['onQuestion']>, time: CallTime): typeof ask {
  let asked = 0
  return async (question) => {
    if (asked++ >= most) return { action: 'decline' }
    time.stop()
    try {
      return await ask(question)
    } finally {
      time.start()
    }
  }
}

/** The first few lines, cleaned; who is asked for nothing is told nothing. */
function atMost(most: number, tell: ((line: string) => void) | undefined): (line: string) => void {
  let told = 0
  return (line) => {
    if (tell !== undefined && told++ < most) tell(onOneLine(line.slice(0, LONGEST_NOTE)))
  }
}
