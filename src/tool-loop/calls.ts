import type { ActorContext } from '../domain/actor.ts'
import { withoutFullStop } from '../domain/error-text.ts'
import { errorInfo, toTuttiError, TuttiError, type ErrorCode } from '../domain/errors.ts'
import type { Source } from '../domain/result.ts'
import {
  handleOf,
  idOfResult,
  openCalls,
  plainId,
  type CallAnswer,
  type CallPosition,
  type TranscriptState,
} from '../domain/transcript.ts'
import { toolCallsOf, type ToolCallPart } from '../domain/turn.ts'
import { tableIn } from '../domain/table.ts'
import { resultPage, textOfOutput } from './result-text.ts'
import { FIND_TOOLS, READ_RESULT, REPORT_GAP, USE_TOOL, type LoopTool, type ToolList } from './tool-list.ts'
import { identityOf, identicalReads, checkFields } from './call-identity.ts'

/** Reads of one turn that run at the same time. */
const MAX_PARALLEL_READS = 6

/** Errors that end the attempt; all others become results from which the model can continue. */
const FATAL: ReadonlySet<ErrorCode> = new Set(['Cancelled', 'RunLost', 'StorageError'])

export interface CallEnvironment {
  readonly ctx: ActorContext
  readonly tools: ToolList
  /** Returns the problem of the input of a call that would end the loop. */
  readonly problemWith?: ((call: ToolCallPart) => string | undefined) | undefined
  /** Returns the sources of a result. */
  readonly sourcesOf: (tool: LoopTool, input: unknown, output: unknown) => readonly Source[]
}

interface PlannedCall {
  readonly position: CallPosition
  readonly part: ToolCallPart
  readonly bound: LoopTool
  readonly input: unknown
}

/**
 * Makes the calls of the last turn that have no result yet. Reads run first, in parallel; then the others one by one in
 * the model's order, until one fails. Irreversible calls request approval at the same time, so that the user decides on
 * all calls of a turn at once.
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
    } else {
      const call = planCall(environment, position, part)
      if ('text' in call) ctx.transcript.answer(position, call)
      else planned.push(call)
    }
  }
  const reads = planned.filter(({ bound }) => bound.tool.effect === 'read')
  await runReads(environment, reads)
  await runInOrder(
    environment,
    planned.filter(({ bound }) => bound.tool.effect !== 'read'),
  )
}

function callAt({ turns }: TranscriptState, { turn, index }: CallPosition): ToolCallPart {
  return toolCallsOf(turns[turn - 1]!.message)[index]!
}

/** The tool that a call means, or the result of a call that needs none. */
function planCall(
  { ctx, tools }: CallEnvironment,
  position: CallPosition,
  part: ToolCallPart,
): PlannedCall | CallAnswer {
  const { finishReason } = ctx.transcript.state.turns[position.turn - 1]!
  if (finishReason !== 'stop' && finishReason !== 'tool-calls') {
    return failed('ToolError', 'Not executed: the reply was cut off before it was complete. Make the call again.')
  }
  if (part.invalid !== undefined) return failed('ToolError', `Not executed: ${part.invalid}`)
  if (part.name === REPORT_GAP) return { text: 'Recorded. Once your work is done, write the whole answer.' }
  if (part.name === FIND_TOOLS) return { text: tools.find(String(part.input['words'] ?? '')) }
  if (part.name === READ_RESULT) return readResult(ctx, part)
  const bound = tools.toolOf(part)
  if (bound === undefined) return withoutTool(ctx, tools, position, part)
  const input = inputOf(part)
  const { unknown, known } = checkFields(bound.inputSchema, input)
  if (unknown.length === 0) return { position, part, bound, input }
  return failed('ToolError', `Not executed: there is no field ${unknown.join(', ')}. Fields: ${known.join(', ')}.`)
}

