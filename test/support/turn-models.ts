import type { ModelCallOptions, ModelPort } from '../../src/domain/model.ts'
import type { AssistantMessage, ModelTurn, TurnRequest } from '../../src/domain/turn.ts'
import { FakeModels } from './engine-world.ts'

type Parts = AssistantMessage['parts']

/** Models that answer turns with a function, which gets the number of earlier assistant messages. */
export class TurnModels extends FakeModels implements ModelPort {
  readonly requests: TurnRequest[] = []
  private readonly reply: (turn: number, request: TurnRequest) => Parts | string

  constructor(reply: (turn: number, request: TurnRequest) => Parts | string) {
    super()
    this.reply = reply
  }

  modelOf({ models }: Pick<ModelCallOptions, 'models'>): Promise<string> {
    return Promise.resolve(models['default'] ?? 'fake:one')
  }

  async turn(request: TurnRequest, options: ModelCallOptions): Promise<ModelTurn> {
    const usage = { inputTokens: 100, outputTokens: 10, costUsd: 0.01 }
    const settle = options.reserve({ tokens: 110, costUsd: 0.01 })
    this.requests.push(request)
    settle(usage)
    const turn = 1 + request.messages.filter(({ role }) => role === 'assistant').length
    const reply = this.reply(turn, request)
    const parts: Parts = typeof reply === 'string' ? [{ type: 'text', text: reply }] : reply
    const model = await this.modelOf(options)
    const finishReason = parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop'
    return { message: { role: 'assistant', parts, model }, finishReason, model, usage, requests: 1 }
  }
}

/** A turn that calls one tool. */
export function callOf(name: string, input: Readonly<Record<string, string>>, text = ''): Parts {
  const call = { type: 'tool-call', id: `call-${name}`, name, input } as const
  return text === '' ? [call] : [{ type: 'text', text }, call]
}
