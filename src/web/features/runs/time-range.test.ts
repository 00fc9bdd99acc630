import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayRange, isoOf } from './time-range.ts'

test('two days cover the time from the first to the end of the second', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, day, (one, other) => {
      expect(dayRange({ from: isoOf(one), until: isoOf(other, 1) })).toEqual([one, other])
    }),
  )
})
