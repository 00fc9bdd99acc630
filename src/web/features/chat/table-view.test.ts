import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { de } from '../../locales/texts.fixture.ts'
import type { Table } from '../../../client/run.ts'
import { formatsOf } from '../../locales/formats.ts'
import { chartOf, csvOf, isNumericColumn, visibleRows, cellFormat } from './table-view.ts'

const SPOKEN = { words: de, formats: formatsOf('de') }

function table(columns: readonly string[], ...rows: readonly (readonly unknown[])[]): Table {
  return {
    columns,
    rows: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
    rowCount: rows.length,
  }
}

describe('a table of an answer', () => {
  const sales = table(['country', 'revenue'], ['France', '1200.50'], ['Italy', '90'], ['Spain', null])

  it('recognises numbers, including exact decimals as text', () => {
    expect([isNumericColumn(sales, 'revenue'), isNumericColumn(sales, 'country')]).toEqual([true, false])
  })

  it('is sorted by number when all are numbers; unknown values are last in both directions', () => {
    const down = visibleRows(sales, '', { column: 'revenue', isDown: true })
    const up = visibleRows(sales, '', { column: 'revenue', isDown: false })
    expect(down.map(({ country }) => country)).toEqual(['France', 'Italy', 'Spain'])
    expect(up.map(({ country }) => country)).toEqual(['Italy', 'France', 'Spain'])
  })

  it('sorts, shows and saves numbers beyond a double with all digits', () => {
    const ids = ['9007199254740993', '9007199254740992', 9007199254740991]
    const amounts = table(['id', 'amount'], ...ids.map((id) => [id, `${id}.25`]))
    expect(visibleRows(amounts, '', { column: 'id', isDown: false }).map(({ id }) => id)).toEqual(ids.toReversed())
    expect(cellFormat(amounts, 'id', SPOKEN)(ids[0])).toBe('9007199254740993')
    expect(cellFormat(amounts, 'amount', SPOKEN)('9007199254740993.25')).toBe('9.007.199.254.740.993,25')
    expect(csvOf(amounts)).toContain('9007199254740993,9007199254740993.25')
  })

  it('treats digits with a leading zero as codes', () => {
    expect(cellFormat(table(['code'], ['012345'], ['123456']), 'code', SPOKEN)('012345')).toBe('012345')
  })

  it('keeps the rows that contain the search text', () => {
    expect(visibleRows(sales, ' ITA', undefined)).toEqual([{ country: 'Italy', revenue: '90' }])
  })

  it('is a chart for a series, over time when its labels are times', () => {
    expect(chartOf(table(['month', 'n'], ['2026-01', 4], ['2026-02', 5]), SPOKEN)).toMatchObject({
      data: { type: 'line', title: 'n' },
    })
    expect(chartOf(table(['country', 'n'], ['France', 4], ['Italy', 5]), SPOKEN)).toMatchObject({
      data: { type: 'bar' },
    })
    expect(chartOf(table(['n'], [4], [5]), SPOKEN)).toBeUndefined()
    // What is unknown would be drawn as nothing.
    expect(chartOf(sales, SPOKEN)).toBeUndefined()
    expect(chartOf(table(['country', 'n'], ['France', 4], ['France', 5]), SPOKEN)).toBeUndefined()
  })

  it('is a series for figures over time, not for rows with a date, and not for flags', () => {
    const isSeries = (...of: Parameters<typeof table>) => chartOf(table(...of), SPOKEN)?.isSeries
    const days = ['2026-01-05', '2026-02-07', '2026-03-01', '2026-04-02', '2026-05-03']
    expect(isSeries(['day', 'n'], [days[0], 4], [days[1], 5])).toBe(true)
    expect(isSeries(['month', 'n', 'cost'], ...days.map((day, n) => [day.slice(0, 7), n + 3, 9]))).toBe(true)
    // Customers: a number, a day and a flag, and names.
    expect(isSeries(['id', 'since', 'is_active'], ...days.slice(0, 3).map((day, n) => [n, day, n % 2]))).toBe(false)
    expect(isSeries(['id', 'name', 'since'], ...days.map((day, n) => [n, `C${n}`, day]))).toBe(false)
    expect(isSeries(['since', 'is_active'], ...days.map((day, n) => [day, n % 2]))).toBe(false)
    // The flag is drawn only where there is nothing else.
    expect(chartOf(table(['day', 'n', 'paid'], [days[0], 7, 1], [days[1], 8, 0]), SPOKEN)?.data.title).toBe('n')
  })

  it('is shown in local formats, found by either form, and saved and sorted by value', () => {
    const days = table(
      ['day', 'month', 'paid', 'code'],
      ['2026-10-05', '2026-10', true, '2026-10'],
      ['2025-12-31', '2025-12', false, 'A-1'],
      [null, null, null, null],
    )
    const writes = new Map(days.columns.map((column) => [column, cellFormat(days, column, SPOKEN)]))
    const written = days.rows.map((row) => days.columns.map((column) => writes.get(column)!(row[column])))
    expect(written).toEqual([
      // What is no month in every row is none in any.
      ['05.10.2026', 'Okt. 2026', 'ja', '2026-10'],
      ['31.12.2025', 'Dez. 2025', 'nein', 'A-1'],
      ['–', '–', '–', '–'],
    ])
    for (const wanted of ['05.10', '2026-10-05', 'okt.', 'JA', 'true'])
      expect(visibleRows(days, wanted, undefined, writes), wanted).toEqual([days.rows[0]])
    const sorted = visibleRows(days, '', { column: 'day', isDown: false }, writes)
    expect(sorted.map(({ day }) => day)).toEqual(['2025-12-31', '2026-10-05', null])
    expect(csvOf(days)).toContain('2026-10-05,2026-10,true,2026-10')
    expect(chartOf(table(['month', 'n'], ['2026-01', 4], ['2026-02', 5]), SPOKEN)?.data.rows[0]).toEqual({
      month: 'Jan. 2026',
      n: 4,
    })
  })

  it('is unchanged after a CSV round trip, and contains no formula', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('a,b', '"', 'x\r\ny', '=1+1', '-x', '@a', '+1', '-12.5'))
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const read = parse(csvOf(table(['a', 'b'], ...rows)), { relax_column_count: true }) as string[][]
        const cells = rows.flat()
        expect(
          read
            .slice(1)
            .flat()
            .every((value, at) => value === cells[at] || value === `'${cells[at]}`),
        ).toBe(true)
        expect(read.flat()).toHaveLength(cells.length + 2)
        for (const value of read.flat()) expect(value).not.toMatch(/^[=+@\t\r]|^-(?!\d+(?:\.\d+)?$)/)
      }),
      { seed: 11 },
    )
  })
})
