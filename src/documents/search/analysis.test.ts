import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchTerms, tokens } from './analysis.ts'

describe('analysis of text', () => {
  it.each([
    ['The customers’ returns', ['custom', 'return']],
    ["customer's customers", ['custom', 'custom']],
    ['Größe, GRÖSSE; Café', ['gross', 'gross', 'cafe']],
    ['ﬁnal ①', ['final', '1']],
    ['Ελλάδα ΕΛΛΆΔΑ', ['ελλαδα', 'ελλαδα']],
    ['日本語テスト', ['日本', '本語', '語テ', 'テス', 'スト']],
    ['Ver2日', ['ver2', '日']],
    ['हिन्दी', ['हिन्दी']],
    ['A-100 x_y', ['100', 'x', 'y']],
    ['the of and', []],
    ['', []],
    ['?! …', []],
    ['EUR 15²', ['eur', '15', '2']],
    ['Alder³, CO₂', ['alder3', 'co2', 'alder', 'co']],
  ])('of %j', (text, terms) => {
    expect(searchTerms(text)).toEqual(terms)
  })

  it('splits long runs, never within a character', () => {
    expect(tokens(`a${'x'.repeat(500)}`)).toEqual([`a${'x'.repeat(63)}`])
    expect(tokens('a' + '𝒳'.repeat(1)).join('')).toBe('ax')
    expect(tokens('𐌰'.repeat(100) + 'b')[0]).toBe('𐌰'.repeat(32))
    expect(tokens('b' + '𐌰'.repeat(100))[0]).toBe('b' + '𐌰'.repeat(31))
  })

  it('gives the same terms for any case', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abzÄÖéñ ’'0-_ßŁ") }), (text) => {
        expect(searchTerms(text.toUpperCase())).toEqual(searchTerms(text.toUpperCase().toLowerCase()))
      }),
    )
  })

  it('is fast for a long line without spaces', () => {
    // Longer than any question or passage.
    expect(tokens(`${'x'.repeat(1_000_000)}ж`)).toHaveLength(1)
    expect(tokens("'".repeat(200_000))).toEqual([])
  })
})
