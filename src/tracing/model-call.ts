import type { ErrorInfo } from '../core/errors.ts'
import type { CallRecord } from '../core/state.ts'
import type { Attributes } from './span.ts'

/** What OpenTelemetry calls providers that we call otherwise. */
const PROVIDERS: Readonly<Record<string, string>> = { azure: 'azure.ai.openai' }

/** What a call of a model tells, or of the rules that answered in its place. */
export function modelCall({ name, by, model, usage, requests = 0, reason }: CallRecord): {
  readonly title: string
  readonly attributes: Attributes
  readonly failed: ErrorInfo | undefined
} {
  const isAsked = by === 'model' || requests > 0
  const [, provider = '', modelName] = /^([^:]+):(.*)$/s.exec(model ?? '') ?? []
  const asked: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': (PROVIDERS[provider] ?? provider) || undefined,
    'gen_ai.request.model': modelName,
    // Nothing else counts as an answer: what was cut off or withheld is an error.
    'gen_ai.response.finish_reasons': by === 'model' ? ['stop'] : undefined,
    'gen_ai.usage.input_tokens': countOf(usage?.inputTokens),
    'gen_ai.usage.output_tokens': countOf(usage?.outputTokens),
    'gen_ai.usage.cache_read.input_tokens': countOf(usage?.cachedInputTokens),
    'gen_ai.usage.cache_creation.input_tokens': countOf(usage?.cacheWriteTokens),
    'tutti.usage.cost_usd': countOf(usage?.costUsd),
    'tutti.usage.requests': countOf(requests),
  }
  return {
    title: isAsked ? `chat ${modelName ?? ''}`.trim() : `answer by rules ${name}`,
    attributes: { 'gen_ai.prompt.name': name, 'tutti.answered_by': by, ...(isAsked && asked) },
    // That rules answered in its place is no answer of the model.
    failed: isAsked && by !== 'model' ? { type: 'ModelError', message: reason ?? 'It gave no answer.' } : undefined,
  }
}

/** A number that happens to be somebody's secret is masked, and no number any more; there is none below zero. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
