import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FILTER_OPERATORS,
  hasValue,
  fromParams,
  rowsPath,
  toParams,
  expectedInput,
  type TableInfo,
  type TableSelection,
} from './table-selection.ts'

const COLUMNS = ['id', 'day', 'day:of', 'is', 'a:is:b', 'ünder\\n']
const TABLE = { name: 'things', columns: COLUMNS.map((name) => ({ name })) } as unknown as TableInfo

test('an address restores the view, for any search text', () => {
  const look: fc.Arbitrary<TableSelection> = fc.record({
    table: fc.constant('things'),
    filters: fc.array(
      fc.record({
        column: fc.constantFrom(...COLUMNS),
        how: fc.constantFrom(...FILTER_OPERATORS),
        value: fc.oneof(fc.string(), fc.constantFrom('\n', '\\n', '\\', 'a:is:b', ':', '%0A&x=1')),
      }),
      { maxLength: 4 },
    ),
    sort: fc.option(fc.record({ column: fc.constantFrom(...COLUMNS), isDown: fc.boolean() }), { nil: undefined }),
  })
  fc.assert(
    fc.property(look, (looked) => {
      // As a browser keeps it.
      const search = Object.fromEntries(new URLSearchParams({ ...toParams(looked) }))
      const filters = looked.filters!.map((filter) => (hasValue(filter.how) ? filter : { ...filter, value: '' }))
      expect(fromParams(TABLE, search)).toEqual({ ...looked, filters })
    }),
  )
})

test('a link that names a missing object', () => {
  expect(fromParams(TABLE, { where: 'gone:is:1\nid:like:1\nid' }).filters).toEqual([])
})

test('the request contains each filter', () => {
  const filters = [
    { column: 'id', how: 'ge', value: '7' },
    { column: 'day:of', how: 'empty', value: '' },
  ] as const
  const path = rowsPath('/databases/a%20b', { table: 's.t', filters, sort: { column: 'id', isDown: true } }, 50, 100)
  const asked = new URL(path, 'http://x').searchParams
  expect(path.split('?')[0]).toBe('/databases/a%20b/tables/s.t/rows')
  expect(asked.getAll('filter')).toEqual(['id:ge:7', 'day:of:empty:'])
  expect(Object.fromEntries(asked)).toMatchObject({ sort: 'id', direction: 'down', limit: '50', offset: '100' })
})

test('comparisons apply only to valid numbers and days', () => {
  for (const how of ['ge', 'gt', 'le', 'lt'] as const) {
    const wanted = (holds: Parameters<typeof expectedInput>[0], values: readonly string[]) =>
      values.map((value) => expectedInput(holds, how, value) ?? 'fine')
    expect(wanted('number', ['7', '-7.50', 'abc', '', '1,5', '1e3'])).toEqual([
      'fine',
      'fine',
      'number',
      'number',
      'number',
      'number',
    ])
    const days = ['2026-02-28', '2026-02-28 10:30:00', '2026-02-30', 'yesterday', '', '28.02.2026']
    for (const holds of ['date', 'datetime'] as const)
      expect(wanted(holds, days)).toEqual(['fine', 'fine', 'day', 'day', 'day', 'day'])
    expect(wanted('text', ['abc', ''])).toEqual(['fine', 'fine'])
  }
  // As a text any value is looked for.
  for (const how of FILTER_OPERATORS.filter((one) => !['ge', 'gt', 'le', 'lt'].includes(one)))
    for (const holds of ['number', 'date'] as const) expect(expectedInput(holds, how, 'abc')).toBeUndefined()
})
