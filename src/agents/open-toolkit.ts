import type { ActorContext, Agent } from '../core/actor.ts'
import { toTuttiError } from '../core/errors.ts'
import type { Toolkit } from '../core/toolkit.ts'

/** Agents whose tools are for their own loops: `run_python` does the same without an approval. */
const NOT_MERGED: ReadonlySet<string> = new Set(['code'])

/** Agents of a run whose toolkits the loop of another agent may merge. */
export function mergeableAgents({
  agents,
  request,
}: Pick<ActorContext, 'request'> & { readonly agents: readonly Agent[] }) {
  return agents.filter(({ name, unavailable }) => {
    return unavailable === undefined && !request.disableAgents.includes(name) && !NOT_MERGED.has(name)
  })
}

/** The toolkit of an agent; undefined for one without. One source that cannot be read does not keep the others from being used. */
export async function openToolkit(
  { name, label = name, toolkit }: Agent,
  ctx: ActorContext,
): Promise<Toolkit | undefined> {
  return toolkit?.(ctx).catch((thrown: unknown) => {
    return { instructions: `Not available now: ${label}. ${toTuttiError(thrown).message}`, tools: [] }
  })
}
