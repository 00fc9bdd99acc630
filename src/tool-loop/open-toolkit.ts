import type { ActorContext, Agent, AgentTask } from '../domain/actor.ts'
import { toTuttiError } from '../domain/errors.ts'
import type { Toolkit } from '../domain/tool.ts'

/** Agents whose tools only work in their own loops: `run_python` does the same without an approval. */
const NOT_MERGED: ReadonlySet<string> = new Set(['code'])

/** Agents whose toolkits another agent's loop may merge: those that can work on its task. */
export function mergeableAgents(task: AgentTask, ctx: ActorContext & { readonly agents: readonly Agent[] }) {
  return ctx.agents.filter((agent) => {
    const canWork = agent.unavailable === undefined || agent.worksAnyway?.(task, ctx) === true
    return canWork && !ctx.request.disableAgents.includes(agent.name) && !NOT_MERGED.has(agent.name)
  })
}

/** The toolkit of an agent; undefined for one without. One source that cannot be read does not keep the others from being used. */
export async function openToolkit(
  { name, label = name, toolkit, unavailable }: Agent,
  ctx: ActorContext,
): Promise<Toolkit | undefined> {
  const opened = await toolkit?.(ctx).catch((thrown: unknown): Toolkit => {
    return { instructions: `Not available now: ${label}. ${toTuttiError(thrown).message}`, tools: [] }
  })
  // An agent without its source has something to offer only where this run brings it, such as an attached file.
  const isEmpty = opened?.tools.length === 0 && opened.sources === undefined
  return unavailable !== undefined && isEmpty ? { instructions: '', tools: [] } : opened
}
