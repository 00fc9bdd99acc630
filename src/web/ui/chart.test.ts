import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ticksFor } from './chart.tsx'

it('the lines of a chart stand at round numbers, few of them, around all values', () => {
  const value = fc.double({ min: -1e12, max: 1e12, noNaN: true }).filter((one) => Math.abs(one) > 1e-9)
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [least, most] = [Math.min(0, a, b), Math.max(0, a, b)]
      const ticks = ticksFor(least, most)
      expect(ticks.length).toBeLessThanOrEqual(7)
      expect(ticks[0]!).toBeLessThanOrEqual(least)
      expect(ticks.at(-1)!).toBeGreaterThanOrEqual(most * (1 - 1e-9))
      expect(ticks).toContain(0)
      const step = (ticks[1]! - ticks[0]!).toPrecision(3)
      expect(step.replace(/e.*$/, '').replaceAll(/[.0]/g, '')).toMatch(/^(?:1|2|25|5)$/)
    }),
    { seed: 13 },
  )
})
