import { z } from 'zod'
import type { ActorContext } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { isObject, omitUndefined } from '../../shared/json.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { defineTool, type Tool, type LoopTool } from '../../domain/tool.ts'
import type { CallPosition } from '../../domain/transcript.ts'
import type { ToolDefinition } from '../../domain/turn.ts'
import { tableIn } from '../../domain/table.ts'
import type { Differences } from '../../evaluation/cassette/difference.ts'
import type { Tape, TapedCall } from '../../evaluation/cassette/tape.ts'

/** The output of a stand-in for a missing tool. */
interface StoodIn {
  /** All that the model was shown of the result. */
  readonly shown: string
  readonly sources: readonly object[]
  readonly tabular?: unknown
}

/** Returns the recorded results of a cassette in place of tool calls. */
export class RecordedCalls {
  private readonly tape: Tape
  private readonly differences: Differences
  /** Whether calls have the same positions as in the cassette. */
  private readonly isExact: boolean
  /** Names of missing tools. */
  private readonly standIns = new Set<string>()
  private readonly done = new Map<TapedCall, Promise<unknown>>()

  constructor(tape: Tape, differences: Differences, isExact: boolean) {
    this.tape = tape
    this.differences = differences
    this.isExact = isExact
  }

  /** The context of a job whose calls return recorded results. No tool is run. */
  within<C extends ActorContext>(ctx: C): C {
    const { key } = ctx.job
    const call: ActorContext['transcript']['call'] = (tool, input, position, turnToRun) =>
      ctx.transcript.call(
        this.recorded(tool, () => this.result(key, tool.name, input, position)),
        input,
        position,
        turnToRun,
      )
    const own: ActorContext['call'] = (tool, input) =>
      ctx.call(
        this.recorded(tool, () => this.ownResult(key, tool.name, input)),
        input,
      )
    const transcript = Object.create(ctx.transcript, { call: { value: call } }) as ActorContext['transcript']
    return Object.create(ctx, { transcript: { value: transcript }, call: { value: own } }) as C
  }

  private recorded<I, O, P>(
    { name, description, input }: Tool<I, O, P>,
    result: () => Promise<unknown>,
  ): Tool<I, O, P> {
    const run = result as () => Promise<O>
    // No tool is run, so no approval is needed.
    return defineTool<I, O, P>({ name, description, input, effect: 'read', reach: 'inside', provenance: BY_USER, run })
  }

  private async result(key: string, tool: string, input: unknown, position: CallPosition): Promise<unknown> {
    const call = this.isExact ? this.tape.callAt(key, position) : this.tape.sameCall(key, tool, input)
    if (call === undefined) throw this.missing(key, tool, input)
    if (this.isExact) await this.inRecordedOrder(call)
    const { made, answer } = call
    const error = made === undefined ? answer.error : made.error
    if (error !== undefined) throw TuttiError.fromInfo(error)
    return this.standIns.has(tool) ? this.standInOutput(call) : (made?.output ?? answer.text)
  }

  private async ownResult(key: string, tool: string, input: unknown): Promise<unknown> {
    const call = this.tape.ownCall(key, tool, input)
    if (call === undefined) throw this.missing(key, tool, input)
    if (call.error !== undefined) throw TuttiError.fromInfo(call.error)
    return call.output
  }

  private missing(key: string, tool: string, input: unknown): TuttiError {
    const call = `${tool} ${JSON.stringify(input)}`
    this.differences.add(`job ${key}`, `The cassette has no call ${call}.`)
    return new TuttiError('ToolError', `This call was not recorded, so it has no result: ${call}`)
  }

  /** Sources are numbered in the order of results, so calls of a turn must end in the recorded order. */
  private async inRecordedOrder(call: TapedCall): Promise<void> {
    const { key, position } = call
    const order = this.tape.callsOf(key).filter((one) => one.position.turn === position.turn)
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => (finish = resolve))
    this.done.set(call, finished)
    // The other calls of the turn must have started.
    await nextTick()
    await Promise.all(order.slice(0, order.indexOf(call)).flatMap((one) => this.done.get(one) ?? []))
    await nextTick()
    finish()
  }

  /** A tool of which only the definition and the results exist. Its output is the text that the model read. */
  standIn({ name, description, inputSchema }: ToolDefinition, key: string): LoopTool {
    const answers = this.tape.callsOf(key).flatMap(({ part, answer }) => (part.name === name ? [answer] : []))
    const isRepeated = answers.some(({ text }) => text.startsWith('[Same call as before'))
    this.standIns.add(name)
    const tool = defineTool<unknown, unknown>({
      name,
      description,
      input: z.unknown(),
      effect: 'read',
      reach: 'inside',
      isVolatile: !isRepeated,
      run: async () => undefined,
    })
    const show = (output: unknown): string => (isObject(output) ? (output as unknown as StoodIn).shown : '')
    return { tool, inputSchema, source: { kind: 'api', name }, show }
  }

  private standInOutput({ handle, made, answer }: TapedCall): StoodIn {
    const tabular = tableIn(made?.output)
    return {
      shown: (answer.whole ?? answer.text).replace(`[${handle}]\n`, ''),
      sources: answer.sources ?? [],
      ...omitUndefined({ tabular }),
    }
  }
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
