import { z } from 'zod'
import type { Agent } from '../../core/actor.ts'
import type { Source } from '../../core/result.ts'
import type { Tool, ToolInfo } from '../../core/tool.ts'

/** A tool that any agent may be given, with what a model is told of its input. */
export interface BoundTool {
  readonly tool: Tool<unknown, unknown>
  /** JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** What kind of place its answers come from. */
  readonly source: Pick<Source, 'kind' | 'name'>
}

/** What the sources of an agent are called in answers, by the agent that brings the tool. */
const KINDS: Readonly<Record<string, Source['kind']>> = {
  sql: 'database',
  api: 'api',
  computation: 'computation',
  code: 'computation',
  rag: 'document',
  mail: 'mail',
  web: 'web',
}

/** The tools of agents that can be bound by name: those declared with `defineTool`. The first of a name counts. */
export function toolsOf(agents: readonly Agent[]): ReadonlyMap<string, BoundTool> {
  const found = new Map<string, BoundTool>()
  for (const { name, tools = [] } of agents) {
    for (const tool of tools) {
      if (!isTool(tool) || found.has(tool.name)) continue
      found.set(tool.name, {
        tool,
        inputSchema: jsonSchemaOf(tool.input),
        source: { kind: KINDS[name] ?? 'api', name: tool.name },
      })
    }
  }
  return found
}

/** Agents may declare real tools or, where a tool is made anew for each task, only what is said of it. */
function isTool(info: ToolInfo): info is Tool<unknown, unknown> {
  return 'run' in info && 'input' in info
}

function jsonSchemaOf(input: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _draft, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return schema
}

/** The one field of text that a tool needs, when there is no doubt which one it is. */
export function onlyTextField({ inputSchema }: BoundTool): string | undefined {
  const properties = Object.entries((inputSchema['properties'] ?? {}) as Record<string, { readonly type?: unknown }>)
  const required = (inputSchema['required'] ?? []) as readonly string[]
  const candidates = required.length === 0 ? properties : properties.filter(([name]) => required.includes(name))
  const [field, ...others] = candidates
  return field !== undefined && others.length === 0 && field[1].type === 'string' ? field[0] : undefined
}
