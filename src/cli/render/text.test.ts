import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indent, padEnd, padStart, safeLine, safeText, truncateToWidth, widthOf, escapeHidden } from './text.ts'

describe('safeText', () => {
  it('keeps lines and removes terminal control codes', () => {
    expect(safeText('a\r\nb\tc')).toBe('a\nb\tc')
    expect(safeText('\u001B[31mred\u001B[0m \u001B]0;title\u0007\u009B2Jx\u0008')).not.toMatch(/\p{Cc}/u)
    expect(safeText('invoice \u202Egnp.exe')).toBe('invoice gnp.exe')
  })

  it('keeps joined emoji', () => {
    expect(safeText('👩‍🚀 ok')).toBe('👩‍🚀 ok')
  })
})

describe('safeLine', () => {
  it('makes one line of many', () => {
    expect(safeLine('SELECT\n  1\u2028')).toBe('SELECT 1 ')
  })
})

describe('width', () => {
  it('counts wide characters as two columns', () => {
    expect([widthOf('abc'), widthOf('日本'), widthOf('é'), widthOf('👩‍🚀')]).toEqual([3, 4, 1, 2])
  })

  it('is kept by cutting and filling', () => {
    expect(truncateToWidth('abcdef', 4)).toBe('abc…')
    expect(truncateToWidth('日本語', 4)).toBe('日…')
    expect(truncateToWidth('abc', 3)).toBe('abc')
    expect(padEnd('日', 4)).toBe('日  ')
    expect(padStart('日', 4)).toBe('  日')
  })

  it('is never wider than asked for, whatever scripts are mixed', () => {
    const some = fc.array(fc.constantFrom('a', ' ', 'é', '⠋', '€', '日', '👍', '—', '“'), { maxLength: 20 })
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 14 }), (parts, width) => {
        expect(widthOf(truncateToWidth(parts.join(''), width))).toBeLessThanOrEqual(width)
      }),
      { numRuns: 2000, seed: 3 },
    )
  })
})

describe('indent', () => {
  it('indents every non-empty line', () => {
    expect(indent('a\n\nb')).toBe('  a\n\n  b')
  })
})

describe('a text for approval', () => {
  it('is shown with its hidden characters', () => {
    expect(escapeHidden('Hui\u200Bla\u{E0041} 👩‍🚀')).toBe('Hui\\u{200b}la\\u{e0041} 👩‍🚀')
  })
})
