import { expect, test } from 'vitest'
import { costOf, priceOf } from './prices.ts'

const openai = { name: 'openai', kind: 'openai' }

test('a dated name has its model’s price; an unknown one has none', () => {
  expect(priceOf(openai, 'gpt-4.1-mini')).toEqual({ input: 0.4, cachedInput: 0.1, output: 1.6 })
  expect(priceOf(openai, 'gpt-4.1-mini-2025-04-14')).toEqual(priceOf(openai, 'gpt-4.1-mini'))
  expect(priceOf({ name: 'anthropic', kind: 'anthropic' }, 'claude-haiku-4-5-20251001')?.output).toBe(5)
  expect(priceOf(openai, 'gpt-4.1-mini-turbo')).toBeUndefined()
  expect(priceOf(openai, 'constructor')).toBeUndefined()
  expect(priceOf({ name: 'openai', kind: 'compatible' }, 'gpt-4.1-mini')).toBeUndefined()
})

test('configured prices win', () => {
  const own = { 'openai:gpt-4.1-mini': { input: 1, output: 2 }, 'local:qwen': { input: 0, output: 0 } }
  expect(priceOf(openai, 'gpt-4.1-mini-2025-04-14', own)).toEqual({ input: 1, output: 2 })
  expect(priceOf({ name: 'local', kind: 'compatible' }, 'qwen', own)).toEqual({ input: 0, output: 0 })
})

test('cached input is part of the input and costs less', () => {
  const price = { input: 10, cachedInput: 1, output: 100 }
  expect(costOf({ inputTokens: 1_000_000, outputTokens: 0 }, price)).toBe(10)
  expect(costOf({ inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 10_000 }, price)).toBeCloseTo(7.4)
  expect(costOf({ inputTokens: 100, cachedInputTokens: 400, outputTokens: 0 }, price)).toBeCloseTo(0.0001)
  expect(
    costOf({ inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 0 }, { input: 10, output: 1 }),
  ).toBe(10)
})
