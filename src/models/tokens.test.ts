import { expect, test } from 'vitest'
import { estimateRequest, estimateTokens, sumUsage, usageOf } from './tokens.ts'

test('the estimate is never below one token per three bytes, and counts the answer', () => {
  expect(estimateTokens(['x'.repeat(300)])).toBe(108)
  expect(estimateTokens(['東京'])).toBe(10)
  expect(estimateTokens([])).toBe(0)
  expect(estimateRequest(['x'.repeat(300)], 1_000, { input: 1, output: 10 })).toEqual({
    tokens: 1_108,
    costUsd: expect.closeTo(0.010108, 10),
  })
  expect(estimateRequest(['x'], 10, undefined).costUsd).toBe(0)
})

test('what nobody told stays absent', () => {
  const details = { inputTokenDetails: { cacheReadTokens: undefined, cacheWriteTokens: undefined } }
  expect(usageOf({ inputTokens: undefined, outputTokens: undefined, ...details }, undefined)).toBeUndefined()
  expect(usageOf({ inputTokens: 5, outputTokens: undefined, ...details }, undefined)).toEqual({
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
