import { z } from 'zod'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { toTuttiError, type ErrorCode } from '../../core/errors.ts'
import type { Outcome, Source } from '../../core/result.ts'
import type { ToolInfo } from '../../core/tool.ts'
import { contextLines } from '../context-lines.ts'
import { shownResult, stepPrompt, type Step, type StepInput } from './step-prompt.ts'
import { FIND_TOOLS, foundTools, MOST_SHOWN, toolLines } from './choose-tools.ts'
import { openTools, readyTool, type BoundTool, type KnownTool } from './tools.ts'
import { sourceOf } from './tool-sources.ts'
import { answerWithoutModel } from './without-model.ts'

const DEFAULT_TIMEOUT_MS = 180_000
const DEFAULT_STEPS = 8
const LONGEST_ATTEMPT = 4_000

/** Errors of a call that the model is told of, since it may do better with another one; all others end the task. */
const TOLD: ReadonlySet<ErrorCode> = new Set([
  'ToolError',
  'QueryError',
  'QueryBlocked',
  'HttpError',
  'HttpRequestError',
  'PathResolutionError',
  'SandboxViolation',
  'DocumentError',
  'MailError',
])

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
  /** Tool calls at most; 8 when absent. */
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
    | 'limits'
    | 'model'
    | 'typicalLatencyMs'
    | 'label'
  >
>

/** What it works with. */
interface Parts {
  readonly options: ToolAgentOptions
  readonly maxSteps: number
  readonly tools: readonly KnownTool[]
  readonly prompt: ReturnType<typeof stepPrompt>
  /** Checks what is handed over beside the answer. */
  readonly output?: z.ZodType
}

interface Progress {
  readonly steps: StepInput['steps']
  readonly sources: Source[]
}

/**
 * An agent of instructions and tools: in each step a model calls one of its tools or answers, for a bounded number of
 * steps. Its tools are called as those of any other agent are, so approval, journal and provenance hold. Without a model
 * it makes the one call that the task says in so many words, and declines all else.
 * @throws TuttiError `ConfigurationError` for a tool that cannot be called, and for a declaration that is wrong
 */
export function toolAgent(options: ToolAgentOptions): Agent {
  const {
    instructions: _told,
    tools: given = [],
    openTools: toolsFor,
    temperature,
    maxOutputTokens,
    maxSteps,
    output,
    ...declared
  } = options
  const { name, limits, planning } = declared
  const tools = given.map((tool) => ('info' in tool ? tool : readyTool(tool, name)))
  const parts: Parts = {
    options,
    maxSteps: maxSteps ?? DEFAULT_STEPS,
    tools,
    prompt: stepPrompt({
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    }),
    ...(output === undefined ? {} : { output: outputType(output) }),
  }
  return defineAgent({
    capabilities: [],
    useCases: [],
    keywords: [],
    ...declared,
    tools: tools.map(({ info }) => info),
    limits: { timeoutMs: DEFAULT_TIMEOUT_MS, ...limits },
    ...(tools.length === 0 && toolsFor === undefined ? { planning: { worksOnResults: true, ...planning } } : {}),
    run: (task, ctx) => work(task, ctx, parts),
  })
}

/** @throws when it is no JSON schema that can be checked */
export function outputType(schema: Readonly<Record<string, unknown>>): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
}

async function work(task: AgentTask, ctx: ActorContext, parts: Parts): Promise<Outcome> {
  const all = (await parts.options.openTools?.(task, ctx)) ?? parts.tools
  const allowed = all.filter(({ info }) => task.tools === undefined || task.tools.includes(info.name))
  const tools = openTools(allowed, task, ctx)
  const progress: Progress = { steps: [], sources: [] }
  for (let callsLeft = tools.length === 0 ? 1 : parts.maxSteps; ; callsLeft--) {
    const { value, by, reason } = await ctx.ask(parts.prompt, stepInput(task, ctx, parts, tools, progress, callsLeft))
    if (by === 'fallback' && progress.steps.length === 0)
      return answerWithoutModel(task, ctx, parts.options.name, tools, reason)
    if (by === 'fallback')
      return stopped('ModelUnavailable', `The model could not go on: ${reason ?? 'it gave no answer'}.`, progress)
    const isCall = Boolean(value.tool?.trim())
    const fault = isCall ? undefined : faultOf(value, parts)
    if (!isCall && fault === undefined) return answered(value, parts, progress)
    if (callsLeft <= 0) {
      const why =
        fault === undefined ? `no answer after ${parts.maxSteps} calls; raise maxSteps if it needs more` : fault
      return stopped('ModelOutputInvalid', `The agent "${parts.options.name}" gave ${why}.`, progress)
    }
    if (fault === undefined) await callTool(value, ctx, tools, progress)
    else
      progress.steps.push({
        tool: 'answer',
        input: { data: value.data },
        result: `The answer was not taken: ${fault}. Give it again.`,
      })
  }
}

