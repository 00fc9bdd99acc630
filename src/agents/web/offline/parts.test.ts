import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { citedSources, withoutMarks } from '../../citations.ts'
import { bestParagraphs, shortened } from './passages.ts'
import { kindByWords, queryByWords } from './rules.ts'
import { createWebTools, type WebToolParts } from '../tools.ts'
import { urlsIn } from '../../../core/urls.ts'

describe('addresses in a text', () => {
  it.each([
    ['Read https://a.example/x?y=1#z, please.', ['https://a.example/x?y=1']],
    ['(see https://en.wikipedia.org/wiki/Rust_(language))', ['https://en.wikipedia.org/wiki/Rust_(language)']],
    ['[title](https://a.example/x) and <https://b.example>', ['https://a.example/x', 'https://b.example/']],
    ['"https://a.example" and **https://a.example**!', ['https://a.example/']],
    ['HTTP://A.example/B and www.c.example.', ['http://a.example/B', 'https://www.c.example/']],
    ['ftp://a.example, file:///etc/passwd, javascript:alert(1), a.example', []],
    ['https:// and http://%%% and www.', []],
    ['The http status of /api/orders', []],
  ])('%s', (text, urls) => {
    expect(urlsIn(text)).toEqual(urls)
  })

  // Step by step for each character it would be over the time that a test may take.
  it('are found quickly in a text made to be slow', () => {
    expect(urlsIn(`https://a.example/${')'.repeat(200_000)} ${'www.'.repeat(50_000)}`)).toHaveLength(3)
  })
})

describe('a search by the words of a question', () => {
  it.each([
    ['What is the price of Arabica coffee?', 'basic', 'price Arabica coffee'],
    ['Search the web for the latest Node.js version, please', 'news', 'latest Node.js version'],
    ['What is in the news about Acme’s merger today?', 'news', 'Acme’s merger'],
    ['Compare C++ and C# in depth', 'deep', 'Compare C++ C#'],
    ['Was kostet ein Pfund Kaffee in Köln?', 'basic', 'kostet ein Pfund Kaffee Köln'],
    ['コーヒーの値段', 'basic', 'コーヒーの値段'],
    ['What is it?', 'basic', 'What is it?'],
  ])('%s', (question, kind, query) => {
    expect(kindByWords(question)).toBe(kind)
    expect(queryByWords(question)).toBe(query)
  })
})

describe('passages', () => {
  const text = [
    '# Returns and refunds',
    'This page is about what happens to goods after they have been sent to you.',
    'Damaged goods may be returned within 30 days at our cost.',
    'Our offices are closed on Sundays and on public holidays everywhere.',
    'Refunds for damaged goods are paid within a week of their arrival.',
  ].join('\n\n')

  it('are those that speak of the question, in the order of the page', () => {
    expect(bestParagraphs('How are damaged goods refunded?', text, 1_000, 2)).toEqual([
      'Damaged goods may be returned within 30 days at our cost.',
      'Refunds for damaged goods are paid within a week of their arrival.',
    ])
  })

  it('are the first ones when none does', () => {
    expect(bestParagraphs('Who wrote Hamlet?', text, 1_000, 1)).toEqual([
      'This page is about what happens to goods after they have been sent to you.',
    ])
  })

  it.each([
    ['One sentence. Another one here that goes on.', 20, 'One sentence.'],
    ['Without any end that could be found in it', 20, 'Without any end…'],
    ['x'.repeat(50), 10, `${'x'.repeat(10)}…`],
    [`${'x'.repeat(9)}😀`, 10, `${'x'.repeat(9)}…`],
    ['short', 10, 'short'],
  ])('are shortened where it hurts least', (given, kept, expected) => {
    expect(shortened(given, kept)).toBe(expected)
  })
})

describe('citations', () => {
  it('are numbered in the order in which the answer makes them, and point to something', () => {
    expect(citedSources('A [3]. B [1, 3] C [9]. D [0]', ['a', 'b', 'c'])).toEqual({
      answer: 'A [1]. B [2][1] C. D',
      sources: ['c', 'a'],
    })
  })

  it('leave all sources where the answer makes none', () => {
    expect(citedSources('Nothing is known.', ['a', 'b'])).toEqual({ answer: 'Nothing is known.', sources: ['a', 'b'] })
  })

  it('always resolve, whatever the answer says', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.nat(12).map((n) => `[${n}]`),
      fc.constantFrom('[1,2]', '[2 , 7]', '[', ']', '1', ' .'),
    )
    fc.assert(
      fc.property(fc.array(piece), fc.nat(5), (pieces, count) => {
        const sources = Array.from({ length: count }, (_, i) => i)
        const cited = citedSources(pieces.join(''), sources)
        for (const [, n] of cited.answer.matchAll(/\[(\d+)\]/g)) {
          expect(cited.sources[Number(n) - 1]).toBeDefined()
        }
      }),
    )
  })

  it('of a page’s own are taken out of its text', () => {
    expect(withoutMarks('It was founded in 1998.[12][3, 4] More [sic] [1a]')).toBe(
      'It was founded in 1998. More [sic] [1a]',
    )
  })
})

describe('what a search tells the service', () => {
  const text = 'What does the web say about damaged goods?'
  const words = queryByWords(text)
  const textOf = (query: string): string => (query === words ? text : query)
  const { reach } = createWebTools({} as WebToolParts, new Set(), textOf).search
  const told = (query: string) => typeof reach === 'function' && reach({ query, kind: 'basic' }, [])

  it('is the query, or the task where the query is nothing but its words', () => {
    expect(told('damaged goods Zarquon')).toMatchObject({ parts: 'damaged goods Zarquon' })
    expect(told(words)).toMatchObject({ parts: text })
  })
})
