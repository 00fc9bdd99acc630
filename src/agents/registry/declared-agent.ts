import type { Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { withGetters } from '../mcp/agent.ts'
import { boundTools, parseMcpName, unknownTool } from '../mcp/bind.ts'
import type { McpServers } from '../mcp/servers.ts'
import type { ToolAgentOptions } from '../tool-agent/tool-agent.ts'
import type { KnownTool } from '../tool-agent/tools.ts'
import type { Definition } from './definition.ts'
import { yamlAgent } from './yaml-file.ts'

/** Tools and servers that declared agents can name. */
export interface AvailableTools {
  readonly own: ReadonlyMap<string, KnownTool>
  /** The current servers, which may change while agents work. */
  readonly mcp: Pick<McpServers, 'servers'>
  readonly offline?: ToolAgentOptions['offline']
}

/** The agent of a definition. Its tools of MCP servers are looked up for each task. */
export function declaredAgent(definition: Definition, { own, mcp, offline }: AvailableTools): Agent {
  const tools = definition.tools.map((name) => ({ name, inMcp: parseMcpName(name) }))
  const servers = tools.flatMap(({ inMcp }) => inMcp?.server ?? [])
  if (servers.length === 0)
    return yamlAgent(definition, { tools: definition.tools.map((name) => own.get(name)!), offline })
  const serverOf = (name: string) => mcp.servers.find((server) => server.name === name)
  const known = ({ name, inMcp }: (typeof tools)[number]): KnownTool | undefined => {
    if (inMcp === undefined) return own.get(name)
    const server = serverOf(inMcp.server)
    return server && boundTools(server).get(name)
  }
  const agent = yamlAgent(definition, {
    offline,
    async openTools() {
      // A server that does not answer fails when it is called; its accepted tools stay listed until then.
      await Promise.allSettled(servers.map((name) => serverOf(name)?.states()))
      return tools.map((tool) => {
        const found = known(tool)
        if (found !== undefined) return found
        const { server, tool: name } = tool.inMcp!
        const message = `The MCP server "${server}" has no tool "${name}" by now; "tutti mcp list" shows what it has changed since it was accepted.`
        throw new TuttiError('ConfigurationError', message)
      })
    },
  })
  return withGetters(agent, {
    tools: () => tools.map((tool) => known(tool)?.info ?? unknownTool(tool.inMcp!)),
    unavailable() {
      const missing = servers.find((name) => serverOf(name) === undefined)
      if (missing !== undefined) return `The MCP server "${missing}" is no longer set up.`
      return servers.map((name) => serverOf(name)?.problem).find((problem) => problem !== undefined)
    },
  })
}
