import fc from 'fast-check'
import { expect, it } from 'vitest'
import { labelledIndexes, axisTickValues } from './chart-scale.ts'

it('the grid lines of a chart are few round numbers around all values', () => {
  const value = fc.double({ min: -1e12, max: 1e12, noNaN: true }).filter((one) => Math.abs(one) > 1e-9)
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [least, most] = [Math.min(0, a, b), Math.max(0, a, b)]
      const ticks = axisTickValues(least, most)
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

it('labels along a line do not overlap, and include the highest value', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 9, maxLength: 200 }), (values) => {
      const at = [...labelledIndexes(values, true)].toSorted((a, b) => a - b)
      expect(at).toContain(values.indexOf(Math.max(...values)))
      for (const [n, one] of at.slice(1).entries()) expect(one - at[n]!).toBeGreaterThanOrEqual(values.length / 8)
    }),
    { seed: 14 },
  )
})
