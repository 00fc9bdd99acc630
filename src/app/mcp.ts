import type { McpToolServer } from '../agents/registry/mcp-tools.ts'
import type { McpSpec } from '../mcp/client.ts'
import type { Config } from './config.ts'

/** How a configured MCP server is reached. */
export function mcpSpec(server: Config['mcp'][number]): McpSpec {
  const { name } = server
  if ('url' in server) return { transport: 'http', name, url: server.url, headers: server.headers }
  const { command, args, env } = server
  return { transport: 'stdio', name, command, args, env }
}

/** The same with what the operator says of its tools. */
export function mcpToolServer(server: Config['mcp'][number], isInternal: (url: URL) => boolean): McpToolServer {
  const { reads, trustHints, trusted } = server
  return {
    spec: mcpSpec(server),
    reads,
    trustHints,
    trusted,
    isInternal: 'url' in server && isInternal(new URL(server.url)),
  }
}
