import { z } from 'zod'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { toTuttiError, type ErrorCode } from '../../core/errors.ts'
import type { Outcome, Source } from '../../core/result.ts'
import { contextLines } from '../context-lines.ts'
import type { Definition } from './definition.ts'
import { shownResult, stepPrompt, type Step, type StepInput } from './step-prompt.ts'
import { openTools, type BoundTool, type KnownTool } from './tools.ts'
import { sourceOf } from './tool-sources.ts'
import { answerWithoutModel } from './without-model.ts'

const DEFAULT_TIMEOUT_MS = 180_000

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

/** What a declared agent works with. */
interface Parts {
  readonly definition: Definition
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
 * An agent that is declared rather than programmed: in each step a model calls one of its tools or answers, for a bounded
 * number of steps. Its tools are called as those of any other agent are, so approval, journal and provenance hold.
 * @param unavailable why it cannot work, such as an MCP server that does not answer
 */
export function yamlAgent(definition: Definition, tools: readonly KnownTool[], unavailable?: string): Agent {
  const { name, description, capabilities, useCases, requiredContext, retries, timeout, model } = definition
  const temperature = definition.temperature ?? model?.temperature
  const maxOutputTokens = definition.maxOutputTokens ?? model?.maxOutputTokens
  const schema = definition.prompt?.output
  const parts: Parts = {
    definition,
    tools,
    prompt: stepPrompt({
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    }),
    ...(schema === undefined ? {} : { output: outputType(schema) }),
  }
  return defineAgent({
    name,
    description,
    capabilities,
    useCases,
    keywords: (definition.keywords ?? capabilities).map((word) => word.toLowerCase().replaceAll('_', ' ')),
    tools: tools.map(({ info }) => info),
    limits: { timeoutMs: timeout ?? DEFAULT_TIMEOUT_MS, ...(retries === undefined ? {} : { retries }) },
    ...(tools.length === 0 ? { planning: { worksOnResults: true } } : {}),
    ...(requiredContext === undefined ? {} : { requiredContext }),
    ...(unavailable === undefined ? {} : { unavailable }),
    run: (task, ctx) => work(task, ctx, parts),
  })
}

/** @throws when it is no JSON schema that can be checked */
export function outputType(schema: Readonly<Record<string, unknown>>): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
}

async function work(task: AgentTask, ctx: ActorContext, parts: Parts): Promise<Outcome> {
  const { definition } = parts
  const allowed = parts.tools.filter(({ info }) => task.tools === undefined || task.tools.includes(info.name))
  const tools = openTools(allowed, task, ctx)
  const progress: Progress = { steps: [], sources: [] }
  for (let callsLeft = tools.length === 0 ? 1 : definition.maxSteps; ; callsLeft--) {
    const { value, by, reason } = await ctx.ask(parts.prompt, stepInput(task, ctx, parts, tools, progress, callsLeft))
    if (by === 'fallback' && progress.steps.length === 0)
      return answerWithoutModel(task, ctx, definition.name, tools, reason)
    if (by === 'fallback')
      return stopped('ModelUnavailable', `The model could not go on: ${reason ?? 'it gave no answer'}.`, progress)
    const isCall = Boolean(value.tool?.trim())
    const fault = isCall ? undefined : faultOf(value, parts)
    if (!isCall && fault === undefined) return answered(value, parts, progress)
    if (callsLeft <= 0) {
      const why =
        fault === undefined ? `no answer after ${definition.maxSteps} calls; raise maxSteps if it needs more` : fault
      return stopped('ModelOutputInvalid', `The agent "${definition.name}" gave ${why}.`, progress)
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
  { definition }: Parts,
  tools: readonly BoundTool[],
  { steps }: Progress,
  callsLeft: number,
): StepInput {
  const { context, systemPrompt } = ctx.request
  const schema = definition.prompt?.output
  return {
    instructions:
      definition.prompt?.instructions ?? `You are the agent "${definition.name}": ${definition.description}`,
    task: task.text,
    context: contextLines(context),
    findings: task
      .inputs()
      .flatMap(({ actor, result }) => (result.answer === undefined ? [] : [`${actor}: ${result.answer}`])),
    tools: tools.map(({ tool, inputSchema }) => {
      const approval = tool.effect === 'irreversible' ? ' A person must approve each call.' : ''
      return `- ${tool.name}: ${tool.description}${approval}\n  input: ${JSON.stringify(inputSchema)}`
    }),
    steps: [...steps],
    callsLeft,
    ...(schema === undefined ? {} : { outputSchema: JSON.stringify(schema) }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  }
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
  const bound = tools.find(({ tool }) => tool.name === name)
  if (bound === undefined) {
    const known = tools.map(({ tool }) => tool.name).join(', ') || 'none'
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
