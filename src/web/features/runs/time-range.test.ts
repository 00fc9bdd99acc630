import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayRange, orderedRange, isoOf } from './time-range.ts'

test('two days cover the time from the earlier to the end of the later, in any order', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, day, (one, other) => {
      const looked = orderedRange({ search: 'x', from: isoOf(one), until: isoOf(other, 1) })
      expect(looked.search).toBe('x')
      expect(dayRange(looked)).toEqual([one, other].toSorted())
      expect(Date.parse(looked.from)).toBeLessThan(Date.parse(looked.until))
    }),
  )
})

test('hours, open ranges and invalid times stay unchanged', () => {
  const hours = { from: '2026-03-01T10:00:00.000Z', until: '2026-03-01T11:00:00.000Z' }
  for (const looked of [hours, { from: hours.from }, { until: hours.until }, { from: 'x', until: 'y' }, {}])
    expect(orderedRange(looked)).toBe(looked)
})
