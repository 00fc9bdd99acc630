/** Usage of one or more model calls. Tokens are the provider's own count; cost is in US dollars by the price table. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of `inputTokens`, the tokens read from the provider's cache. */
  readonly cachedInputTokens?: number
  /** Of `inputTokens`, the tokens written to the provider's cache. */
  readonly cacheWriteTokens?: number
  readonly costUsd?: number
}

/** Totals of a run or of a job. `calls` counts model calls that reached a provider. */
export interface UsageTotals {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of `inputTokens`, as in `Usage`; absent if no provider reported any. */
  readonly cachedInputTokens?: number
  readonly cacheWriteTokens?: number
  readonly costUsd: number
}

export const NO_USAGE: UsageTotals = Object.freeze({ calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 })

/** `requests` of a call without reported usage still count as calls. */
export function addUsage(totals: UsageTotals, usage: Usage | undefined, requests: number): UsageTotals {
  return {
    calls: totals.calls + requests,
    inputTokens: totals.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: totals.outputTokens + (usage?.outputTokens ?? 0),
    ...cacheTokens(totals, usage),
    costUsd: totals.costUsd + (usage?.costUsd ?? 0),
  }
}

type CacheTokens = Pick<Usage, 'cachedInputTokens' | 'cacheWriteTokens'>

/** The sum of two cache usages; counts that neither has stay absent. */
export function cacheTokens(a: CacheTokens, b: CacheTokens | undefined): CacheTokens {
  const read = addOptional(a.cachedInputTokens, b?.cachedInputTokens)
  const written = addOptional(a.cacheWriteTokens, b?.cacheWriteTokens)
  return {
    ...(read === undefined ? {} : { cachedInputTokens: read }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
  }
}

/** The sum; undefined if both are. */
export function addOptional(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b
}
