import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { TuttiError } from '../core/errors.ts'
import { readServerUrl } from '../core/server-url.ts'
import { contentText } from './content.ts'
import { callError, isSessionLost, openError } from './errors.ts'

/** A server of the MCP SDK, told without its types, which users of the library have not installed. */
interface InMemoryServer {
  connect(transport: object): Promise<void>
}

/** Where an MCP server is: in this process, a program to start, or an address (streamable HTTP). */
export type McpSpec =
  | { readonly transport: 'in-memory'; readonly name: string; readonly server: InMemoryServer }
  | {
      readonly transport: 'stdio'
      readonly name: string
      readonly command: string
      readonly args?: readonly string[]
      /** Given to the program beside PATH, HOME, USER and the like; nothing else of our environment is. */
      readonly env?: Readonly<Record<string, string>>
    }
  | {
      readonly transport: 'http'
      readonly name: string
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
    }

export interface McpTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** The server says that the tool changes nothing. Only as trustworthy as the server. */
  readonly readOnly: boolean
}

export interface McpCallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds; 60,000 when absent. */
  readonly timeoutMs?: number
}

export interface McpToolResult {
  /** `structuredContent`, where the tool gives it. */
  readonly structured?: unknown
  /** All content as text; images and the like as a note of what they are. */
  readonly text: string
  /** The tool itself reports failure; `text` says why. */
  readonly isError: boolean
}

/** Errors are `ToolError` (retryable when the transport broke or time ran out), `ConfigurationError` and `Cancelled`. */
export interface McpConnection {
  readonly name: string
  listTools(options?: McpCallOptions): Promise<readonly McpTool[]>
  callTool(name: string, args: Readonly<Record<string, unknown>>, options?: McpCallOptions): Promise<McpToolResult>
  /** Ends the connection; a server program that was started is ended too. */
  close(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 60_000
const STDERR_KEPT = 2000

/** Connects to an MCP server. A connection that breaks later is opened again by the next call. */
export async function connectMcp(spec: McpSpec, options: McpCallOptions = {}): Promise<McpConnection> {
  const connection = new Connection(spec)
  await connection.open(options)
  return connection
}

class Connection implements McpConnection {
  readonly name: string
  readonly #spec: McpSpec
  #client: Promise<Client> | undefined
  #stderr = ''
  #closed = false

  constructor(spec: McpSpec) {
    this.#spec = spec
    this.name = spec.name
  }

  /** One attempt is shared by all who wait for it. @throws TuttiError when the server cannot be reached or does not speak MCP */
  async open(options: McpCallOptions): Promise<Client> {
    if (this.#closed) {
      throw new TuttiError('ToolError', `The connection to MCP server "${this.name}" has been closed.`)
    }
    if (this.#client === undefined) {
      const opening: Promise<Client> = this.#connect(options, () => {
        if (this.#client === opening) this.#client = undefined
      })
      this.#client = opening
    }
    return this.#client
  }

  async listTools(options: McpCallOptions = {}): Promise<readonly McpTool[]> {
    const tools: McpTool[] = []
    let cursor: string | undefined
    do {
      const page = await this.#request('tools/list', options, (client, request) =>
        client.listTools(cursor === undefined ? undefined : { cursor }, request),
      )
      for (const { name, description, inputSchema, annotations } of page.tools) {
        tools.push({ name, description: description ?? '', inputSchema, readOnly: annotations?.readOnlyHint === true })
      }
      if (page.nextCursor === cursor) break
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return tools
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions = {},
  ): Promise<McpToolResult> {
    const result = await this.#request(`tool "${name}"`, options, (client, request) =>
      client.callTool({ name, arguments: { ...args } }, undefined, request),
    )
    return {
      text: contentText(result['content']),
      isError: result['isError'] === true,
      ...(result['structuredContent'] === undefined ? {} : { structured: result['structuredContent'] }),
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
    { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: McpCallOptions,
    send: (client: Client, request: { signal?: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    const attempt = { server: this.name, what, timeoutMs, signal }
    if (signal?.aborted) throw callError(signal.reason, { ...attempt, stderr: '' })
    const client = await this.open({ timeoutMs })
    const request = { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) }
    try {
      return await send(client, request)
    } catch (error) {
      if (!isSessionLost(error)) throw callError(error, { ...attempt, stderr: this.#stderr })
      await client.close()
    }
    try {
      return await send(await this.open({ timeoutMs }), request)
    } catch (error) {
      throw callError(error, { ...attempt, stderr: this.#stderr })
    }
  }

  /** `forget` is called when the attempt fails and when the connection ends. */
  async #connect(options: McpCallOptions, forget: () => void): Promise<Client> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
    this.#stderr = ''
    try {
      const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
      const client = new Client({ name: 'tutti', version: '1' })
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK offers nothing else
      client.onclose = forget
      const transport = await this.#transport()
      await client.connect(transport, { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) })
      return client
    } catch (error) {
      forget()
      throw openError(error, { server: this.name, what: 'the connection', timeoutMs, signal, stderr: this.#stderr })
    }
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
        return this.#startProgram(spec)
      case 'http': {
        const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
        const url = httpUrl(spec.url, spec.name)
        // The SDK's class declares optional members in a way that `exactOptionalPropertyTypes` does not accept.
        return new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...spec.headers } } }) as Transport
      }
    }
  }

  async #startProgram(spec: McpSpec & { readonly transport: 'stdio' }): Promise<Transport> {
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    const transport = new StdioClientTransport({
      command: spec.command,
      args: [...(spec.args ?? [])],
      env: { ...getDefaultEnvironment(), ...spec.env },
      stderr: 'pipe',
    })
    // Kept for error messages: it is where a program says why it ends.
    transport.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT)
    })
    return transport
  }
}

function httpUrl(text: string, server: string): URL {
  const url = readServerUrl(text, `The URL of MCP server "${server}"`)
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new TuttiError('ConfigurationError', `The URL of MCP server "${server}" must start with http:// or https://.`)
}
