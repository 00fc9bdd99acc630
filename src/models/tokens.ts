import type { Estimate } from '../core/model.ts'
import { addOptional, cacheTokens, type Usage } from '../core/usage.ts'
import { costOf, type Price } from './prices.ts'
import { given } from '../core/given.ts'

/** Used when a prompt sets no limit of its own. */
export const DEFAULT_OUTPUT_TOKENS = 4096

/**
 * Upper bound of the tokens in a text, without a tokenizer: a token is seldom shorter than three bytes of UTF-8, in
 * prose about four, in Chinese about three. A few are added for the message around it.
 */
export function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 3) + 8, 0)
}

/** What a request may use at most; its cost is 0 where the model's price is not known. */
export function estimateRequest(texts: readonly string[], outputTokens: number, price: Price | undefined): Estimate {
  const inputTokens = estimateTokens(texts)
  const costUsd = price === undefined ? 0 : costOf({ inputTokens, cacheWriteTokens: inputTokens, outputTokens }, price)
  return { tokens: inputTokens + outputTokens, costUsd }
}

/** The part of AI SDK's usage that is read here. */
export interface SdkUsage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly inputTokenDetails: {
    readonly cacheReadTokens: number | undefined
    readonly cacheWriteTokens: number | undefined
  }
}

/** What the provider reported for one request; undefined when it reported nothing. */
export function usageOf(told: SdkUsage | undefined, price: Price | undefined): Usage | undefined {
  if (told === undefined || (told.inputTokens === undefined && told.outputTokens === undefined)) return undefined
  const { cacheReadTokens, cacheWriteTokens } = told.inputTokenDetails
  const tokens = {
    inputTokens: told.inputTokens ?? 0,
    outputTokens: told.outputTokens ?? 0,
    ...(cacheReadTokens ? { cachedInputTokens: cacheReadTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
  }
  return price === undefined ? tokens : { ...tokens, costUsd: costOf(tokens, price) }
}

/** Adds up what the requests of one answer reported; what none reported stays absent. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const cost = addOptional(a.costUsd, b.costUsd)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...cacheTokens(a, b),
    ...given({ costUsd: cost }),
  }
}
