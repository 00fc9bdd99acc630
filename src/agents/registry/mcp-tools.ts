import { z } from 'zod'
import { TuttiError } from '../../core/errors.ts'
import { ownData, untrusted } from '../../core/provenance.ts'
import { defineTool, type Reach } from '../../core/tool.ts'
import { connectMcp, type McpConnection, type McpSpec, type McpTool } from '../../mcp/client.ts'
import { inOrderOf } from '../schema-order.ts'
import { ready, type KnownTool } from '../tool-agent/tools.ts'

/** What a tool of an MCP server gives back. */
export interface McpOutput {
  readonly text: string
  readonly structured?: unknown
}

/** An MCP server that offers tools, and what the operator says of it. */
export interface McpToolServer {
  readonly spec: McpSpec
  /** Tools that only read. */
  readonly reads: readonly string[]
  /** Whether to believe the server which of its tools only read. */
  readonly trustHints: boolean
  /** Whether what it returns are the operator's own data, and it may be told what others found. */
  readonly trusted: boolean
  /** It runs in the operator's own network. */
  readonly isInternal: boolean
}

const CONNECT_MS = 20_000
const PREFIX = 'mcp:'

/** Connections to those MCP servers whose tools somebody names. */
export interface McpTools {
  /** @throws TuttiError when it cannot be reached */
  of(server: string): Promise<ServerTools>
  readonly servers: readonly string[]
  close(): Promise<void>
}

export interface ServerTools {
  /** By the names under which they are bound. */
  readonly tools: ReadonlyMap<string, KnownTool>
  /** What is wrong with what the configuration says of them. */
  readonly problem?: string
}

/** `mcp:<server>/<tool>`, taken apart; undefined for any other name. */
export function parseMcpName(name: string): { readonly server: string; readonly tool: string } | undefined {
  const slash = name.indexOf('/')
  if (!name.startsWith(PREFIX) || slash < 0) return undefined
  return { server: name.slice(PREFIX.length, slash), tool: name.slice(slash + 1) }
}

export function createMcpTools(servers: readonly McpToolServer[]): McpTools {
  const connections: McpConnection[] = []
  const known = new Map<string, Promise<ServerTools>>()
  const open = async (server: McpToolServer): Promise<ServerTools> => {
    const connection = await connectMcp(server.spec, { timeoutMs: CONNECT_MS })
    connections.push(connection)
    const offered = await connection.listTools({ timeoutMs: CONNECT_MS })
    const tools = new Map(
      offered.map((tool) => [`${PREFIX}${server.spec.name}/${tool.name}`, bind(connection, server, tool)]),
    )
    const problem = unknownReads(server, offered)
    return { tools, ...(problem === undefined ? {} : { problem }) }
  }
  return {
    servers: servers.map(({ spec }) => spec.name),
    of(name) {
      const server = servers.find(({ spec }) => spec.name === name)
      if (server === undefined) throw new TuttiError('ConfigurationError', `No MCP server is named "${name}".`)
      const tools = known.get(name) ?? open(server)
      known.set(name, tools)
      return tools
    },
    async close() {
      await Promise.allSettled(known.values())
      await Promise.allSettled(connections.map((connection) => connection.close()))
    },
  }
}

function unknownReads({ spec, reads }: McpToolServer, offered: readonly McpTool[]): string | undefined {
  const names = offered.map(({ name }) => name)
  const unknown = reads.filter((name) => !names.includes(name))
  if (unknown.length === 0) return undefined
  return `The configuration says "reads: [${unknown.join(', ')}]" of the MCP server "${spec.name}", which has no such tool. There are: ${names.join(', ') || 'none'}.`
}

/**
 * A server's tool as one of ours. Anybody may have written the server, so what it says of its tools is not believed: one
 * that the operator does not call reading may do anything, and each call needs approval. The server checks the input.
 */
function bind(
  connection: McpConnection,
  { reads, trustHints, trusted, isInternal }: McpToolServer,
  { name, description, inputSchema, readOnly }: McpTool,
): KnownTool {
  const server = connection.name
  const provenance = trusted ? ownData(`mcp:${server}`) : untrusted(`mcp:${server}`)
  const tool = defineTool<unknown, unknown>({
    name: `${PREFIX}${server}/${name}`,
    description,
    effect: reads.includes(name) || (trustHints && readOnly) ? 'read' : 'irreversible',
    input: z.record(z.string(), z.unknown()),
    provenance,
    ...(trusted ? {} : { describedBy: provenance }),
    reach: trusted || isInternal ? 'inside' : reachOf(server, inputSchema),
    async run(input, { signal }): Promise<McpOutput> {
      const result = await connection.callTool(name, inOrderOf(inputSchema, input) as Record<string, unknown>, {
        signal,
      })
      if (result.isError)
        throw new TuttiError('ToolError', result.text || `The tool "${name}" failed without a reason.`)
      return { text: result.text, ...(result.structured === undefined ? {} : { structured: result.structured }) }
    },
  })
  return ready({ tool, inputSchema, source: { kind: 'mcp', name: server } })
}

/** Names of fields that are known; a server that offers more of them could have words spelled by which are given. */
const MOST_FIELDS = 16

/** The names of the tool's own fields are known to the server; all else of the input is what it is told. */
function reachOf(server: string, { properties, required }: McpTool['inputSchema']): Reach<unknown> {
  const names = Object.keys(properties ?? {}).slice(0, MOST_FIELDS)
  const known = new Set(names)
  const isNeeded = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return (input) => {
    const given = Object.entries(inOrderOf({ properties }, input) as Record<string, unknown>)
    return {
      to: `the MCP server "${server}"`,
      parts: given.flatMap(([name, value]) => (known.has(name) ? [value] : [name, value])),
      fields: given.flatMap(([name]) => (known.has(name) && !isNeeded(name) ? [names.length] : [])),
    }
  }
}
