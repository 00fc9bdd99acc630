import type { Agent } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { TuttiError } from '../../core/errors.ts'
import type { AcceptedTools } from '../../mcp/accepted.ts'
import { mcpAgent, mcpAgentName } from './agent.ts'
import { ToolServer, type McpToolServer } from './server.ts'

/** The MCP servers that offer tools. */
export interface McpServers {
  readonly servers: readonly ToolServer[]
  /** One for each. */
  readonly agents: readonly Agent[]
  /** Learns the tools of those that are not known yet. What does not answer is told, and its agent cannot work. */
  know(): Promise<void>
  close(): Promise<void>
}

export interface McpServersOptions {
  readonly store: AcceptedTools
  readonly clock: Clock
  readonly onTrouble: (error: TuttiError) => void
}

/** @throws TuttiError `ConfigurationError` for two servers whose agents would have one name */
export function createMcpServers(
  given: readonly McpToolServer[],
  { store, clock, onTrouble }: McpServersOptions,
): McpServers {
  const servers = given.map((settings) => new ToolServer(settings, store, clock))
  const names = new Map<string, string>()
  for (const { name } of servers) {
    const agent = mcpAgentName(name)
    const other = names.get(agent)
    if (other !== undefined) {
      const message = `The MCP servers "${other}" and "${name}" would both be the agent "${agent}"; give one of them another name.`
      throw new TuttiError('ConfigurationError', message)
    }
    names.set(agent, name)
  }
  return {
    servers,
    agents: servers.map(mcpAgent),
    async know() {
      const knowing = servers.map((server) =>
        server.know().catch((error: Error) => {
          onTrouble(
            new TuttiError(
              'ConfigurationError',
              `The agent "${mcpAgentName(server.name)}" cannot work: ${error.message}`,
            ),
          )
        }),
      )
      await Promise.all(knowing)
    },
    async close() {
      await Promise.allSettled(servers.map((server) => server.close()))
    },
  }
}
