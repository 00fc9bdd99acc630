import type { Estimate } from '../domain/model.ts'
import { addOptional, cacheTokens, type Usage } from '../domain/usage.ts'
import { costOf, type Price } from './prices.ts'
import type { Reply } from './reply.ts'
import type { ModelRequest } from './request.ts'
import { omitUndefined } from '../shared/json.ts'

/** Used when a prompt sets no limit of its own. */
export const DEFAULT_OUTPUT_TOKENS = 4096

/**
 * Upper bound of the tokens in a text, without a tokenizer: a token is seldom shorter than three bytes of UTF-8, in
 * prose about four, in Chinese about three. A few are added for the message around it.
 */
export function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 3) + 8, 0)
}

/** The maximum usage of a request; its cost is 0 if the model's price is unknown. */
export function estimateRequest(request: ModelRequest, price: Price | undefined): Estimate {
  const { tools = [], schema, maxOutputTokens: outputTokens } = request
  const files = request.prompt.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'file'),
  )
  const inputTokens =
    estimateTokens([...textsOf(request.prompt), JSON.stringify([tools, schema ?? ''])]) + files.length * FILE_TOKENS
  const costUsd = price === undefined ? 0 : costOf({ inputTokens, cacheWriteTokens: inputTokens, outputTokens }, price)
  return { tokens: inputTokens + outputTokens, costUsd }
}

/** Approximate tokens that providers count for an ordinary image or a page of a document. */
const FILE_TOKENS = 2_000

function textsOf(prompt: ModelRequest['prompt']): string[] {
  return prompt.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.map((part) => {
          if (part.type === 'text' || part.type === 'reasoning') return part.text
          if (part.type === 'tool-call') return part.toolName + JSON.stringify(part.input)
          return part.type === 'tool-result' && 'value' in part.output ? JSON.stringify(part.output.value) : ''
        }),
  )
}

/** The usage that the provider reported for one request; undefined when it reported nothing. */
export function usageOf(reportedUsage: Reply['usage'], price: Price | undefined): Usage | undefined {
  if (reportedUsage === undefined) return undefined
  const { inputTokens, outputTokens } = reportedUsage
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined
  const tokens = {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    ...(inputTokens.cacheRead ? { cachedInputTokens: inputTokens.cacheRead } : {}),
    ...(inputTokens.cacheWrite ? { cacheWriteTokens: inputTokens.cacheWrite } : {}),
  }
  return price === undefined ? tokens : { ...tokens, costUsd: costOf(tokens, price) }
}

/** Adds up the reported usage of an answer's requests; values that none reported stay absent. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const cost = addOptional(a.costUsd, b.costUsd)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...cacheTokens(a, b),
    ...omitUndefined({ costUsd: cost }),
  }
}
