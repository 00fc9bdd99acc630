import type { ErrorInfo } from '../domain/errors.ts'
import type { EventBody, ModelCallEvent } from '../domain/events.ts'
import { textOfMessage, toolCallsOf } from '../domain/turn.ts'
import { countOf, type Attributes } from './span.ts'

/** Providers with another name in OpenTelemetry. */
const PROVIDERS: Readonly<Record<string, string>> = { azure: 'azure.ai.openai' }

interface ModelCallSpan {
  readonly title: string
  readonly attributes: Attributes
  readonly failed?: ErrorInfo | undefined
}

/** The span of a model call, or of the rules that replaced it. */
export function modelCall(event: Extract<EventBody, { type: 'call.finished' }>): ModelCallSpan {
  const { name, by, requests = 0, reason } = event
  const isAsked = by === 'model' || requests > 0
  // An answer means that the model stopped regularly; truncated or withheld ones are errors.
  const { title, attributes } = chat(event, by === 'model' ? 'stop' : undefined)
  return {
    title: isAsked ? title : `answer by rules ${name}`,
    attributes: { 'gen_ai.prompt.name': name, 'tutti.answered_by': by, ...(isAsked && attributes) },
    // If rules answered instead, the model call failed.
    failed: isAsked && by !== 'model' ? { type: 'ModelError', message: reason ?? 'It gave no answer.' } : undefined,
  }
}

type Turn = Extract<EventBody, { type: 'turn.finished' }>

/** The span of a turn, without reasoning and provider metadata. */
export function turnSpan(event: Turn): ModelCallSpan & { readonly input: unknown; readonly output: unknown } {
  const { turn, sent, reply, finishReason } = event
  const { title, attributes } = chat(event, reply === undefined ? undefined : finishReason?.replace('-', '_'))
  const calls = reply === undefined ? [] : toolCallsOf(reply).map(({ name, input }) => ({ name, input }))
  return {
    title,
    attributes: { 'tutti.turn': countOf(turn), ...attributes },
    input: sent?.map(textOfMessage).join('\n\n'),
    output: reply === undefined ? undefined : { text: textOfMessage(reply), calls },
  }
}

/** Attributes by OpenTelemetry's conventions for a model request. */
function chat({ model, usage, requests }: ModelCallEvent, finishReason: string | undefined): ModelCallSpan {
  const [, provider = '', modelName] = /^([^:]+):(.*)$/s.exec(model ?? '') ?? []
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': (PROVIDERS[provider] ?? provider) || undefined,
    'gen_ai.request.model': modelName,
    'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
    'gen_ai.usage.input_tokens': countOf(usage?.inputTokens),
    'gen_ai.usage.output_tokens': countOf(usage?.outputTokens),
    'gen_ai.usage.cache_read.input_tokens': countOf(usage?.cachedInputTokens),
    'gen_ai.usage.cache_creation.input_tokens': countOf(usage?.cacheWriteTokens),
    'tutti.usage.cost_usd': countOf(usage?.costUsd),
    'tutti.usage.requests': countOf(requests ?? 0),
  }
  return { title: `chat ${modelName ?? ''}`.trim(), attributes }
}
