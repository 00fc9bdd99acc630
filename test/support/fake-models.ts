/** Models without a network. */
import { z } from 'zod'
import { defineRole } from '../../src/domain/actor.ts'
import type { TuttiError } from '../../src/domain/errors.ts'
import type { Answered, AskOptions, ModelPort } from '../../src/domain/model.ts'
import { definePrompt, type Prompt } from '../../src/domain/prompt.ts'
import type { Usage } from '../../src/domain/usage.ts'

/** A prompt with text input and text output. */
export const say = definePrompt({
  name: 'test.say',
  format: 'text',
  input: z.string(),
  output: z.string(),
  render: (input) => ({ instructions: '', user: input }),
})

/** Streams the model's reply to `say` as the answer. */
export const streamingComposer = defineRole({
  name: 'composer',
  async run(ctx) {
    const { value = 'no model' } = await ctx.ask(say, 'compose', { streamAnswer: true })
    ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
    return {}
  },
})

/** The reply of a fake model to one ask. Its usage is reserved and settled like that of a real one. */
export interface Saying {
  readonly text?: string
  readonly usage?: Usage
  /** The reservation before the call. */
  readonly estimate?: { readonly tokens: number; readonly costUsd: number }
  readonly error?: Error
  /** The answer is returned when this resolves, or on abort. */
  readonly after?: Promise<unknown>
  /** Pieces that are streamed. */
  readonly pieces?: readonly string[]
}

/** A model port that answers with a function and records its prompts. */
export class FakeModels implements ModelPort {
  readonly asked: string[] = []
  private readonly answer: (input: string, options: AskOptions) => Saying | string

  constructor(answer: (input: string, options: AskOptions) => Saying | string = (input) => `model on ${input}`) {
    this.answer = answer
  }

  async ask<I, O>(_prompt: Prompt<I, O>, input: I, options: AskOptions): Promise<Answered<O>> {
    const text = String(input)
    const { withoutModel: reason } = options
    if (reason !== undefined) return { by: 'fallback', reason, requests: 0 }
    const given = this.answer(text, options)
    const saying: Saying = typeof given === 'string' ? { text: given } : given
    const usage = saying.usage ?? { inputTokens: 10, outputTokens: 5, costUsd: 0.01 }
    let settle: ReturnType<AskOptions['reserve']>
    try {
      settle = options.reserve(saying.estimate ?? { tokens: 15, costUsd: 0.01 })
    } catch (error) {
      return { by: 'fallback', reason: (error as TuttiError).message, requests: 0 }
    }
    this.asked.push(text)
    try {
      await Promise.race([saying.after, aborted(saying.after === undefined ? undefined : options.signal)])
      if (saying.error !== undefined) throw saying.error
    } finally {
      settle(usage)
    }
    let offset = 0
    for (const piece of saying.pieces ?? []) {
      options.onText?.(piece, offset)
      offset += piece.length
      await Promise.resolve()
    }
    return {
      value: (saying.text ?? saying.pieces?.join('') ?? '') as O,
      by: 'model',
      model: 'fake:one',
      usage,
      requests: 1,
    }
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> | undefined {
  if (signal === undefined) return undefined
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
