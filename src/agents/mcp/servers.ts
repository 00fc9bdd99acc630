import type { Agent } from '../../domain/actor.ts'
import type { Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { ToolPins } from '../../mcp/tool-pins.ts'
import type { StandIn } from '../stand-in.ts'
import type { ToolAgentParts } from '../tool-agent/tool-agent.ts'
import { mcpAgent } from './agent.ts'
import { mcpAgentName, ToolServer, type McpToolServer } from './server.ts'

/** The MCP servers that offer tools. */
export interface McpServers {
  readonly servers: readonly ToolServer[]
  /** One for each. */
  readonly agents: readonly Agent[]
  /**
   * Replaces the servers. Servers with unchanged settings keep running; removed ones are closed.
   * @throws TuttiError `ConfigurationError` as `createMcpServers` does; nothing is changed then
   */
  set(given: readonly McpToolServer[]): Promise<void>
  /**
   * Lists the tools of the servers. Failures are reported, and the server's agent is unavailable.
   * @param which `new`: only servers that this process has not asked yet
   */
  know(which?: 'all' | 'new'): Promise<void>
  close(): Promise<void>
}

export interface McpServersOptions {
  readonly store: ToolPins
  readonly clock: Clock
  readonly onError: (error: TuttiError) => void
  readonly offline?: StandIn<ToolAgentParts>
}

/** @throws TuttiError `ConfigurationError` for two servers whose agents would have the same name */
export function createMcpServers(
  given: readonly McpToolServer[],
  { store, clock, onError, offline }: McpServersOptions,
): McpServers {
  assertDistinct(given)
  const memberOf = (settings: McpToolServer): Member => {
    const server = new ToolServer(settings, store, clock)
    return { server, agent: mcpAgent(server, offline) }
  }
  let members = given.map(memberOf)
  return {
    get servers() {
      return members.map(({ server }) => server)
    },
    get agents() {
      return members.map(({ agent }) => agent)
    },
    async set(now) {
      assertDistinct(now)
      const before = new Map(members.map((member) => [member.server.settings.written, member]))
      members = now.map((settings) => before.get(settings.written) ?? memberOf(settings))
      const left = [...before.values()].filter((member) => !members.includes(member))
      await Promise.allSettled(left.map(({ server }) => server.close()))
    },
    async know(which = 'all') {
      const selected = members.filter(({ server }) => which === 'all' || !server.isKnown)
      const knowing = selected.map(({ server }) =>
        server.know().catch((error: Error) => {
          const message = `The agent "${mcpAgentName(server.name)}" cannot work: ${error.message}`
          onError(new TuttiError('ConfigurationError', message))
        }),
      )
      await Promise.all(knowing)
    },
    async close() {
      await Promise.allSettled(members.map(({ server }) => server.close()))
    },
  }
}

interface Member {
  readonly server: ToolServer
  readonly agent: Agent
}

function assertDistinct(given: readonly McpToolServer[]): void {
  const names = new Map<string, string>()
  for (const { spec } of given) {
    const agent = mcpAgentName(spec.name)
    const other = names.get(agent)
    if (other !== undefined) {
      const message = `The MCP servers "${other}" and "${spec.name}" would both be the agent "${agent}"; give one of them another name.`
      throw new TuttiError('ConfigurationError', message)
    }
    names.set(agent, spec.name)
  }
}
