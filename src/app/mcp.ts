import { omitUndefined } from '../shared/json.ts'
import { join } from 'node:path'
import type { McpToolServer } from '../agents/mcp/server.ts'
import { createMcpServers, type McpServers } from '../agents/mcp/servers.ts'
import { createFetch } from '../http/fetch.ts'
import { internalHosts } from '../http/internal.ts'
import { toolPins } from '../mcp/tool-pins.ts'
import { offline } from '../offline/index.ts'
import type { McpSpec } from '../mcp/spec.ts'
import { SignIn } from '../mcp/sign-in.ts'
import { type Settings } from './check-options.ts'
import type { Config } from './config/schema.ts'
import { listedHosts, publicPolicy } from './network.ts'
import { assertUniqueNames } from './strategies.ts'
import { secretsOfServer } from './secrets.ts'
import { folderOf } from './storage.ts'

type McpConfig = Config['mcp'][number] & { readonly file?: string }

/** All servers as one list: those of the configuration, and those named in the common `mcpServers` format. */
export function allMcpServers(
  config: Config,
  named: readonly (Pick<Config, 'mcpServers'> & { readonly file?: string })[] = [],
): readonly McpConfig[] {
  const ofTools = [{ mcpServers: config.mcpServers }, ...named].flatMap(({ mcpServers, file }) =>
    Object.entries(mcpServers).flatMap(([name, given]): McpConfig[] => {
      const { type: _type, disabled, alwaysAllow: _always, autoApprove: _auto, ...server } = given
      return disabled ? [] : [{ name, ...server, ...omitUndefined({ file }) }]
    }),
  )
  return assertUniqueNames([...config.mcp, ...ofTools], [])
}

/** How a configured MCP server is reached: over HTTP under the policy of all requests, with its own host allowed. */
export function mcpSpec(server: McpConfig, options: Settings): McpSpec {
  const { name } = server
  const secrets = secretsOfServer(server)
  if ('url' in server) {
    const { url, headers, signIn: { clientId, clientSecret, scope } = {} } = server
    const allowHosts = [...listedHosts(options), new URL(url).host]
    const send = createFetch({ allowHosts, ...publicPolicy(options) })
    const client = clientId === undefined ? undefined : { clientId, ...omitUndefined({ clientSecret }) }
    const signIn = new SignIn({ server: name, url, folder: stateFolder(options), client, scope })
    return { transport: 'http', name, url, headers, fetch: send, signIn, secrets }
  }
  const { command, args, env, cwd } = server
  return { transport: 'stdio', name, command, args, env, secrets, ...omitUndefined({ cwd }) }
}

/** Opens the servers, each with its agent. */
export function openMcpServers(options: Settings): McpServers {
  const { clock, onError } = options
  return createMcpServers(toolServers(options), {
    store: toolPins(stateFolder(options)),
    clock,
    onError,
    offline: offline.agents.tools,
  })
}

/** The settings of the servers. */
export function toolServers(options: Settings): McpToolServer[] {
  const isInternal = internalHosts(listedHosts(options))
  const { commandOptions } = options.howToSetUp ?? {}
  return options.config.mcp.map((server: McpConfig): McpToolServer => {
    const { file, reads, trustHints, trusted, description, timeoutMs } = server
    return {
      written: JSON.stringify(server),
      spec: mcpSpec(server, options),
      reads,
      trustHints,
      trusted,
      isInternal: 'url' in server && isInternal(new URL(server.url)),
      // File names of the installation are only for its operator.
      ...(options.isInstallation === true ? {} : omitUndefined({ file, commandOptions })),
      ...omitUndefined({ description, timeoutMs }),
    }
  })
}

/** The folder for accepted tools and sign-ins; undefined without one. */
function stateFolder(options: Settings): string | undefined {
  const folder = options.mcpFolder ?? folderOf(options)
  return folder === undefined ? undefined : join(folder, 'mcp')
}
