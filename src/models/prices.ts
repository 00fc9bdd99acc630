import type { Usage } from '../domain/usage.ts'

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  /** Input read from the provider's cache; the full input price when absent. */
  readonly cachedInput?: number | undefined
  /** Input written to it; the full input price when absent. */
  readonly cacheWrite?: number | undefined
  readonly output: number
}

type Row = readonly [input: number, cachedInput: number, output: number]

/**
 * List prices in US dollars per million tokens, standard tier, as published by models.dev (MIT) on 2026-07-02. Prices
 * for very long prompts are not included; set `prices` in the configuration if they matter.
 */
const TABLE: Readonly<Record<string, Row>> = {
  'openai:gpt-5.5': [5, 0.5, 30],
  'openai:gpt-5.4': [2.5, 0.25, 15],
  'openai:gpt-5.4-mini': [0.75, 0.075, 4.5],
  'openai:gpt-5.4-nano': [0.2, 0.02, 1.25],
  'openai:gpt-5.2': [1.75, 0.175, 14],
  'openai:gpt-5.1': [1.25, 0.125, 10],
  'openai:gpt-5': [1.25, 0.125, 10],
  'openai:gpt-5-mini': [0.25, 0.025, 2],
  'openai:gpt-5-nano': [0.05, 0.005, 0.4],
  'openai:gpt-4.1': [2, 0.5, 8],
  'openai:gpt-4.1-mini': [0.4, 0.1, 1.6],
  'openai:gpt-4.1-nano': [0.1, 0.025, 0.4],
  'openai:gpt-4o': [2.5, 1.25, 10],
  'openai:gpt-4o-mini': [0.15, 0.075, 0.6],
  'openai:o3': [2, 0.5, 8],
  'openai:o4-mini': [1.1, 0.275, 4.4],
  'anthropic:claude-fable-5': [10, 1, 50],
  'anthropic:claude-opus-4-8': [5, 0.5, 25],
  'anthropic:claude-opus-4-7': [5, 0.5, 25],
  'anthropic:claude-opus-4-6': [5, 0.5, 25],
  'anthropic:claude-opus-4-5': [5, 0.5, 25],
  'anthropic:claude-opus-4-1': [15, 1.5, 75],
  'anthropic:claude-sonnet-5': [2, 0.2, 10],
  'anthropic:claude-sonnet-4-6': [3, 0.3, 15],
  'anthropic:claude-sonnet-4-5': [3, 0.3, 15],
  'anthropic:claude-haiku-4-5': [1, 0.1, 5],
}

/**
 * The price of a model, or undefined when it is not known; then no cost is given rather than a guess. A dated name
 * (`gpt-4.1-2025-04-14`, `claude-haiku-4-5-20251001`) has its model's price.
 * @param own prices from the configuration by `provider:model`; they win
 */
export function priceOf(
  provider: { readonly name: string; readonly kind: string },
  model: string,
  own: Readonly<Record<string, Price>> = {},
): Price | undefined {
  const undated = model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '')
  const configured = lookup(own, `${provider.name}:${model}`) ?? lookup(own, `${provider.name}:${undated}`)
  if (configured !== undefined) return configured
  const row = lookup(TABLE, `${provider.kind}:${model}`) ?? lookup(TABLE, `${provider.kind}:${undated}`)
  if (row === undefined) return undefined
  const [input, cachedInput, output] = row
  return {
    input,
    cachedInput,
    output,
    ...(provider.kind === 'anthropic' ? { cacheWrite: ANTHROPIC_WRITE * input } : {}),
  }
}

/**
 * Anthropic's price factor for tokens written to its cache for five minutes; other providers do not charge for that.
 */
const ANTHROPIC_WRITE = 1.25

/** Keys come from requests: `constructor` and the like must not be found on the prototype. */
function lookup<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** Cost in US dollars. */
export function costOf(tokens: Omit<Usage, 'costUsd'>, price: Price): number {
  const cached = Math.min(tokens.cachedInputTokens ?? 0, tokens.inputTokens)
  const written = Math.min(tokens.cacheWriteTokens ?? 0, tokens.inputTokens - cached)
  const rest = tokens.inputTokens - cached - written
  const { cachedInput = price.input, cacheWrite = price.input } = price
  const input = rest * price.input + cached * cachedInput + written * cacheWrite
  return (input + tokens.outputTokens * price.output) / 1_000_000
}
