import { toolAgent } from '../agents/tool-agent/tool-agent.ts'
import type { Agent } from '../domain/actor.ts'
import { offline } from '../offline/index.ts'
import type { ToolInfo } from '../domain/tool.ts'

/** Shorter words of a tool's name, such as "get" or "by", do not describe its purpose. */
const MIN_KEYWORD = 4

/** Tools that belong to no agent are worked with by one of their own; none without such tools. */
export function agentOfTools(tools: readonly ToolInfo[] = []): readonly Agent[] {
  if (tools.length === 0) return []
  const words = tools.flatMap(({ name }) => name.toLowerCase().split(/[^a-z0-9]+/))
  const agent = toolAgent({
    name: 'tools',
    description: `Works with the tools ${tools.map(({ name }) => name).join(', ')}.`,
    capabilities: tools.map(({ description }) => description),
    keywords: [...new Set(words)].filter((word) => word.length >= MIN_KEYWORD),
    tools,
    offline: offline.agents.tools,
  })
  return [agent]
}
