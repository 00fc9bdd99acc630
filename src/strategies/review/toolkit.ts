import type { ActorContext, Agent, AgentTask } from '../../domain/actor.ts'
import { combine } from '../../domain/provenance.ts'
import type { LoopTool, Toolkit } from '../../domain/tool.ts'
import { mergeableAgents, openToolkit } from '../../tool-loop/open-toolkit.ts'

/** The toolkits of all agents that can work, as one; only tools that read or compute. */
export async function readingToolkit(
  ctx: ActorContext & { readonly agents: readonly Agent[] },
  task: AgentTask,
): Promise<Toolkit & Required<Pick<Toolkit, 'sources'>>> {
  const opened = await Promise.all(
    mergeableAgents(task, ctx).map(async (agent) => {
      const toolkit = await openToolkit(agent, ctx)
      return toolkit && { ...toolkit, tools: [...toolkit.tools, ...overResults(agent, ctx, task)] }
    }),
  )
  const toolkits = opened.filter((toolkit) => toolkit !== undefined)
  const tools = toolkits.flatMap((toolkit) => toolkit.tools).filter(({ tool }) => tool.effect === 'read')
  return {
    instructions: toolkits
      .map(({ instructions }) => instructions)
      .filter(Boolean)
      .join('\n\n'),
    tools: [...new Map(tools.map((tool) => [tool.tool.name, tool])).values()],
    aboutQuestion: toolkits.flatMap(({ aboutQuestion = [] }) => aboutQuestion),
    sources: toolkits.flatMap(({ sources = [] }) => sources),
    provenance: combine(toolkits.map(({ provenance }) => provenance)),
  }
}

/** Tools that know the tables of the task's inputs by name; they replace those of the toolkit. */
function overResults(agent: Agent, ctx: ActorContext, task: AgentTask): readonly LoopTool[] {
  if (agent.planning?.worksOnResults !== true || task.inputs().length === 0) return []
  return (agent.createTools?.(task, ctx) ?? []).flatMap((tool) => ('tool' in tool ? [tool] : []))
}
