import { expect, it } from 'vitest'
import { dataFor, resolveTable } from './input-tables.ts'

it('takes the rows of an attached table that the instructions hold as text', () => {
  const result = (): string => '[s1] repairs.csv\nmechanic | days\nKatrin | 3\nTomas | 2.50'
  const rows = [
    { mechanic: 'Katrin', days: 3 },
    { mechanic: 'Tomas', days: 2.5 },
  ]
  expect(dataFor([], ['s1'], result)).toEqual({ s1: rows })
  expect(resolveTable('s1', [], result).rows).toEqual(rows)
})

it('takes a text without rows as it is', () => {
  expect(dataFor([], ['s1'], () => 'Katrin | needs 3 days\nfor a repair')).toEqual({
    s1: 'Katrin | needs 3 days\nfor a repair',
  })
  expect(() => resolveTable('s1', [], () => 'no rows')).toThrow('The result "s1" has no rows.')
})
