import { expect, test } from 'vitest'
import { backoffMs } from './retry.ts'

test('the delay doubles, and half of it is jitter', () => {
  expect([1, 2, 3].map((attempt) => backoffMs(attempt, () => 0))).toEqual([250, 500, 1_000])
  expect([1, 2, 3].map((attempt) => backoffMs(attempt, () => 0.999))).toEqual([500, 1_000, 1_999])
})
