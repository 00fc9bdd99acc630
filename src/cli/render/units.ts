import type { UsageTotals } from '../../domain/usage.ts'

/** `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ago`
  return `${Math.floor(hours / 24)} days ago`
}

/** `2 model calls, 1,234 tokens (768 from the cache), $0.0021`; empty when no model was asked. */
export function usageText({ calls, inputTokens, outputTokens, cachedInputTokens = 0, costUsd }: UsageTotals): string {
  if (calls === 0) return ''
  const tokens = inputTokens + outputTokens
  const cached = cachedInputTokens === 0 ? '' : ` (${cachedInputTokens.toLocaleString('en-US')} from the cache)`
  return [
    `${calls} model ${calls === 1 ? 'call' : 'calls'}`,
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString('en-US')} tokens${cached}`]),
    ...(costUsd === 0 ? [] : [`$${costUsd.toFixed(4)}`]),
  ].join(', ')
}

/** The short form of an ID. For a nested run, each part is shortened. */
export function shortId(id: string): string {
  return id.replaceAll(/[^.]+/g, (part) => part.slice(0, 8))
}
