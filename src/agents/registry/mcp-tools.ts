import { z } from 'zod'
import { TuttiError } from '../../core/errors.ts'
import { untrusted } from '../../core/provenance.ts'
import { defineTool } from '../../core/tool.ts'
import { connectMcp, type McpConnection, type McpSpec, type McpTool } from '../../mcp/client.ts'
import { ready, type KnownTool } from './tools.ts'

/** What a tool of an MCP server gives back. */
export interface McpOutput {
  readonly text: string
  readonly structured?: unknown
}

const CONNECT_MS = 20_000
const PREFIX = 'mcp:'

/** Connections to those MCP servers whose tools somebody names. */
export interface McpTools {
  /** Tools of a server by the names under which they are bound. @throws TuttiError when it cannot be reached */
  of(server: string): Promise<ReadonlyMap<string, KnownTool>>
  readonly servers: readonly string[]
  close(): Promise<void>
}

/** `mcp:<server>/<tool>`, taken apart; undefined for any other name. */
export function parseMcpName(name: string): { readonly server: string; readonly tool: string } | undefined {
  const slash = name.indexOf('/')
  if (!name.startsWith(PREFIX) || slash < 0) return undefined
  return { server: name.slice(PREFIX.length, slash), tool: name.slice(slash + 1) }
}

export function createMcpTools(specs: readonly McpSpec[]): McpTools {
  const connections: McpConnection[] = []
  const known = new Map<string, Promise<ReadonlyMap<string, KnownTool>>>()
  const open = async (spec: McpSpec): Promise<ReadonlyMap<string, KnownTool>> => {
    const connection = await connectMcp(spec, { timeoutMs: CONNECT_MS })
    connections.push(connection)
    const tools = await connection.listTools({ timeoutMs: CONNECT_MS })
    return new Map(tools.map((tool) => [`${PREFIX}${spec.name}/${tool.name}`, bind(connection, tool)]))
  }
  return {
    servers: specs.map(({ name }) => name),
    of(server) {
      const spec = specs.find(({ name }) => name === server)
      if (spec === undefined) throw new TuttiError('ConfigurationError', `No MCP server is named "${server}".`)
      const tools = known.get(server) ?? open(spec)
      known.set(server, tools)
      return tools
    },
    async close() {
      await Promise.allSettled(known.values())
      await Promise.allSettled(connections.map((connection) => connection.close()))
    },
  }
}

/**
 * A server's tool as one of ours. What it returns is untrusted. One that the server does not declare read-only may do
 * anything, so that each call needs approval. The server itself checks the input.
 */
function bind(connection: McpConnection, { name, description, inputSchema, readOnly }: McpTool): KnownTool {
  const server = connection.name
  const tool = defineTool<unknown, unknown>({
    name: `${PREFIX}${server}/${name}`,
    description,
    effect: readOnly ? 'read' : 'irreversible',
    input: z.record(z.string(), z.unknown()),
    provenance: untrusted(`mcp:${server}`),
    async run(input, { signal }): Promise<McpOutput> {
      const result = await connection.callTool(name, input as Record<string, unknown>, { signal })
      if (result.isError)
        throw new TuttiError('ToolError', result.text || `The tool "${name}" failed without a reason.`)
      return { text: result.text, ...(result.structured === undefined ? {} : { structured: result.structured }) }
    },
  })
  return ready({ tool, inputSchema, source: { kind: 'mcp', name: server } })
}
