import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatsOf, type Numbers } from './formats.ts'

describe('numbers', () => {
  it.each([
    ['', 'en', '1,234,567.5'],
    ['', 'de', '1.234.567,5'],
    ['comma', 'de', '1,234,567.5'],
    ['point', 'en', '1.234.567,5'],
    ['space', 'en', '1\u202F234\u202F567,5'],
    ['apostrophe', 'de', '1’234’567.5'],
  ] as const)('are written as the person wants: "%s" in %s', (numbers, language, written) => {
    expect(formatsOf(language, numbers).number(1_234_567.5, 1)).toBe(written)
  })

  it('differ in their separators alone, whatever they are', () => {
    const plain = (text: string): string => text.replaceAll(/[.,’\s]/gu, '')
    const wanted: readonly Numbers[] = ['comma', 'point', 'space', 'apostrophe']
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.constantFrom('en', 'de'), (value, language) => {
        const usual = formatsOf(language)
        for (const one of wanted) {
          const own = formatsOf(language, one)
          for (const way of ['number', 'money', 'compact', 'axis', 'percent', 'duration'] as const) {
            expect(plain(own[way](value))).toBe(plain(usual[way](value)))
          }
        }
      }),
      { seed: 7 },
    )
  })
})
