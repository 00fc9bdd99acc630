import { omitUndefined } from '../shared/json.ts'
import type { McpToolServer } from '../agents/mcp/server.ts'
import { toTuttiError } from '../domain/errors.ts'
import { checkOptions, type Settings } from './check-options.ts'
import { toolServers } from './mcp.ts'
import type { AppOptions } from './config/options.ts'

/**
 * Returns a function that reloads the configured MCP servers. If the new configuration is invalid, the error is
 * reported and the servers stay as they are.
 * @param renew replaces the servers
 */
export function reloadMcpOnChange(
  given: AppOptions,
  { config, mcpNow, onError }: Settings,
  renew: (servers: readonly McpToolServer[]) => Promise<void>,
): () => Promise<void> {
  const follow = async (): Promise<void> => {
    try {
      const now = await mcpNow?.()
      if (now === undefined) return
      const { mcp, mcpServers } = now.config
      const written = { ...config, mcp: [], ...omitUndefined({ mcp, mcpServers }) }
      await renew(toolServers(checkOptions({ ...given, config: written, mcp: now.mcp })))
    } catch (thrown) {
      onError(toTuttiError(thrown))
    }
  }
  // One after the other, so that the last look counts.
  let last = Promise.resolve()
  return () => (last = last.then(follow))
}
