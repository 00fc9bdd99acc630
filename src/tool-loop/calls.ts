import type { ActorContext } from '../core/actor.ts'
import { errorInfo, toTuttiError, TuttiError, type ErrorCode } from '../core/errors.ts'
import type { Source } from '../core/result.ts'
import { openCalls, type CallAnswer, type CallPosition, type TranscriptState } from '../core/transcript.ts'
import { toolCallsOf, type ToolCallPart } from '../core/turn.ts'
import { identicalReads, identityOf } from './identical-calls.ts'
import { page, shownResult, textOfOutput } from './result-text.ts'
import { FIND_TOOLS, READ_RESULT, USE_TOOL, type LoopTool, type ToolList } from './tool-list.ts'

/** Reads of one turn that run at the same time. */
const MAX_PARALLEL_READS = 6

/** Errors that end the attempt; all others are results, from which the model can go on. */
const FATAL: ReadonlySet<ErrorCode> = new Set(['Cancelled', 'RunLost', 'StorageError'])

export interface CallEnvironment {
  readonly ctx: ActorContext
  readonly tools: ToolList
  /** What is wrong with the input of a call that would end the loop. */
  readonly problemWith?: ((call: ToolCallPart) => string | undefined) | undefined
  /** Names the places that a result comes from. */
  readonly sourcesOf: (tool: LoopTool, input: unknown, output: unknown) => readonly Source[]
}

interface PlannedCall {
  readonly position: CallPosition
  readonly part: ToolCallPart
  readonly bound: LoopTool
  readonly input: unknown
}

/**
 * Makes the calls of the last turn that have no result yet. Reads run first, in parallel; then the others one by one in the model's
 * order, and after one that failed the rest is not made. Irreversible calls ask for approval at the same time, so that the user
 * decides on all of a turn at once.
 */
export async function runCalls(environment: CallEnvironment): Promise<void> {
  const { ctx, tools, problemWith } = environment
  const transcript = ctx.transcript.state
  const planned: PlannedCall[] = []
  for (const position of openCalls(transcript)) {
    const part = callAt(transcript, position)
    if (tools.isEnding(part.name) && part.invalid === undefined) {
      const problem = problemWith?.(part)
      if (problem !== undefined) ctx.transcript.answer(position, failed('ToolError', problem))
      continue
    }
    const call = planCall(environment, transcript, position, part)
    if ('text' in call) ctx.transcript.answer(position, call)
    else planned.push(call)
  }
  const reads = planned.filter(({ bound }) => bound.tool.effect === 'read')
  await inParallel(reads, (call) => execute(environment, call))
  await inOrder(
    environment,
    planned.filter(({ bound }) => bound.tool.effect !== 'read'),
  )
}

export function callAt({ turns }: TranscriptState, { turn, index }: CallPosition): ToolCallPart {
  return toolCallsOf(turns[turn - 1]!.message)[index]!
}

/** The tool that a call means, or the result of a call that needs none. */
function planCall(
  { ctx, tools }: CallEnvironment,
  transcript: TranscriptState,
  position: CallPosition,
  part: ToolCallPart,
): PlannedCall | CallAnswer {
  const { finishReason } = transcript.turns[position.turn - 1]!
  if (finishReason !== 'stop' && finishReason !== 'tool-calls') {
    return failed('ToolError', 'Not executed: the reply was cut off before it was complete. Make the call again.')
  }
  if (part.invalid !== undefined) return failed('ToolError', `Not executed: ${part.invalid}`)
  if (part.name === FIND_TOOLS) return { text: tools.find(String(part.input['words'] ?? '')) }
  if (part.name === READ_RESULT) return readResult(ctx, part)
  const bound = tools.toolOf(part)
  if (bound === undefined) {
    const name = part.name === USE_TOOL ? String(part.input['name'] ?? '') : part.name
    return failed('ToolError', `There is no tool "${name}". There are: ${tools.names().join(', ')}.`)
  }
  const call = { position, part, bound, input: inputOf(part) }
  return identicalRead(transcript, tools, call) ?? call
}

