import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatsOf } from './formats.ts'

describe('durations', () => {
  it('show all parts, and no part exceeds its unit', () => {
    const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }
    fc.assert(
      fc.property(fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.nat(1e8)), (ms) => {
        const parts = [
          ...formatsOf('en')
            .duration(ms)
            .matchAll(/([\d.,]+) (ms|s|min|h)/g),
        ].map(([, n, unit]) => [Number(n!.replaceAll(',', '')), units[unit!]!] as const)
        const said = parts.reduce((sum, [n, unit]) => sum + n * unit, 0)
        expect(Math.abs(said - ms)).toBeLessThanOrEqual(ms < 59_950 ? 51 : ms < 3_600_000 ? 600 : 60_000)
        const most: Readonly<Record<number, number>> = { 1: 100, 1_000: 59.9, 60_000: 59, 3_600_000: Infinity }
        expect(parts.filter(([n, unit]) => n > most[unit]!)).toEqual([])
      }),
      { seed: 7 },
    )
  })
})

describe('days and moments of a database', () => {
  it('are formatted with the calendar of a language, and other values are not', () => {
    const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(days, fc.constantFrom('T', ' '), (date, between) => {
        const [day, clock] = date.toISOString().split('T') as [string, string]
        const german = `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`
        expect(formatsOf('de').stamp(day)).toBe(german)
        expect(formatsOf('de').stamp(`${day}${between}${clock.slice(0, 5)}`)).toBe(`${german}, ${clock.slice(0, 5)}`)
        const moment = `${day}${between}${clock}`
        const utc = `${day}${between}${clock.replace('Z', '')}+00`
        expect(formatsOf('de').stamp(utc)).toBe(formatsOf('de').stamp(moment))
      }),
      { seed: 13 },
    )
    const others = [
      '2026-02-31',
      '2026-13-01',
      '2026',
      '2026-10',
      '10:15',
      'on 2026-10-05',
      '2026-10-05T25:00',
      'FI-103',
      '',
    ]
    for (const text of others) expect(formatsOf('de').stamp(text)).toBe(text)
    expect(formatsOf('en-GB').stamp('2026-10-05 08:15:00')).toBe('5 Oct 2026, 08:15')
  })
})

describe('numbers', () => {
  it.each([
    ['', 'en', '1,234,567.5'],
    ['', 'de', '1.234.567,5'],
    ['comma', 'de', '1,234,567.5'],
    ['point', 'en', '1.234.567,5'],
    ['space', 'en', '1\u202F234\u202F567,5'],
    ['apostrophe', 'de', '1’234’567.5'],
  ] as const)('follow the user’s setting: "%s" in %s', (numbers, language, written) => {
    expect(formatsOf(language, numbers).number(1_234_567.5, 1)).toBe(written)
  })
})
