import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AUTHORS, BY_USER, combine, originOf, outsideData, ownData, publicData, type Provenance } from './provenance.ts'

describe('provenance', () => {
  it('has the least trusted author of its parts, is private if one is, and names the sources of all', () => {
    const house: Provenance = { author: 'user', private: false, sources: ['house'] }
    expect(combine([])).toBe(BY_USER)
    expect(combine([{ author: 'Outside', sources: 'x' } as never])).toMatchObject({ author: 'outside', private: true })
    expect(combine([undefined, BY_USER])).toBe(BY_USER)
    expect(combine([house, outsideData('web', 'mail'), outsideData('web')])).toEqual({
      author: 'outside',
      private: true,
      sources: ['house', 'web', 'mail'],
      outside: ['web', 'mail'],
    })
    expect(combine([{ author: 'own', private: true, sources: ['web'] }, outsideData('web')])).not.toHaveProperty(
      'outside',
    )
    expect(combine([outsideData()])).toEqual({ author: 'outside', private: true, sources: [] })
    expect(combine([publicData('page'), house])).toMatchObject({ author: 'outside', private: false })
    expect(combine([publicData(), ownData()])).toMatchObject({ author: 'outside', private: true })
  })

  it('does not depend on how parts are grouped', () => {
    const one = fc.record({
      author: fc.constantFrom(...AUTHORS),
      private: fc.boolean(),
      sources: fc.array(fc.string()),
    })
    fc.assert(
      fc.property(one, one, one, (a, b, c) => {
        expect(combine([combine([a, b]), c])).toEqual(combine([a, combine([b, c])]))
      }),
    )
  })
})

it('names as from outside what strangers wrote, and nothing else', () => {
  const seen = combine([ownData('database shop'), outsideData('mcp:files')])
  expect(originOf(seen)).toBe(
    'what it is made from comes in part from outside: mcp:files, and from your data: database shop',
  )
  expect(originOf(combine([publicData(), ownData('database shop')]))).toBe(
    'what it is made from comes in part from outside, and from your data: database shop',
  )
  expect(originOf(ownData('database shop'))).toContain(': database shop')
})
