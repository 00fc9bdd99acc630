import { z } from 'zod'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import type { ToolInfo, LoopTool } from '../../domain/tool.ts'
import type { ToolDefinition } from '../../domain/turn.ts'
import { runAgentLoop } from '../../tool-loop/agent-loop.ts'
import { withStandIn, type StandIn } from '../stand-in.ts'
import type { LoopResult } from '../../tool-loop/loop.ts'
import { loopOutcome, reportGap } from '../../tool-loop/outcome.ts'
import { openTools, readyTool, type KnownTool } from './tools.ts'

const DEFAULT_TIMEOUT_MS = 180_000

/** Options of an agent made of instructions and tools. All others have defaults. */
export interface ToolAgentOptions extends Pick<Agent, 'name' | 'description'>, Optional {
  /** The model's first instructions; the description by default. */
  readonly instructions?: string
  /** Made by `defineTool`, or by the `toolsOf` other agents. */
  readonly tools?: readonly (ToolInfo | KnownTool)[]
  /** Tools that may be others for each task, in place of `tools`. */
  readonly openTools?: (task: AgentTask, ctx: ActorContext) => Promise<readonly KnownTool[]>
  readonly temperature?: number
  readonly maxOutputTokens?: number
  /** Requests to the model before it must answer; 12 when absent. */
  readonly maxSteps?: number
  /** JSON Schema of the data that the agent returns with its answer. */
  readonly output?: Readonly<Record<string, unknown>>
  readonly offline?: StandIn<ToolAgentParts> | undefined
}

export interface ToolAgentParts {
  readonly name: string
  /** All its tools for a task, disabled ones included. */
  readonly toolsFor: (task: AgentTask) => Promise<readonly KnownTool[]>
  /** The tools that the task may use, bound to it. */
  readonly bind: (tools: readonly KnownTool[], task: AgentTask) => readonly LoopTool[]
}

type Optional = Partial<
  Pick<
    Agent,
    | 'capabilities'
    | 'useCases'
    | 'keywords'
    | 'requiredContext'
    | 'unavailable'
    | 'planning'
    | 'toolkit'
    | 'limits'
    | 'model'
    | 'typicalLatencyMs'
    | 'label'
  >
>

/** The agent's options and derived parts. */
interface Parts {
  readonly options: ToolAgentOptions
  readonly tools: readonly KnownTool[]
  /** Validates the data returned with the answer. */
  readonly output?: z.ZodType
}

/**
 * An agent made of instructions and tools: in each turn a model calls tools or answers, for a limited number of turns.
 * Its calls use the same approvals, journal and labels as those of any other agent.
 * @throws TuttiError `ConfigurationError` for a tool that cannot be called, and for an invalid declaration
 */
export function toolAgent(options: ToolAgentOptions): Agent {
  const {
    instructions: _told,
    tools: listed = [],
    openTools: toolsFor,
    temperature: _temperature,
    maxOutputTokens: _maxOutputTokens,
    maxSteps: _maxSteps,
    output,
    offline,
    ...declared
  } = options
  const { name, limits, planning } = declared
  const tools = listed.map((tool) => ('info' in tool ? tool : readyTool(tool, name)))
  const parts: Parts = {
    options,
    tools,
    ...(output === undefined ? {} : { output: outputType(output) }),
  }
  const agent = defineAgent({
    capabilities: [],
    useCases: [],
    keywords: [],
    ...declared,
    tools: tools.map(({ info }) => info),
    limits: { timeoutMs: DEFAULT_TIMEOUT_MS, ...limits },
    ...omitUndefined({ output: parts.output }),
    ...(tools.length === 0 && toolsFor === undefined ? { planning: { worksOnResults: true, ...planning } } : {}),
    run: (task, ctx) => work(task, ctx, parts),
  })
  return withStandIn(agent, offline, (ctx) => ({
    name,
    toolsFor: async (task) => (await toolsFor?.(task, ctx)) ?? tools,
    bind: (all, task) => usableTools(all, task, ctx),
  }))
}

/** @throws when it is no JSON schema that can be checked */
export function outputType(schema: Readonly<Record<string, unknown>>): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
}

async function work(task: AgentTask, ctx: ActorContext, { options, tools: own, output }: Parts): Promise<Outcome> {
  const opened = (await options.openTools?.(task, ctx)) ?? own
  const tools = usableTools(opened, task, ctx)
  const { name, description, instructions = `You are the agent "${name}": ${description}` } = options
  const { temperature, maxOutputTokens, maxSteps, output: schema } = options
  const give = schema === undefined ? undefined : giveResult(schema)
  const result = await runAgentLoop(task, ctx, {
    instructions,
    tools,
    ending: [give ?? reportGap],
    ...omitUndefined({ required: give?.name }),
    problemWith: ({ input }) => (give === undefined ? undefined : problemIn(input, output)),
    ...omitUndefined({ maxTurns: maxSteps === undefined ? undefined : maxSteps + 1 }),
    limits: omitUndefined({ temperature, maxOutputTokens }),
  })
  return give === undefined ? loopOutcome(ctx, result, task) : givenOutcome(ctx, result)
}

/** Called with answer and data by an agent whose result has a schema. */
function giveResult(schema: Readonly<Record<string, unknown>>): ToolDefinition {
  return {
    name: 'give_result',
    description:
      'Returns your result and ends the work: the answer for a reader, and the data in the form that is asked for.',
    inputSchema: {
      type: 'object',
      properties: { answer: { type: 'string' }, data: schema },
      required: ['answer', 'data'],
    },
  }
}

function problemIn(
  { answer, data }: { readonly answer?: unknown; readonly data?: unknown },
  output: z.ZodType | undefined,
): string | undefined {
  if (typeof answer !== 'string') return 'answer: a text is needed.'
  const parsed = output?.safeParse(data)
  if (parsed === undefined || parsed.success) return undefined
  return parsed.error.issues.map(({ path, message }) => `${['data', ...path].join('.')}: ${message}`).join('; ')
}

function givenOutcome(ctx: ActorContext, result: LoopResult): Outcome {
  const { answer, data } = result.endings[0]!.input as { readonly answer: string; readonly data: unknown }
  return { ...loopOutcome(ctx, { ...result, text: answer }), data }
}

function usableTools(opened: readonly KnownTool[], task: AgentTask, ctx: ActorContext): readonly LoopTool[] {
  const isAllowed = ({ info }: KnownTool): boolean => task.tools === undefined || task.tools.includes(info.name)
  return openTools(
    opened.filter((one) => !isDisabled(one) && isAllowed(one)),
    task,
    ctx,
  )
}

export function isDisabled(
  known: KnownTool,
): known is KnownTool & { readonly bound: LoopTool; readonly disabledReason: string } {
  return 'disabledReason' in known && known.disabledReason !== undefined
}
