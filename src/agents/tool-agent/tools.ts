import type { ActorContext, Agent, AgentTask } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Source } from '../../domain/result.ts'
import { type Tool, type ToolInfo, loopTool, type LoopTool } from '../../domain/tool.ts'

/** Kind of source in answers, by the agent that owns the tool. */
const KINDS: Readonly<Record<string, Source['kind']>> = {
  sql: 'database',
  api: 'api',
  computation: 'computation',
  code: 'computation',
  rag: 'document',
  mail: 'mail',
  web: 'web',
}

type ToolCreator = Agent & Required<Pick<Agent, 'createTools'>>

/**
 * A tool as known at start. If it has an owner, its agent creates it for each task; `disabledReason` is the reason why a
 * known tool is disabled.
 */
export type KnownTool =
  | { readonly info: ToolInfo; readonly bound: LoopTool; readonly disabledReason?: string; readonly owner?: undefined }
  | { readonly info: ToolInfo; readonly bound: LoopTool; readonly owner: ToolCreator }
  | { readonly info: ToolInfo; readonly owner: ToolCreator }

/** Agents' tools by name: those made by `defineTool`, or created. The first tool of a name wins. */
export function toolsOf(agents: readonly Agent[]): ReadonlyMap<string, KnownTool> {
  const found = new Map<string, KnownTool>()
  for (const agent of agents) {
    for (const info of agent.tools ?? []) {
      if (found.has(info.name)) continue
      const known = isTool(info) ? knownTool(bound(info, agent)) : { info }
      if (createsTools(agent)) found.set(info.name, { ...known, owner: agent })
      else if ('bound' in known) found.set(info.name, known)
    }
  }
  return found
}

/** A tool that needs no agent to make it. */
export function knownTool(tool: LoopTool): KnownTool & { readonly bound: LoopTool } {
  return { info: tool.tool, bound: tool }
}

/**
 * The tools for one task. Tools of one agent are created together, since they may share state.
 * @throws TuttiError `Internal` if an agent does not provide a tool that it declares
 */
export function openTools(known: readonly KnownTool[], task: AgentTask, ctx: ActorContext): readonly LoopTool[] {
  const created = new Map<Agent, readonly (ToolInfo | LoopTool)[]>()
  return known.map((one) => {
    if (one.owner === undefined) return one.bound
    const { owner, info } = one
    const tools = created.get(owner) ?? owner.createTools(task, ctx)
    created.set(owner, tools)
    const tool = tools.find((one) => ('tool' in one ? one.tool : one).name === info.name)
    if (tool !== undefined && 'tool' in tool) return tool
    if (tool !== undefined && isTool(tool)) return bound(tool, owner)
    throw new TuttiError(
      'Internal',
      `The agent "${owner.name}" declares the tool "${info.name}", but createTools does not return it.`,
    )
  })
}

/** @throws TuttiError `ConfigurationError` for a tool that was not made by `defineTool` */
export function readyTool(info: ToolInfo, agent: string): KnownTool {
  if (isTool(info)) return knownTool(bound(info, { name: agent }))
  const message = `The tool "${info.name}" of the agent "${agent}" cannot be called: give what defineTool gives.`
  throw new TuttiError('ConfigurationError', message)
}

function bound(tool: Tool<unknown, unknown>, { name }: Pick<Agent, 'name'>): LoopTool {
  return loopTool(tool, { kind: KINDS[name] ?? 'api', name: tool.name })
}

function createsTools(agent: Agent): agent is ToolCreator {
  return agent.createTools !== undefined
}

/** Agents may declare real tools, or only descriptions of tools that are created for each task. */
function isTool(info: ToolInfo): info is Tool<unknown, unknown> {
  return 'run' in info && 'input' in info
}

/** The only required text field of a tool; undefined if it is ambiguous. */
export function onlyTextField({ inputSchema }: LoopTool): string | undefined {
  const properties = Object.entries((inputSchema['properties'] ?? {}) as Record<string, { readonly type?: unknown }>)
  const required = (inputSchema['required'] ?? []) as readonly string[]
  const candidates = required.length === 0 ? properties : properties.filter(([name]) => required.includes(name))
  const [field, ...others] = candidates
  return field !== undefined && others.length === 0 && field[1].type === 'string' ? field[0] : undefined
}