function stepInput(
  task: AgentTask,
  ctx: ActorContext,
  { options }: Parts,
  tools: readonly BoundTool[],
  { steps }: Progress,
  callsLeft: number,
): StepInput {
  const { context, systemPrompt } = ctx.request
  const { name, description, instructions, output: schema } = options
  return {
    instructions: instructions ?? `You are the agent "${name}": ${description}`,
    task: task.text,
    context: contextLines(context),
    findings: task
      .inputs()
      .flatMap(({ actor, result }) => (result.answer === undefined ? [] : [`${actor}: ${result.answer}`])),
    tools: toolLines(tools, task.text),
    steps: [...steps],
    callsLeft,
    ...feedbackIn(task),
    ...(schema === undefined ? {} : { outputSchema: JSON.stringify(schema) }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  }
}

/** What was said of an earlier attempt, and how that began. */
function feedbackIn({ feedback }: AgentTask): Pick<StepInput, 'feedback'> {
  if (feedback === undefined) return {}
  const { text, attempt } = feedback
  const before = (attempt?.result.answer ?? attempt?.result.error?.message ?? '').slice(0, LONGEST_ATTEMPT)
  return { feedback: { text, ...(before === '' ? {} : { before }) } }
}

/** Calls the tool, and keeps what came of it for the next step. */
async function callTool(
  step: Step,
  ctx: ActorContext,
  tools: readonly BoundTool[],
  { steps, sources }: Progress,
): Promise<void> {
  const name = step.tool!.trim()
  const input = step.input ?? {}
  if (name === FIND_TOOLS) return void steps.push({ tool: name, input, result: foundTools(tools, input) })
  const bound = tools.find(({ tool }) => tool.name === name)
  if (bound === undefined) {
    const known =
      tools
        .slice(0, MOST_SHOWN)
        .map(({ tool }) => tool.name)
        .join(', ') || 'none'
    steps.push({ tool: name, input, result: `There is no tool "${name}". There are: ${known}.` })
    return
  }
  try {
    const output = await ctx.call(bound.tool, input)
    steps.push({ tool: name, input, result: shownResult(name, output) })
    sources.push(...sourceOf(bound, input, output))
  } catch (thrown) {
    const error = toTuttiError(thrown)
    if (!TOLD.has(error.code)) throw thrown
    steps.push({ tool: name, input, result: `${name} failed: ${error.message}` })
  }
}

/** What is wrong with the data of an answer; undefined when nothing is. */
function faultOf({ data }: Step, { output }: Parts): string | undefined {
  const parsed = output?.safeParse(data)
  if (parsed === undefined || parsed.success) return undefined
  const issues = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'data'}: ${message}`)
  return `data that does not fit its schema: ${issues.join('; ')}`
}

function answered({ answer, data }: Step, { output }: Parts, { steps, sources }: Progress): Outcome {
  return {
    answer: answer!.trim(),
    data: output === undefined ? { calls: calls(steps) } : data,
    ...(sources.length === 0 ? {} : { sources }),
  }
}

function stopped(
  type: 'ModelUnavailable' | 'ModelOutputInvalid',
  message: string,
  { steps, sources }: Progress,
): Outcome {
  return {
    status: 'failed',
    error: { type, message },
    ...(steps.length === 0 ? {} : { partial: { steps: [...steps] } }),
    ...(sources.length === 0 ? {} : { sources }),
  }
}

function calls(steps: StepInput['steps']): readonly { readonly tool: string; readonly input: unknown }[] {
  return steps.map(({ tool, input }) => ({ tool, input }))
}
