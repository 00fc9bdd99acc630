/** What one or more model calls used. Tokens are the provider's own count; cost is in US dollars by the price table. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens?: number
  readonly costUsd?: number
}

/** Totals of a run or of a job. `calls` counts model calls that reached a provider. */
export interface UsageTotals {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}

export const NO_USAGE: UsageTotals = Object.freeze({ calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 })

/** `requests` of a call that told no usage still count as calls. */
export function addUsage(totals: UsageTotals, usage: Usage | undefined, requests: number): UsageTotals {
  return {
    calls: totals.calls + requests,
    inputTokens: totals.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: totals.outputTokens + (usage?.outputTokens ?? 0),
    costUsd: totals.costUsd + (usage?.costUsd ?? 0),
  }
}
