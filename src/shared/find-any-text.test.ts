import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KnownTexts } from './find-any-text.ts'
import { createSecrets, secretsIn } from '../domain/secrets.ts'

it('finds the longest of them at each place', () => {
  const text = (min: number, max: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: min, maxLength: max })
  fc.assert(
    fc.property(fc.array(text(2, 6), { maxLength: 12 }), text(0, 40), (known, searched) => {
      const expected = Array.from({ length: searched.length }, (_, at) => {
        const here = known.filter((one) => searched.startsWith(one, at)).map(({ length }) => length)
        return [at, at + Math.max(0, ...here)] as const
      }).filter(([from, to]) => to > from)
      expect([...new KnownTexts(known).spansIn(searched)]).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

it('masks thousands of secrets of one question, and one of 100,000 characters', () => {
  const many = Array.from({ length: 4_500 }, (_, i) => `password=a${i}b${i}c`).join(' ')
  const long = 'password='.repeat(11_000)
  for (const question of [many, long]) {
    const secrets = createSecrets(secretsIn({ question }))
    expect(secrets.text(question)).not.toMatch(/a123b|password=pass/)
  }
})
