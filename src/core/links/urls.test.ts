import { expect, it } from 'vitest'
import { KnownUrls } from './urls.ts'

it('looks for addresses in 100,000 characters without a blank in linear time', () => {
  const started = performance.now()
  for (const text of ['www.', 'a.b+', 'a_']) new KnownUrls().add(text.repeat(100_000 / text.length))
  // Quadratic, it took from 15 s on.
  expect(performance.now() - started).toBeLessThan(5_000)
})