/** The model named an unknown tool, or one that was removed after the call. */
function withoutTool(ctx: ActorContext, tools: ToolList, position: CallPosition, part: ToolCallPart): CallAnswer {
  const outcome = ctx.transcript.outcome(position)
  if (outcome?.isOpen === true) {
    return failed(
      'EffectUnknown',
      'The call was interrupted and may have taken place. Its tool is no longer available.',
    )
  }
  if (outcome?.error !== undefined) return answerOfError(TuttiError.fromInfo(outcome.error))
  if (outcome !== undefined) {
    return shortened(textOfOutput(outcome.output), handleOf(ctx.transcript.state, position))
  }
  const name = part.name === USE_TOOL ? String(part.input['name'] ?? '') : part.name
  return failed('ToolError', `There is no tool "${name}". There are: ${tools.names().join(', ')}.`)
}

/** A tool's input, with or without `use_tool`. */
export function inputOf({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): unknown {
  return name === USE_TOOL ? (input['input'] ?? {}) : input
}

/** A read that was made before, with nothing changed in between, has the same result; a third time it is refused. */
function identicalRead(
  { ctx, tools }: CallEnvironment,
  { position, part, bound }: PlannedCall,
): CallAnswer | undefined {
  const { isVolatile } = bound.tool
  if (isVolatile === true) return undefined
  // The user may have taken days to reply.
  const mayHaveChanged = (other: ToolCallPart): boolean =>
    tools.isEnding(other.name) || (tools.toolOf(other)?.tool.effect ?? 'read') !== 'read'
  const before = identicalReads(ctx.transcript.state, position, identityOf(part), mayHaveChanged)
  const [first, second] = before
  if (first === undefined) return undefined
  if (second !== undefined) {
    return failed(
      'ToolError',
      'Not executed: this call was made before. Use its result, call with other input, or answer.',
    )
  }
  return { text: `[Same call as before; nothing has changed since.]\n${first.text}` }
}

function readResult(ctx: ActorContext, { input }: ToolCallPart): CallAnswer {
  const id = plainId(String(input['id'] ?? ''))
  try {
    const { output, text = textOfOutput(output), failedTask } = ctx.transcript.recall(id)
    const note = failedTask === undefined ? '' : `[Found by the task "${failedTask}", which failed.]\n`
    return { text: note + resultPage(text, id, wholeNumber(input['offset']), wholeNumber(input['limit'])) }
  } catch (thrown) {
    return answerOfError(toTuttiError(thrown))
  }
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isFinite(Number(value ?? Number.NaN)) ? Math.max(0, Math.floor(Number(value))) : undefined
}

/** All of a result as the model reads it. A result that names no ids itself begins with that of its place. */
function fullText({ show }: LoopTool, output: unknown, sources: readonly Source[], read: readonly Source[]): string {
  const ids = sources.map(({ id }) => id!)
  if (show !== undefined) return show(output, ids, read)
  const text = textOfOutput(output)
  return ids.length === 1 && text !== '' ? `[${ids[0]}]\n${text}` : text
}

/** Sources of the results that stand before this one in the next prompt. */
function readSources(
  { state: { turns, compacted }, earlier }: ActorContext['transcript'],
  { turn, index }: CallPosition,
): readonly Source[] {
  const before = compacted?.summary === undefined ? earlier.flatMap((one) => one.turns) : []
  const all = [...before, ...turns.slice(compacted?.clearedUpTo ?? 0)]
  return all.flatMap((one) =>
    [...one.answers].flatMap(([at, { sources = [] }]) => (one === turns[turn - 1] && at >= index ? [] : sources)),
  )
}

/** Runs the call and records its result. @param turnToRun see `ActorContext.transcript.call` */
async function execute(
  { ctx, sourcesOf }: CallEnvironment,
  { position, bound, input }: PlannedCall,
  turnToRun?: () => Promise<void>,
): Promise<void> {
  let answer: CallAnswer
  try {
    const output = await ctx.transcript.call(bound.tool, input, position, turnToRun)
    const edited = ctx.transcript.outcome(position)?.edited
    const sources = ctx.transcript.name(sourcesOf(bound, edited ?? input, output), position)
    const note = edited === undefined ? '' : `[The user changed the input to ${JSON.stringify(edited)}.]\n`
    const id = idOfResult(ctx.transcript.state, position, sources)
    const idLine = sources.length === 1 || tableIn(output) === undefined ? '' : `[${id}]\n`
    const whole = `${note}${idLine}${fullText(bound, output, sources, readSources(ctx.transcript, position))}`
    answer = { ...shortened(whole, id), ...(sources.length === 0 ? {} : { sources }) }
  } catch (thrown) {
    const error = toTuttiError(thrown)
    if (ctx.signal.aborted || FATAL.has(error.code)) throw thrown
    answer = answerOfError(error)
  }
  ctx.transcript.answer(position, answer)
}

/** The beginning of a result that is too long to be shown at once. */
function shortened(whole: string, id: string): CallAnswer {
  const text = resultPage(whole, id)
  return text.startsWith(whole) || whole === '' ? { text } : { text, whole }
}

function answerOfError(error: TuttiError): CallAnswer {
  return { text: errorText(error), error: errorInfo(error) }
}

function errorText(error: TuttiError): string {
  if (TuttiError.is(error, 'ApprovalDenied')) {
    const { reason, instructions } = error.details ?? {}
    const reasonText = instructions === undefined ? '' : ` and said: ${withoutFullStop(instructions)}`
    return `Error ApprovalDenied: not executed. ${reason === 'denied_by_user' ? `The user denied it${reasonText}.` : error.message}`
  }
  if (!TuttiError.is(error, 'ApprovalInstructed')) return `Error ${error.code}: ${error.message}`
  return `${error.message}\n\nMake the revised call; the user is asked about it again.`
}

/** An identical read of the same turn waits for the first one. */
async function runReads(environment: CallEnvironment, calls: readonly PlannedCall[]): Promise<void> {
  const waiting = [...calls]
  const running = new Map<string, Promise<void>>()
  const run = async (call: PlannedCall, before: Promise<void> | undefined): Promise<void> => {
    await before
    const known = identicalRead(environment, call)
    if (known === undefined) await execute(environment, call)
    else environment.ctx.transcript.answer(call.position, known)
  }
  const worker = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      const identity = identityOf(call.part)
      const finished = run(call, call.bound.tool.isVolatile === true ? undefined : running.get(identity))
      running.set(identity, finished)
      await finished
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_READS, calls.length) }, worker))
}

