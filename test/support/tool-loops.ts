/** Tool loops for tests: a model that follows a script, tools that record their calls, agents of both. */
import { z } from 'zod'
import type { Agent, AgentTask, ActorContext } from '../../src/domain/actor.ts'
import type { ModelCallOptions, ModelPort } from '../../src/domain/model.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import type { Outcome } from '../../src/domain/result.ts'
import { defineTool, type Effect, type Tool } from '../../src/domain/tool.ts'
import type {
  AssistantMessage,
  FinishReason,
  ModelTurn,
  ToolCallPart,
  ToolMessage,
  TurnRequest,
} from '../../src/domain/turn.ts'
import { userMessage } from '../../src/domain/turn.ts'
import { runToolLoop, type LoopResult, type ToolLoop } from '../../src/tool-loop/loop.ts'
import { loopOutcome as outcomeOfLoop } from '../../src/tool-loop/outcome.ts'
import type { LoopTool } from '../../src/tool-loop/tool-list.ts'
import { agent, FakeModels } from './engine-world.ts'

/** A reply of the scripted model: text, or calls with optional text. */
export interface ScriptedReply {
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
  readonly finishReason?: FinishReason
  readonly error?: Error
}
export type ScriptedCall = readonly [name: string, input?: ToolCallPart['input'], more?: Partial<ToolCallPart>]

/** The reply to a request, by the number of replies in it. */
export type Script =
  | readonly (ScriptedReply | string)[]
  | ((request: TurnRequest, turn: number) => ScriptedReply | string)

const REF = 'fake:one'
export const TOKENS_PER_TURN = 15

/** A port whose model follows a script. `requests` are the received prompts as JSON. */
export class ScriptedModels extends FakeModels implements ModelPort {
  readonly requests: string[] = []
  /** Context window, in tokens. */
  window = 1_000_000
  private readonly script: Script

  constructor(script: Script) {
    super()
    this.script = script
  }

  async modelOf(): Promise<string> {
    return REF
  }

  contextWindow(): number {
    return this.window
  }

  async turn(request: TurnRequest, options: ModelCallOptions): Promise<ModelTurn> {
    const settle = options.reserve({ tokens: TOKENS_PER_TURN, costUsd: 0.01 })
    const { head, messages, toolChoice } = request
    this.requests.push(JSON.stringify({ head, messages, toolChoice }))
    const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.01 }
    settle(usage)
    const turn = messages.filter(({ role }) => role === 'assistant').length + 1
    const given = typeof this.script === 'function' ? this.script(request, turn) : this.script[turn - 1]
    if (given === undefined) throw new Error(`The script has no reply for turn ${turn}.`)
    const reply: ScriptedReply = typeof given === 'string' ? { text: given } : given
    if (reply.error !== undefined) throw reply.error
    const message = messageOf(reply, turn)
    const finishReason = reply.finishReason ?? (reply.calls === undefined ? 'stop' : 'tool-calls')
    return { message, finishReason, model: REF, usage, requests: 1 }
  }

  /** The request at this index; negative indexes count from the end. */
  request(at: number): Pick<TurnRequest, 'head' | 'messages' | 'toolChoice'> {
    return JSON.parse(this.requests.at(at)!) as TurnRequest
  }

  /** The results at the end of the request at this index, without source ids. */
  results(at: number): readonly string[] {
    const last = this.request(at).messages.findLast((message): message is ToolMessage => message.role === 'tool')
    return (last?.parts ?? []).map(({ text }) => text.replace(/^\[s\d+\]\n/, ''))
  }
}

function messageOf({ text = '', calls = [] }: ScriptedReply, turn: number): AssistantMessage {
  const parts = calls.map(([name, input = {}, more], index): ToolCallPart => {
    return { type: 'tool-call', id: `t${turn}c${index}`, name, input, ...more }
  })
  return { role: 'assistant', model: REF, parts: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts] }
}

/** A tool that takes any object. */
export function loopTool(
  name: string,
  effect: Effect,
  run: Tool<never, unknown, Record<string, unknown>>['run'],
  more: Partial<Tool<Record<string, unknown>, unknown>> = {},
): LoopTool {
  const tool = defineTool<Record<string, unknown>, unknown>({
    name,
    description: `The tool ${name}`,
    effect,
    input: z.record(z.string(), z.unknown()),
    provenance: BY_USER,
    reach: 'inside',
    ...more,
    run,
  })
  const { $schema: _draft, ...inputSchema } = z.toJSONSchema(tool.input, { io: 'input' })
  return { tool: tool as Tool<unknown, unknown>, inputSchema, source: { kind: 'api', name } }
}

export interface LoopAgentOptions extends Partial<Omit<ToolLoop, 'tools' | 'limits'>> {
  readonly limits?: Agent['limits']
  readonly outcome?: (ctx: ActorContext, result: LoopResult, task: AgentTask) => Outcome
}

/** An agent that only runs a tool loop. */
export function loopAgent(
  name: string,
  tools: readonly LoopTool[],
  { limits, outcome = outcomeOfLoop, ...loop }: LoopAgentOptions = {},
): Agent {
  const run: Agent['run'] = async (task, ctx) => {
    const result = await runToolLoop(ctx, {
      instructions: 'Do the task.',
      messages: [userMessage(task.text)],
      sourcesOf: ({ source }) => [source],
      ...(ctx.job.replaces === undefined ? {} : { continues: ctx.job.replaces }),
      ...loop,
      tools,
    })
    return outcome(ctx, result, task)
  }
  return agent(name, run, {
    tools: tools.map(({ tool: { name: its, description, effect } }) => ({ name: its, description, effect })),
    ...(limits === undefined ? {} : { limits }),
  })
}

/** A read, write or irreversible tool that only records its calls. */
export function notingTool(
  name: string,
  effect: Effect,
  done: string[],
  more: Partial<Tool<Record<string, unknown>, unknown>> = {},
): LoopTool {
  return loopTool(name, effect, async (input) => (done.push(`${name} ${JSON.stringify(input)}`), `${name} done`), more)
}
