import { expect, test } from 'vitest'
import type { ModelRequest } from './request.ts'
import { estimateRequest, estimateTokens, sumUsage, usageOf } from './tokens.ts'

test('the estimate is never below one token per three bytes, and counts the answer', () => {
  expect(estimateTokens(['x'.repeat(300)])).toBe(108)
  expect(estimateTokens(['東京'])).toBe(10)
  expect(estimateTokens([])).toBe(0)
  const request = (text: string): ModelRequest => ({
    name: 'x',
    prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
    maxOutputTokens: 1_000,
    temperature: undefined,
    schema: undefined,
    quirks: new Set(),
    onText: undefined,
  })
  const { tokens, costUsd } = estimateRequest(request('x'.repeat(300)), { input: 1, output: 10 })
  expect(tokens).toBeGreaterThanOrEqual(1_108)
  expect(costUsd).toBeCloseTo((tokens - 1_000 + 10_000) / 1e6, 10)
  expect(estimateRequest(request('x'), undefined).costUsd).toBe(0)
})

test('unreported usage stays absent', () => {
  const told = (input: number | undefined) => ({
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  })
  expect(usageOf(told(undefined), undefined)).toBeUndefined()
  expect(usageOf(told(5), undefined)).toEqual({
    inputTokens: 5,
    outputTokens: 0,
  })
  expect(sumUsage(undefined, undefined)).toBeUndefined()
  expect(sumUsage({ inputTokens: 1, outputTokens: 2 }, undefined)).toEqual({ inputTokens: 1, outputTokens: 2 })
  expect(
    sumUsage(
      { inputTokens: 1, outputTokens: 2, costUsd: 1 },
      { inputTokens: 3, outputTokens: 4, cachedInputTokens: 2, costUsd: 2 },
    ),
  ).toEqual({ inputTokens: 4, outputTokens: 6, cachedInputTokens: 2, costUsd: 3 })
})
