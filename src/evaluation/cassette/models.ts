import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Answered, AskOptions, ModelCallOptions, ModelPort } from '../../domain/model.ts'
import type { Prompt, RenderedPrompt } from '../../domain/prompt.ts'
import type { ModelTurn, TurnRequest } from '../../domain/turn.ts'
import type { Usage } from '../../domain/usage.ts'
import { messagesText, toolsText, type Differences } from './difference.ts'
import type { Tape } from './tape.ts'

/**
 * Replays turns and prompts from a cassette, or sends them to another model. Compares each request with the recorded
 * one.
 */
export class CassetteModels implements ModelPort {
  turns = 0
  prompts = 0
  private readonly tape: Tape
  private readonly differences: Differences
  private readonly other: ModelPort | undefined

  /** @param other replaces the recorded replies; since later messages then differ, only system prompts are compared */
  constructor(tape: Tape, differences: Differences, other?: ModelPort) {
    this.tape = tape
    this.differences = differences
    this.other = other
  }

  get patience(): number {
    return this.other?.patience ?? 1
  }

  async modelOf(options: Pick<ModelCallOptions, 'actor' | 'models'>): Promise<string | undefined> {
    return this.other === undefined ? this.tape.models[0] : this.other.modelOf?.(options)
  }

  contextWindow(ref: string): number {
    const { contextWindows } = this.tape.cassette
    return this.other?.contextWindow?.(ref) ?? contextWindows[ref] ?? Number.MAX_SAFE_INTEGER
  }

  async turn(request: TurnRequest, options: ModelCallOptions): Promise<ModelTurn> {
    const { job = '' } = options
    const { number, taped } = this.tape.nextTurn(job)
    const where = `job ${job}, turn ${number}`
    if (taped !== undefined) {
      this.turns++
      const { head, messages } = taped
      this.differences.compare(where, 'instructions', head.instructions, request.head.instructions)
      this.differences.compare(where, 'tools', toolsText(head.tools), toolsText(request.head.tools))
      const now = messagesText([...request.head.messages, ...request.messages])
      if (this.other === undefined || number === 1) this.differences.compare(where, 'messages', messages, now)
    }
    if (this.other?.turn !== undefined) return this.other.turn(request, options)
    if (taped === undefined) throw this.missing(where, 'The cassette has no such turn')
    const { reply, error, finishReason = 'stop', model, usage, requests } = taped.turn
    if (reply === undefined) throw failureOf(error)
    settle(options, usage)
    return { message: reply, finishReason, model: model ?? this.tape.models[0]!, requests, ...omitUndefined({ usage }) }
  }

  async ask<I, O>(prompt: Prompt<I, O>, input: I, options: AskOptions): Promise<Answered<O>> {
    const { job = '' } = options
    const record = this.tape.nextPrompt(job, prompt.name, input)
    const where = `job ${job}, prompt ${prompt.name}`
    if (record !== undefined) {
      this.prompts++
      const text = promptText(prompt.render(input), options)
      if (record.text === undefined) {
        const before = JSON.stringify(record.input, null, 1)
        if (this.differences.compare(where, 'input', before, JSON.stringify(input, null, 1))) record.text = text
      } else if (this.other === undefined) this.differences.compare(where, 'text', record.text, text)
    }
    if (this.other !== undefined) return this.other.ask(prompt, input, options)
    if (record === undefined) throw this.missing(where, 'The cassette has no such prompt')
    const { output, refused, error, by, reason = 'no reason is known', model, usage } = record
    if (error !== undefined) throw failureOf(error)
    settle(options, usage)
    const metadata = omitUndefined({ model, usage })
    if (by === 'fallback')
      return { by, reason, requests: 0, ...omitUndefined({ refused: refused as O | undefined }), ...metadata }
    return { by: 'model', value: output as O, requests: 1, ...metadata }
  }

  private missing(where: string, what: string): TuttiError {
    this.differences.add(where, `${what}.`)
    return new TuttiError('ModelUnavailable', `${what}: ${where}.`)
  }
}

function failureOf(error: Parameters<typeof TuttiError.fromInfo>[0] | undefined): TuttiError {
  return error === undefined
    ? new TuttiError('Internal', 'The turn failed without a reason.')
    : TuttiError.fromInfo(error)
}

/** Charges the recorded usage to the budget of the replay. */
function settle({ reserve }: ModelCallOptions, usage: Usage | undefined): void {
  const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = usage ?? {}
  reserve({ tokens: inputTokens + outputTokens, costUsd })(usage)
}

function promptText(
  { instructions, stable, user }: RenderedPrompt,
  { preamble, feedback }: Pick<AskOptions, 'preamble' | 'feedback'>,
): string {
  const messages = typeof user === 'string' ? [user] : user.map(({ role, text }) => `[${role}]\n${text}`)
  return [instructions, preamble, stable, feedback, ...messages].filter(Boolean).join('\n\n')
}
