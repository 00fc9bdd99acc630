import { join } from 'node:path'
import type { McpToolServer } from '../agents/mcp/server.ts'
import { createMcpServers, type McpServers } from '../agents/mcp/servers.ts'
import { createFetch } from '../http/fetch.ts'
import { internalHosts } from '../http/internal.ts'
import { acceptedTools } from '../mcp/accepted.ts'
import type { McpSpec } from '../mcp/client.ts'
import type { Checked } from './check-options.ts'
import type { Config } from './config.ts'
import { listedHosts, publicPolicy } from './network.ts'
import { namedOnce } from './named-once.ts'
import { defined } from './options.ts'
import { folderOf } from './storage.ts'

type McpConfig = Config['mcp'][number]

/** All servers as one list: those of the configuration, and those that are named as other programs do. */
export function allMcpServers(config: Config, named: readonly Pick<Config, 'mcpServers'>[] = []): readonly McpConfig[] {
  const ofTools = [config, ...named].flatMap(({ mcpServers }) =>
    Object.entries(mcpServers).flatMap(([name, given]): McpConfig[] => {
      const { type: _type, disabled, alwaysAllow: _always, autoApprove: _auto, ...server } = given
      return disabled ? [] : [{ name, offers: 'tools', ...server }]
    }),
  )
  return namedOnce([...config.mcp, ...ofTools], [])
}

/** How a configured MCP server is reached: over HTTP under the policy of all requests, with its own host allowed. */
export function mcpSpec(server: McpConfig, options: Checked): McpSpec {
  const { name } = server
  if ('url' in server) {
    const { url, headers } = server
    const allowHosts = [...listedHosts(options), new URL(url).host]
    return { transport: 'http', name, url, headers, fetch: createFetch({ allowHosts, ...publicPolicy(options) }) }
  }
  const { command, args, env, cwd } = server
  return { transport: 'stdio', name, command, args, env, ...defined({ cwd }) }
}

/** Those that offer tools, each with its agent. */
export function openMcpServers(options: Checked): McpServers {
  const { config, clock, onTrouble, mcpFolder } = options
  const folder = mcpFolder ?? folderOf(options)
  const isInternal = internalHosts(listedHosts(options))
  const servers = config.mcp
    .filter(({ offers }) => offers === 'tools')
    .map((server): McpToolServer => {
      const { reads, trustHints, trusted, description, timeoutMs } = server
      return {
        spec: mcpSpec(server, options),
        reads,
        trustHints,
        trusted,
        isInternal: 'url' in server && isInternal(new URL(server.url)),
        ...defined({ description, timeoutMs }),
      }
    })
  return createMcpServers(servers, {
    store: acceptedTools(folder === undefined ? undefined : join(folder, 'mcp')),
    clock,
    onTrouble,
  })
}