/** What a tool is called with, through `use_tool` or not. */
export function inputOf({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): unknown {
  return name === USE_TOOL ? (input['input'] ?? {}) : input
}

/** A read that was made before, with nothing changed in between, has the same result; a third time it is refused. */
function identicalRead(
  transcript: TranscriptState,
  tools: ToolList,
  { position, part, bound }: PlannedCall,
): CallAnswer | undefined {
  const { effect, isVolatile } = bound.tool
  if (effect !== 'read' || isVolatile === true) return undefined
  const isWrite = (other: ToolCallPart): boolean => (tools.toolOf(other)?.tool.effect ?? 'read') !== 'read'
  const before = identicalReads(transcript, position, identityOf(part), isWrite)
  const [first, second] = before
  if (first === undefined) return undefined
  if (second !== undefined) {
    return failed(
      'ToolError',
      'Not executed: this call was made before. Use its result, call with other input, or answer.',
    )
  }
  const { error: _none, ...result } = first
  return { ...result, text: `[Same call as before; nothing has changed since.]\n${first.text}` }
}

function readResult(ctx: ActorContext, { input }: ToolCallPart): CallAnswer {
  const handle = String(input['handle'] ?? '')
  const [, turn, index] = /^r(\d+)\.(\d+)$/.exec(handle) ?? []
  const position = { turn: Number(turn), index: Number(index) }
  const output = turn === undefined ? undefined : ctx.transcript.output(position)
  const shown = ctx.transcript.turns[position.turn - 1]?.answers.get(position.index)
  if (output === undefined && shown === undefined) return failed('ToolError', `There is no result "${handle}".`)
  const from = Math.max(0, Math.floor(Number(input['from'] ?? 0)) || 0)
  return { text: page(output === undefined ? shown!.text : textOfOutput(output), from, handle) }
}

/** Runs the call and records its result. Resolves whether it succeeded. */
async function execute(
  { ctx, sourcesOf }: CallEnvironment,
  { position, bound, input }: PlannedCall,
  turnToRun?: () => Promise<void>,
): Promise<boolean> {
  let answer: CallAnswer
  try {
    const output = await ctx.transcript.call(bound.tool, input, position, turnToRun)
    const sources = sourcesOf(bound, input, output)
    const { turns, state } = ctx.transcript
    const place = { ...position, turn: position.turn + turns.length - state.turns.length }
    answer = { text: shownResult(output, place), ...(sources.length === 0 ? {} : { sources }) }
  } catch (thrown) {
    const error = toTuttiError(thrown)
    if (ctx.signal.aborted || FATAL.has(error.code)) throw thrown
    answer = { text: errorText(error), error: errorInfo(error) }
  }
  ctx.transcript.answer(position, answer)
  return answer.error === undefined
}

function errorText(error: TuttiError): string {
  if (!TuttiError.is(error, 'ApprovalInstructed')) return `Error ${error.code}: ${error.message}`
  return `${error.message}\n\nMake the revised call; the user is asked about it again.`
}

async function inParallel(calls: readonly PlannedCall[], run: (call: PlannedCall) => Promise<unknown>): Promise<void> {
  const waiting = [...calls]
  const worker = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await run(call)
  }
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_READS, calls.length) }, worker))
}

async function inOrder(environment: CallEnvironment, calls: readonly PlannedCall[]): Promise<void> {
  let before = Promise.resolve(true)
  const runs = calls.map((call) => {
    const earlier = before
    const turnToRun = async (): Promise<void> => {
      if (!(await earlier)) throw new TuttiError('ToolError', NOT_EXECUTED)
    }
    const isIrreversible = call.bound.tool.effect === 'irreversible'
    const run = isIrreversible ? execute(environment, call, turnToRun) : after(environment, call, earlier)
    before = Promise.all([earlier, run]).then((all) => all.every(Boolean))
    // Rejections are those of `runs`.
    before.catch(() => undefined)
    return run
  })
  await Promise.all(runs)
}

const NOT_EXECUTED = 'Not executed: an earlier call of the same turn failed or was denied.'

async function after(environment: CallEnvironment, call: PlannedCall, earlier: Promise<boolean>): Promise<boolean> {
  if (await earlier) return execute(environment, call)
  environment.ctx.transcript.answer(call.position, failed('ToolError', NOT_EXECUTED))
  return false
}

function failed(type: ErrorCode, message: string): CallAnswer {
  return { text: message, error: errorInfo(new TuttiError(type, message)) }
}
