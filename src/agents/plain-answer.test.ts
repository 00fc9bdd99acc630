import { describe, expect, it } from 'vitest'
import { tableAnswerText } from './plain-answer.ts'
import { isYearColumn } from '../shared/locale.ts'

describe('isYear', () => {
  it.each(['year', 'order_year', 'orderYear', 'release year'])('reads 2025 in "%s" as a year', (column) => {
    expect([isYearColumn(column, 2025), isYearColumn(column, '2025')]).toEqual([true, true])
  })

  it.each([
    ['orders', 2025],
    ['orders_per_year', 2025],
    ['sales last year', 2025],
    ['year', 12],
    ['year', 2025.5],
    ['year', 120_000],
  ])('does not read "%s" of %s as a year', (column, value) => expect(isYearColumn(column, value)).toBe(false))
})

describe('the answer of a table, without a model', () => {
  it('writes years without a separator, and figures with one', () => {
    const rows = [
      { year: 2024, orders: 1256 },
      { year: 2025, orders: 2025 },
    ]
    expect(tableAnswerText({ columns: ['year', 'orders'], rows, rowCount: 2 })).toBe('2024 (1,256); 2025 (2,025).')
    expect(tableAnswerText({ columns: ['year'], rows: [{ year: 2025 }], rowCount: 1 })).toBe('year: 2025.')
  })
})
