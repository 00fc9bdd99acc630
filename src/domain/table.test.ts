import { describe, expect, it } from 'vitest'
import { tableFromArrays, tableOfLines } from './table.ts'

describe('a table', () => {
  it('distinguishes columns with the same name', () => {
    expect(tableFromArrays(['a', 'a_2', 'a', 'a'], [[1, 2, 3, 4]])).toEqual({
      columns: ['a', 'a_2', 'a_3', 'a_4'],
      rows: [{ a: 1, a_2: 2, a_3: 3, a_4: 4 }],
      rowCount: 1,
    })
  })

  it('fills short rows, keeps unusual names, and marks truncation', () => {
    const table = tableFromArrays(['__proto__', 'b'], [['x'], []], true)
    expect(table.truncated).toBe(true)
    expect(Object.keys(table.rows[0]!)).toEqual(['__proto__', 'b'])
    expect(table.rows.map((row) => row['b'])).toEqual([null, null])
    expect(tableFromArrays([], []).rowCount).toBe(0)
  })

  it.each([
    [
      ['€ 1,200.50', '-€3.00', ''],
      [1200.5, -3, null],
    ],
    [
      ['12.5%', '7 %'],
      [12.5, 7],
    ],
    [
      ['€ 0', '€ 1000.4', '$-3'],
      ['€ 0', '€ 1000.4', '$-3'],
    ],
    [
      ['€ 0', '€ 1000.4', '€ -3'],
      [0, 1000.4, -3],
    ],
    [
      ['5 €', '$6'],
      ['5 €', '$6'],
    ],
    [
      ['Room 12', 'Room 13'],
      ['Room 12', 'Room 13'],
    ],
    [
      ['10%', '3'],
      ['10%', '3'],
    ],
  ])('of a document has %j as %j', (cells, values) => {
    const table = tableOfLines(['Name | Value', ...cells.map((cell) => `x | ${cell}`)].join('\n'))
    expect(table?.rows.map((row) => row['Value'])).toEqual(values)
  })
})
