import type { z } from 'zod'
import type { ActorContext } from '../../core/actor.ts'
import { toTuttiError, type ErrorCode } from '../../core/errors.ts'
import type { Answered } from '../../core/model.ts'
import type { Outcome, Source } from '../../core/result.ts'
import { FIND_TOOLS, foundTools, MOST_SHOWN, toolLines } from './choose-tools.ts'
import { shownResult, type Step, type StepInput } from './step-prompt.ts'
import { sourceOf } from './tool-sources.ts'
import type { BoundTool } from './tools.ts'

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

/** Who takes steps, and with what. */
export interface Steps {
  readonly name: string
  readonly tools: readonly BoundTool[]
  readonly input: Omit<StepInput, 'tools' | 'steps' | 'callsLeft'>
  /** Tool calls at most. */
  readonly maxSteps: number
  /** What a person can do where these are not enough. */
  readonly ifSpent: string
  /** Checks what is handed over beside the answer. */
  readonly output?: z.ZodType
  ask(given: StepInput): Promise<Answered<Step>>
  /** What can be done when no model takes the first step. */
  withoutModel(reason: string | undefined): Promise<Outcome>
}

interface Progress {
  readonly steps: StepInput['steps']
  readonly sources: Source[]
}

/** In each step a model calls a tool or answers, for a bounded number of steps. */
export async function takeSteps(ctx: ActorContext, about: Steps): Promise<Outcome> {
  const { name, tools, input, maxSteps } = about
  const progress: Progress = { steps: [], sources: [] }
  const lines = toolLines(tools, input.task)
  for (let callsLeft = tools.length === 0 ? 1 : maxSteps; ; callsLeft--) {
    const { value, by, reason } = await about.ask({ ...input, tools: lines, steps: [...progress.steps], callsLeft })
    if (by === 'fallback' && progress.steps.length === 0) return about.withoutModel(reason)
    if (by === 'fallback')
      return stopped('ModelUnavailable', `The model could not go on: ${reason ?? 'it gave no answer'}.`, progress)
    const isCall = Boolean(value.tool?.trim())
    const fault = isCall ? undefined : faultOf(value, about)
    if (!isCall && fault === undefined) return answered(value, about, progress)
    if (callsLeft <= 0) {
      const why = fault ?? `no answer after ${maxSteps} calls; ${about.ifSpent}`
      return stopped('ModelOutputInvalid', `The agent "${name}" gave ${why}.`, progress)
    }
    if (fault === undefined) await callTool(value, ctx, about, progress)
    else
      progress.steps.push({
        tool: 'answer',
        input: { data: value.data },
        result: `The answer was not taken: ${fault}. Give it again.`,
      })
  }
}

/** Calls the tool, and keeps what came of it for the next step. */
async function callTool(step: Step, ctx: ActorContext, { tools }: Steps, { steps, sources }: Progress): Promise<void> {
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
function faultOf({ data }: Step, { output }: Steps): string | undefined {
  const parsed = output?.safeParse(data)
  if (parsed === undefined || parsed.success) return undefined
  const issues = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'data'}: ${message}`)
  return `data that does not fit its schema: ${issues.join('; ')}`
}

function answered({ answer, data }: Step, { output }: Steps, { steps, sources }: Progress): Outcome {
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
