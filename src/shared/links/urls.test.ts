import { expect, it } from 'vitest'
import { bareUrls, KnownUrls } from './urls.ts'

it('finds addresses in 100,000 characters without a blank in linear time', () => {
  const started = performance.now()
  for (const text of ['www.', 'a.b+', 'a_']) new KnownUrls().add(text.repeat(100_000 / text.length))
  // Quadratic, it took from 15 s on.
  expect(performance.now() - started).toBeLessThan(5_000)
})

it.each([
  ['hosts before a query that never ends', 'aa.bb,', '?'],
  ['schemes that need a comma', 'data:', 'data:'],
  ['slashes before hosts without an end', ',//a', ',//a'],
])('takes linear time for %s', (_name, first, second) => {
  const costOf = (size: number): number => {
    const text = first.repeat(size / first.length) + second.repeat(size / second.length)
    const costs = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      expect(bareUrls(text)).toEqual([])
      return process.cpuUsage(before).user
    })
    return Math.min(...costs)
  }
  // Of four times the text. Linear time is 4 times as long, quadratic 16 times.
  expect(costOf(48_000)).toBeLessThan(8 * costOf(12_000) + 50_000)
})
