import { describe, expect, it } from 'vitest'
import { tableFromArrays } from './table.ts'

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
})
