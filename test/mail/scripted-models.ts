import type { Answered, AskOptions, ModelPort } from '../../src/core/model.ts'
import type { Prompt } from '../../src/core/prompt.ts'

/** What a scripted model answers to the prompt of this name: the answer, or a function of the prompt's input. */
export type Script = Readonly<Record<string, unknown>>

/** A model that answers by prompt name, and is not there for any other prompt. Remembers what it was given. */
export class ScriptedModels implements ModelPort {
  readonly asked: { readonly prompt: string; readonly text: string }[] = []
  private readonly script: Script

  constructor(script: Script = {}) {
    this.script = script
  }

  async ask<I, O>(prompt: Prompt<I, O>, input: I, options: AskOptions): Promise<Answered<O>> {
    const { instructions, user } = prompt.render(prompt.input.parse(input))
    this.asked.push({ prompt: prompt.name, text: `${instructions}\n${JSON.stringify(user)}` })
    const entry = this.script[prompt.name]
    const scripted = typeof entry === 'function' ? (entry as (given: I) => unknown)(input) : entry
    if (scripted === undefined) {
      const value = (await (options.fallback?.() ?? prompt.fallback(input))) as O
      return { value, by: 'fallback', reason: 'no model is configured', requests: 0 }
    }
    const settle = options.reserve({ tokens: 10, costUsd: 0 })
    settle({ inputTokens: 5, outputTokens: 5 })
    return { value: prompt.output.parse(scripted), by: 'model', model: 'scripted:one', requests: 1 }
  }
}
