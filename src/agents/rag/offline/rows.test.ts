import fc from 'fast-check'
import { expect, it } from 'vitest'
import { found } from './outcomes.ts'
import { quotesOnPages } from './on-pages.ts'
import { rowsInWords } from './rows.ts'
import { quoted } from './shown.ts'

const CITIES = 'Bergen Oslo Kiel Porto Lyon Ghent Turin Malmo'.split(' ')

it('of a table the row that answers is quoted in words, cited by its sheet, and marked alone', async () => {
  const tables = fc.record({
    desks: fc.array(fc.integer({ min: 10, max: 99 }), { minLength: 8, maxLength: 8 }),
    head: fc.constantFrom(['City', 'Desks'], ['City', 'Desks', 'Floor']),
    one: fc.nat(7),
    offset: fc.nat(50),
  })
  await fc.assert(
    fc.asyncProperty(tables, async ({ desks, head, one, offset }) => {
      const rows = CITIES.map((city, i) => [city, String(desks[i]!), String(100 + i)].slice(0, head.length))
      const text = ['Fleet', '', head.join(' | '), ...rows.map((row) => row.join(' | '))].join('\n')
      const place = { start: offset, end: offset + text.length, page: 2, section: 'Fleet' }
      const chunk = { chunkId: 'c', ordinal: 0, text, kind: 'table' as const, tokens: 9, ...place }
      const document = { documentId: 'd', name: 'fleet.xlsx', type: 'xlsx' as const }
      const city = CITIES[one]!
      const { hits, quotes } = await quotesOnPages(`How many desks are in ${city}?`, [{ chunk, document, score: 1 }])
      const quotation = quoted(quotes, hits)
      const said = rows[one]!.map((cell, i) => `${head[i]}: ${cell}`).join(', ')
      expect(quotation).toBe(`fleet.xlsx (sheet 2, Fleet): ${said} [1]`)
      const { sources } = found('', quotation, hits, 1, [])
      const { start, end } = sources![0]!.passage!
      expect(text.slice(start - offset, end - offset)).toBe(rows[one]!.join(' | '))
      expect(sources![0]!.excerpt).toBe(rows[one]!.join(' | '))
    }),
    { numRuns: 40 },
  )
})

it.each([
  ['rows with a name of their own', 'Name | Osprey\nLoad | 1,800 kg', 'Name | Osprey', 'Name: Osprey; Load: 1,800 kg'],
  ['prose around a table', 'Prices are net.', 'Item | Price', 'Prices are net.'],
  ['a table that nothing names', '1 | 2\n3 | 4', undefined, '1, 2; 3, 4'],
])('%s', (_, quote, columns, said) => {
  expect(rowsInWords(quote, ['Load | 1,800 kg', 'Colour | red'], columns)).toBe(said)
})
