import { describe, expect, it } from 'vitest'
import { tableFromArrays } from '../../domain/table.ts'
import { renderTable } from './table.ts'
import { widthOf } from './text.ts'

const table = tableFromArrays(
  ['product', 'sold', 'revenue'],
  [
    ['House Espresso, whole beans, one kilogram', 1200, 0.1 + 0.2],
    ['珈琲の豆', 7, '12345678901234567890.55'],
    [null, 3, null],
  ],
)

const render = (width: number, maxRows = 50) => renderTable(table, { width, maxRows })
const lines = (width: number): string[] => render(width).split('\n')

describe('renderTable', () => {
  it('aligns numbers right and text left, exact decimals included', () => {
    expect(render(Infinity)).toBe(
      [
        'product                                    sold                  revenue',
        '─────────────────────────────────────────  ────  ───────────────────────',
        'House Espresso, whole beans, one kilogram  1200                      0.3',
        '珈琲の豆                                      7  12345678901234567890.55',
        '–                                             3                        –',
      ].join('\n'),
    )
  })

  it('shows the numbers of a column with equal places, so that 19.8 and 22.77 can be compared', () => {
    const money = tableFromArrays(
      ['country', 'sales', 'share'],
      [
        ['Brazil', 19.8, 1 / 3],
        ['Spain', 22.77, 2],
      ],
    )
    expect(renderTable(money, { width: Infinity, maxRows: 9 }).split('\n').slice(2)).toEqual([
      'Brazil   19.80  0.333333333333333',
      'Spain    22.77                  2',
    ])
  })

  it('shows every digit of a large amount, whether it came as a number or as text', () => {
    const amounts = tableFromArrays(['amount'], [[123456789012345.67], ['12345678901234567.89']])
    expect(renderTable(amounts, { width: Infinity, maxRows: 9 }).split('\n').slice(2)).toEqual([
      '  123456789012345.67',
      '12345678901234567.89',
    ])
  })

  it.each([20, 24, 30, 31, 40, 41, 60, 80])('is never wider than a terminal of %i columns', (width) => {
    expect(Math.max(...lines(width).map(widthOf))).toBeLessThanOrEqual(width)
  })

  it('cuts the widest column first, with a mark', () => {
    expect(lines(50)[2]).toMatch(/^House Espresso,.*… +1200 +0\.3$/)
  })

  it('writes records below each other when columns would be too narrow', () => {
    const columns = Array.from({ length: 12 }, (_, i) => `column_${i}`)
    const wide = tableFromArrays(columns, [columns.map((_, i) => `value ${i}`)])
    const text = renderTable(wide, { width: 40, maxRows: 50 })
    expect(text.split('\n')).toHaveLength(13)
    expect(text).toContain('column_11  value 11')
    expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(40)
  })

  it('reports the number of omitted rows, and that the database had more', () => {
    expect(render(80, 1)).toContain('(… and 2 more rows; --json prints all)')
    expect(renderTable({ ...table, truncated: true }, { width: 80, maxRows: 50 })).toContain(
      'had more than the 3 rows that were read',
    )
    expect(renderTable(tableFromArrays(['a'], []), { width: 80, maxRows: 50 })).toContain('(no rows)')
  })

  it('keeps a cell on its line and away from the terminal', () => {
    const evil = tableFromArrays(['a\nb'], [['x\r\n\u001B[2Jy! \u0007\u202Ez']])
    expect(renderTable(evil, { width: 80, maxRows: 5 })).toBe('a b\n───────\nx y!  z')
  })

  it('never truncates commands', () => {
    const rows = [{ id: '1a2b3c4d', status: 'interrupted', question: 'How many customers are there in all?' }]
    const table = { columns: ['id', 'status', 'question'], rows, rowCount: 1 }
    for (const width of [60, 40, 30, 26, 20]) {
      const text = renderTable(table, { width, maxRows: 9, whole: ['id'] })
      expect(text).toContain('1a2b3c4d')
      for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
    }
  })
})
