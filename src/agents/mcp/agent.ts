import type { Agent } from '../../domain/actor.ts'
import type { ToolInfo } from '../../domain/tool.ts'
import { isStopWord, splitWords } from '../../shared/tokens.ts'
import type { StandIn } from '../stand-in.ts'
import { toolAgent, type ToolAgentParts } from '../tool-agent/tool-agent.ts'
import { boundTools, disabledTools, unknownTool } from './bind.ts'
import { mcpAgentName, type ToolServer } from './server.ts'

const MAX_KEYWORDS = 2_000
const MAX_NAMES = 12
const MAX_NAME_CHARS = 40

/**
 * The agent of an MCP server, which uses only that server's tools. Its description for planners follows the server's
 * current tools; of the server's own texts it contains only the names of tools.
 */
export function mcpAgent(server: ToolServer, offline?: StandIn<ToolAgentParts>): Agent {
  const { description = '', timeoutMs } = server.settings
  const agent = toolAgent({
    name: mcpAgentName(server.name),
    description: `Works with the MCP server "${server.name}".`,
    label: `the MCP server “${server.name}”`,
    instructions: `${personaOf(server.name)} ${description}`.trim(),
    useCases: description === '' ? [] : [description],
    async openTools() {
      await server.states()
      return [...boundTools(server).values(), ...disabledTools(server)]
    },
    async toolkit() {
      await server.states()
      return {
        instructions: [`## MCP server ${server.name}`, description].filter(Boolean).join('\n'),
        tools: [...boundTools(server).values()].map(({ bound }) => bound),
      }
    },
    offline,
    ...(timeoutMs === undefined ? {} : { limits: { timeoutMs: timeoutMs * 3 } }),
  })
  return withGetters(agent, {
    description: () => `${description || `Works with the MCP server "${server.name}"`}. Tools: ${namesOf(server)}.`,
    keywords: () => keywordsOf(server),
    tools: () => toolsOf(server),
    unavailable: () => server.problem,
    lacking: () => (server.problem === undefined ? [] : [server.problem]),
  })
}

/** Held to its server's tools, an agent talks less and calls more reliably. */
function personaOf(server: string): string {
  return `You are the ${server} Specialist. You are a function-calling engine. You do not talk; you execute. Ignore what you know in general, and ONLY use the tools of the MCP server "${server}".`
}

/** The agent, with getters that compute these fields on each access. */
export function withGetters(agent: Agent, computed: { readonly [K in keyof Agent]?: () => Agent[K] }): Agent {
  const getters = Object.entries(computed).map(([name, get]) => [name, { enumerable: true, get }] as const)
  return Object.freeze(Object.defineProperties({ ...agent }, Object.fromEntries(getters)))
}

function namesOf({ tools }: ToolServer): string {
  const names = tools.slice(0, MAX_NAMES).map(({ name }) => name.slice(0, MAX_NAME_CHARS))
  return `${names.join(', ') || 'not known yet'}${tools.length > MAX_NAMES ? ` and ${tools.length - MAX_NAMES} more` : ''}`
}

/** The names of the server and its tools, and words of the operator's description. */
function keywordsOf({ name, tools: accepted, disabled }: ToolServer): string[] {
  // Requests for a disabled tool should reach this agent, which explains why it is disabled.
  const tools = [...accepted, ...disabled]
  const words = [name, ...tools.map((tool) => tool.name)].flatMap(splitWords)
  const spoken = [...new Set(words)].filter((word) => word.length > 2 && !isStopWord(word)).slice(0, MAX_KEYWORDS)
  const names = tools.map((tool) => tool.name.toLowerCase()).filter((one) => /[^a-z]/.test(one))
  return [...spoken, ...names]
}

/**
 * Even before its tools are known, an untrusted server lists one unknown tool: its agent's results contain third-party
 * text.
 */
function toolsOf(server: ToolServer): readonly ToolInfo[] {
  const known = [...boundTools(server).values()].map(({ info }) => info)
  return known.length > 0 || server.settings.trusted ? known : [unknownTool({ server: server.name, tool: '*' })]
}
