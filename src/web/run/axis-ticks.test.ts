import fc from 'fast-check'
import { expect, it } from 'vitest'
import { axisTicks } from './axis-ticks.ts'

it('are round moments of a time range, as many as fit, and few only where the range is short', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e12 }),
      fc.integer({ min: 1, max: 1e11 }),
      fc.integer({ min: 2, max: 12 }),
      (from, length, most) => {
        const ticks = axisTicks(from, from + length, most, 0)
        expect(ticks.length).toBeLessThanOrEqual(most + 1)
        for (const { at, share } of ticks) expect(share * length).toBeCloseTo(at - from, 0)
        const steps = new Set(ticks.slice(1).map(({ at }, n) => at - ticks[n]!.at))
        expect(steps.size).toBeLessThanOrEqual(1)
        for (const step of steps) for (const { at } of ticks) expect(at % step).toBe(0)
        expect(ticks.length).toBeGreaterThanOrEqual(length < 10 ? 0 : Math.floor(most / 4))
      },
    ),
  )
})
