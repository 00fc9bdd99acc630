import type { ActorContext, Agent, AgentTask } from '../../../core/actor.ts'
import { toTuttiError } from '../../../core/errors.ts'
import { combine } from '../../../core/provenance.ts'
import type { LoopTool, Toolkit } from '../../../core/toolkit.ts'

/** Agents whose tools are for their own loops: `run_python` does the same without an approval. */
const NOT_MERGED: ReadonlySet<string> = new Set(['code'])

/** The toolkits of all agents that can work, as one; only tools that read or compute. */
export async function readingToolkit(
  ctx: ActorContext & { readonly agents: readonly Agent[] },
  task: AgentTask,
): Promise<Required<Omit<Toolkit, 'provenance'>> & Pick<Toolkit, 'provenance'>> {
  const { disableAgents } = ctx.request
  const usable = ctx.agents.filter(({ name, unavailable }) => {
    return unavailable === undefined && !disableAgents.includes(name) && !NOT_MERGED.has(name)
  })
  const toolkits = await Promise.all(usable.flatMap((agent) => open(agent, ctx, task) ?? []))
  const tools = toolkits.flatMap((toolkit) => toolkit.tools).filter(({ tool }) => tool.effect === 'read')
  return {
    instructions: toolkits.map(({ instructions }) => instructions).join('\n\n'),
    tools: [...new Map(tools.map((tool) => [tool.tool.name, tool])).values()],
    sources: toolkits.flatMap(({ sources = [] }) => sources),
    provenance: combine(toolkits.map(({ provenance }) => provenance)),
  }
}

/** One source that cannot be read does not keep the others from being used. */
function open(agent: Agent, ctx: ActorContext, task: AgentTask): Promise<Toolkit> | undefined {
  return agent
    .toolkit?.(ctx)
    .then((toolkit) => ({ ...toolkit, tools: [...toolkit.tools, ...overResults(agent, ctx, task)] }))
    .catch((thrown: unknown) => {
      const { name, label = name } = agent
      return { instructions: `Not available now: ${label}. ${toTuttiError(thrown).message}`, tools: [] }
    })
}

/** Tools that know the tables of the task's inputs by name; they stand in place of those of the toolkit. */
function overResults(agent: Agent, ctx: ActorContext, task: AgentTask): readonly LoopTool[] {
  if (agent.planning?.worksOnResults !== true || task.inputs().length === 0) return []
  return (agent.lend?.(task, ctx) ?? []).flatMap((tool) => ('tool' in tool ? [tool] : []))
}
