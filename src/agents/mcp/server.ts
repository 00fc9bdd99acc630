import type { Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { ToolPins } from '../../mcp/tool-pins.ts'
import { connectMcp, mcpConnection } from '../../mcp/client.ts'
import { OfferChanged, redactServerMessage } from '../../mcp/errors.ts'
import type { McpCallOptions, McpConnection, McpSpec, McpToolResult } from '../../mcp/spec.ts'
import {
  digestOf,
  type McpToolList,
  type McpServer,
  type McpTool,
  type ToolStates,
  type Visitor,
} from '../../mcp/tool-list.ts'

/** An MCP server that offers tools, with the operator's settings for it. */
export interface McpToolServer {
  /** All settings as text; equal texts mean equal setups. */
  readonly written: string
  readonly spec: McpSpec
  /** The file that defines it, if one was named. */
  readonly file?: string
  /** Options to add to commands in messages. */
  readonly commandOptions?: string
  /** Its purpose, in the operator's words. */
  readonly description?: string
  /** Tools that only read. */
  readonly reads: readonly string[]
  /** Whether to believe the server which of its tools only read. */
  readonly trustHints: boolean
  /** Whether its results count as the operator's own data, and other sources' data may be sent to it. */
  readonly trusted: boolean
  /** It runs in the operator's own network. */
  readonly isInternal: boolean
  /** Of one call, in milliseconds; 60,000 when absent. */
  readonly timeoutMs?: number
}

/** To connect and to list tools, while users wait. */
const TIMEOUT_MS = 20_000
/** At the tools, for one call. */
const MAX_TOOL_CHECKS = 5
/** To check whether an unavailable server is back. */
const RECONNECT_CHECK_MS = 3_000

/**
 * A server in use. Tools that it offers on first use are accepted, since the operator has just configured it. Tools
 * that are changed or added later are disabled until a user accepts them. The server is started on demand.
 */
export class ToolServer implements McpServer {
  readonly settings: McpToolServer
  readonly #connection: McpConnection
  readonly #store: ToolPins
  #accepted: readonly McpTool[] | undefined
  #listed: { readonly version: number; readonly offer: McpToolList } | undefined
  #problem: string | undefined

  constructor(settings: McpToolServer, store: ToolPins, clock: Clock) {
    this.settings = settings
    this.#store = store
    this.#connection = mcpConnection(settings.spec, clock)
  }

  get name(): string {
    return this.settings.spec.name
  }

  /** The tools that can be called, from what is cached. */
  get tools(): readonly McpTool[] {
    return statesOf(this.#accepted ?? [], this.#listed?.offer).accepted
  }

  /** Tools that were changed or added since; not called until a user accepts them. */
  get disabled(): readonly McpTool[] {
    const { changed, added } = statesOf(this.#accepted ?? [], this.#listed?.offer)
    return [...changed, ...added]
  }

  /**
   * Why it cannot be used: it is down, or its tools are not known. Contains no text of the server, because planners
   * read it.
   */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Whether this process has asked for its tools, successfully or not. */
  get isKnown(): boolean {
    return this.#accepted !== undefined || this.#problem !== undefined
  }

  /**
   * Loads its tools, from the accepted ones or else from the server.
   * @throws TuttiError if neither is available, or it is still down
   */
  async know(): Promise<readonly McpTool[]> {
    try {
      this.#accepted = await this.#store.read(this.settings.spec)
      if (this.#accepted === undefined) await this.states()
      else if (this.#problem !== undefined) await this.#offer(RECONNECT_CHECK_MS)
      this.#problem = undefined
      return this.tools
    } catch (thrown) {
      this.#problem = redactServerMessage((thrown as Error).message)
      throw thrown
    }
  }

  /** Lists the tools of the server. @throws TuttiError when it cannot be reached */
  async states(): Promise<ToolStates> {
    return this.#statesOf(await this.#offer())
  }

  async accept(check?: (states: ToolStates) => void | Promise<void>): Promise<readonly string[]> {
    const offer = await this.#offer()
    const states = await this.#statesOf(offer)
    await check?.(states)
    // The very tools that were checked: a server may say something else each time.
    await this.#accept(offer.tools)
    const { changed, added } = states
    return [...changed, ...added].map(({ name }) => name)
  }

  /**
   * Calls a tool. Lists the tools again if the server was restarted or has changed its tools since they were listed.
   * @throws TuttiError `ToolError` for a tool that differs from the accepted one, and errors of the connection
   */
  async call(tool: McpTool, input: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<McpToolResult> {
    const { timeoutMs } = this.settings
    for (let checks = 0; checks < MAX_TOOL_CHECKS; checks++) {
      const { accepted } = await this.states()
      const now = accepted.find(({ name }) => name === tool.name)
      if (now === undefined || digestOf(now) !== digestOf(tool)) {
        throw new TuttiError('ToolError', disabledMessage(this.settings, tool.name))
      }
      const callOptions = {
        ...options,
        version: this.#listed!.version,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }
      try {
        return await this.#connection.callTool(tool.name, input, callOptions)
      } catch (thrown) {
        if (!(thrown instanceof OfferChanged)) throw thrown
      }
    }
    const message = `The MCP server "${this.name}" says again and again that its tools are others; "${tool.name}" was not called.`
    throw new TuttiError('ToolError', message)
  }

  async signIn(visitor: Visitor): Promise<void> {
    const { spec } = this.settings
    if (spec.transport !== 'http' || spec.signIn === undefined) {
      throw new TuttiError(
        'ConfigurationError',
        `The MCP server "${this.name}" is a program of this machine; nobody signs in there.`,
      )
    }
    await (await connectMcp({ ...spec, signIn: spec.signIn.with(visitor) })).close()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #statesOf(offer: McpToolList): Promise<ToolStates> {
    this.#accepted = await this.#store.read(this.settings.spec)
    if (this.#accepted === undefined) await this.#accept(offer.tools)
    return statesOf(this.#accepted!, offer)
  }

  async #accept(tools: readonly McpTool[]): Promise<void> {
    await this.#store.write(this.settings.spec, tools)
    this.#accepted = tools
  }

  /** The tools of the running server; listed again after a restart or when it reports changed tools. */
  async #offer(timeoutMs = TIMEOUT_MS): Promise<McpToolList> {
    try {
      const version = await this.#connection.ready({ timeoutMs })
      if (this.#listed?.version !== version) {
        this.#listed = { version, offer: await this.#connection.listTools({ timeoutMs }) }
      }
      this.#problem = undefined
      return this.#listed.offer
    } catch (thrown) {
      // While this is set, no task is given to its agent.
      this.#problem = redactServerMessage((thrown as Error).message)
      throw thrown
    }
  }
}

/** The message that a tool is disabled, with the commands to inspect and accept it. */
export function disabledMessage(settings: McpToolServer, tool: string): string {
  const { spec, file, commandOptions } = settings
  const { name: server } = spec
  const named = file === undefined ? [] : ['--mcp', /^[\w./:@%+\\-]+$/.test(file) ? file : `'${file}'`]
  const of = [...named, ...(commandOptions === undefined ? [] : [commandOptions])]
  const [look, accept] = [['tutti mcp list'], ['tutti mcp accept', server]].map(
    (earlierWords) => `"${[...earlierWords, ...of].join(' ')}"`,
  )
  return `The tool "${tool}" of the MCP server "${server}" was changed or added since its tools were accepted, and is disabled. See the changes with ${look}, and accept it with ${accept}.`
}

function statesOf(accepted: readonly McpTool[], offer: McpToolList | undefined): ToolStates {
  if (offer === undefined) return { accepted, changed: [], before: [], added: [], gone: [], leftOut: [] }
  const before = new Map(accepted.map((tool) => [tool.name, digestOf(tool)]))
  const isSame = (tool: McpTool): boolean => before.get(tool.name) === digestOf(tool)
  const now = new Set(offer.tools.map(({ name }) => name))
  const changed = offer.tools.filter((tool) => before.has(tool.name) && !isSame(tool))
  return {
    accepted: offer.tools.filter(isSame),
    changed,
    before: changed.flatMap(({ name }) => accepted.filter((tool) => tool.name === name)),
    added: offer.tools.filter(({ name }) => !before.has(name)),
    gone: accepted.flatMap(({ name }) => (now.has(name) ? [] : [name])),
    leftOut: offer.leftOut,
  }
}

/** The name of the agent of a server. */
export function mcpAgentName(server: string): string {
  return `mcp_agent_${server.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_')}`
}
