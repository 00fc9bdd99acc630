import { z } from 'zod'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import type { Outcome } from '../../core/result.ts'
import type { ToolInfo } from '../../core/tool.ts'
import type { ToolDefinition } from '../../core/turn.ts'
import { runAgentLoop } from '../agent-loop.ts'
import { plainName, toolsNamed } from '../tool-names.ts'
import { callByWords } from './call-by-words.ts'
import type { LoopResult } from '../../tool-loop/loop.ts'
import { outcomeOf, reportGap } from '../../tool-loop/outcome.ts'
import { openTools, readyTool, type BoundTool, type KnownTool } from './tools.ts'
import { answerWithoutModel } from './without-model.ts'

const DEFAULT_TIMEOUT_MS = 180_000

/** What makes an agent of instructions and tools. All else has a sensible default. */
export interface ToolAgentOptions extends Pick<Agent, 'name' | 'description'>, Optional {
  /** What the model is told first; the description when absent. */
  readonly instructions?: string
  /** Made by `defineTool`, or by the `toolsOf` other agents. */
  readonly tools?: readonly (ToolInfo | KnownTool)[]
  /** Tools that may be others for each task, in place of `tools`. */
  readonly openTools?: (task: AgentTask, ctx: ActorContext) => Promise<readonly KnownTool[]>
  readonly temperature?: number
  readonly maxOutputTokens?: number
  /** Requests to the model before it must answer; 12 when absent. */
  readonly maxSteps?: number
  /** JSON Schema of what the agent hands over beside its answer. */
  readonly output?: Readonly<Record<string, unknown>>
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

/** What it works with. */
interface Parts {
  readonly options: ToolAgentOptions
  readonly tools: readonly KnownTool[]
  /** Checks what is handed over beside the answer. */
  readonly output?: z.ZodType
}

/**
 * An agent of instructions and tools: in each turn a model calls tools or answers, for a bounded number of turns. Its tools are called as those of any other agent are, so approval, journal and provenance hold. Without a model
 * it makes the one call that the task says in so many words, and declines all else.
 * @throws TuttiError `ConfigurationError` for a tool that cannot be called, and for a declaration that is wrong
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
    ...declared
  } = options
  const { name, limits, planning } = declared
  const tools = listed.map((tool) => ('info' in tool ? tool : readyTool(tool, name)))
  const parts: Parts = {
    options,
    tools,
    ...(output === undefined ? {} : { output: outputType(output) }),
  }
  return defineAgent({
    capabilities: [],
    useCases: [],
    keywords: [],
    ...declared,
    tools: tools.map(({ info }) => info),
    limits: { timeoutMs: DEFAULT_TIMEOUT_MS, ...limits },
    ...given({ output: parts.output }),
    ...(tools.length === 0 && toolsFor === undefined ? { planning: { worksOnResults: true, ...planning } } : {}),
    run: (task, ctx) => work(task, ctx, parts),
  })
}

/** @throws when it is no JSON schema that can be checked */
export function outputType(schema: Readonly<Record<string, unknown>>): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
}

async function work(task: AgentTask, ctx: ActorContext, { options, tools: own, output }: Parts): Promise<Outcome> {
  const opened = (await options.openTools?.(task, ctx)) ?? own
  const isAllowed = ({ info }: KnownTool): boolean => task.tools === undefined || task.tools.includes(info.name)
  const allowed = opened.filter((one) => !isAside(one) && isAllowed(one))
  const tools = openTools(allowed, task, ctx)
  const { name, description, instructions = `You are the agent "${name}": ${description}` } = options
  if ((await ctx.transcript.model()) === undefined) {
    assertNotAside(task, opened)
    declineRivals(ctx, task, opened)
    return answerWithoutModel(task, ctx, name, tools, undefined)
  }
  const { temperature, maxOutputTokens, maxSteps, output: schema } = options
  const give = schema === undefined ? undefined : giveResult(schema)
  const result = await runAgentLoop(task, ctx, {
    instructions,
    tools,
    ending: [give ?? reportGap],
    ...given({ required: give?.name }),
    problemWith: ({ input }) => (give === undefined ? undefined : problemIn(input, output)),
    ...given({ maxTurns: maxSteps === undefined ? undefined : maxSteps + 1 }),
    limits: given({ temperature, maxOutputTokens }),
  })
  return give === undefined ? outcomeOf(ctx, result) : givenOutcome(ctx, result)
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
      additionalProperties: false,
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
  return { ...outcomeOf(ctx, { ...result, text: answer }), data }
}

function isAside(known: KnownTool): known is KnownTool & { readonly bound: BoundTool; readonly aside: string } {
  return 'aside' in known && known.aside !== undefined
}

/**
 * What would be called if nothing were put aside is not left to another tool, which may do something else.
 * @throws TuttiError `ConfigurationError`, after which nobody else is asked either
 */
function assertNotAside({ text }: AgentTask, opened: readonly KnownTool[]): void {
  const aside = opened.filter(isAside)
  if (aside.length === 0) return
  const named = toolsNamed(
    text,
    aside.map(({ info }) => info.name),
  )
  const said = callByWords(
    text,
    opened.flatMap((one) => ('bound' in one ? [one.bound] : [])),
  )
  const meant = aside.find(({ info, bound }) => {
    return named.some(({ name }) => name === info.name) || ('bound' in said && said.bound === bound)
  })
  if (meant !== undefined) throw new TuttiError('ConfigurationError', meant.aside)
}

/** A task that may be meant for the tool of another agent, of the same name, is nobody's. */
function declineRivals(ctx: ActorContext, { tools = [] }: AgentTask, own: readonly KnownTool[]): void {
  const isOwn = (name: string): boolean => own.some(({ info }) => info.name === name)
  const mine = tools.find(isOwn)
  const others = tools.filter((name) => !isOwn(name) && mine !== undefined && plainName(name) === plainName(mine))
  if (mine === undefined || others.length === 0) return
  const all = [...tools].sort().join(' or ')
  ctx.decline(`Several servers have a tool "${plainName(mine)}": write the one that is meant, ${all}.`)
}
