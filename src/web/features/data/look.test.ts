import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOW, hasValue, lookOf, rowsPath, shownOf, type Look } from './look.ts'

const COLUMNS = ['id', 'day', 'day:of', 'is', 'a:is:b', 'ünder\\n']

test('an address says again what was looked at, whatever is looked for', () => {
  const look: fc.Arbitrary<Look> = fc.record({
    table: fc.constant('things'),
    filters: fc.array(
      fc.record({
        column: fc.constantFrom(...COLUMNS),
        how: fc.constantFrom(...HOW),
        value: fc.oneof(fc.string(), fc.constantFrom('\n', '\\n', '\\', 'a:is:b', ':', '%0A&x=1')),
      }),
      { maxLength: 4 },
    ),
    sort: fc.option(fc.record({ column: fc.constantFrom(...COLUMNS), isDown: fc.boolean() }), { nil: undefined }),
  })
  fc.assert(
    fc.property(look, (looked) => {
      // As a browser keeps it.
      const search = Object.fromEntries(new URLSearchParams({ ...shownOf(looked) }))
      const filters = looked.filters!.map((filter) => (hasValue(filter.how) ? filter : { ...filter, value: '' }))
      expect(lookOf('things', search, COLUMNS)).toEqual({ ...looked, filters })
    }),
  )
})

test('an older link with one value, and one that names what is not there', () => {
  expect(lookOf('things', { column: 'id', value: '7' }, COLUMNS).filters).toEqual([
    { column: 'id', how: 'is', value: '7' },
  ])
  expect(lookOf('things', { where: 'gone:is:1\nid:like:1\nid' }, COLUMNS).filters).toEqual([])
})

test('the server is asked for each filter', () => {
  const filters = [
    { column: 'id', how: 'ge', value: '7' },
    { column: 'day:of', how: 'empty', value: '' },
  ] as const
  const path = rowsPath('a b', { table: 's.t', filters, sort: { column: 'id', isDown: true } }, 50, 100)
  const asked = new URL(path, 'http://x').searchParams
  expect(path.split('?')[0]).toBe('/databases/a%20b/tables/s.t/rows')
  expect(asked.getAll('filter')).toEqual(['id:ge:7', 'day:of:empty:'])
  expect(Object.fromEntries(asked)).toMatchObject({ sort: 'id', direction: 'down', limit: '50', offset: '100' })
})