async function runInOrder(environment: CallEnvironment, calls: readonly PlannedCall[]): Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  const runs = calls.map((call) => {
    const earlier = before
    const run = runInTurn(environment, call, earlier)
    before = Promise.all([earlier, run])
    // Rejections are handled through `runs`.
    before.catch(() => undefined)
    return run
  })
  await Promise.all(runs)
}

async function runInTurn(environment: CallEnvironment, call: PlannedCall, earlier: Promise<unknown>): Promise<void> {
  const turnToRun = async (): Promise<void> => {
    await earlier
    if (hasFailedBefore(environment, call.position)) throw notExecuted()
  }
  const isIrreversible = call.bound.tool.effect === 'irreversible'
  if (!isIrreversible) await earlier
  if (hasFailedBefore(environment, call.position)) {
    environment.ctx.transcript.answer(call.position, answerOfError(notExecuted()))
  } else await execute(environment, call, isIrreversible ? turnToRun : undefined)
}

function notExecuted(): TuttiError {
  return new TuttiError('ToolError', 'Not executed: an earlier call of the same turn failed or was denied.')
}

/** Whether a call of the turn that is no read, or of no known tool, has failed before this one in the order of the model. */
function hasFailedBefore({ ctx, tools }: CallEnvironment, { turn, index }: CallPosition): boolean {
  const { message, answers } = ctx.transcript.state.turns[turn - 1]!
  return toolCallsOf(message)
    .slice(0, index)
    .some((part, at) => answers.get(at)?.error !== undefined && !tools.isRead(part))
}

function failed(type: ErrorCode, message: string): CallAnswer {
  return { text: message, error: errorInfo(new TuttiError(type, message)) }
}
