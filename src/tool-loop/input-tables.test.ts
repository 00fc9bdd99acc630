import { expect, it } from 'vitest'
import { dataFor, resolveTable } from './input-tables.ts'

it('reads the rows of an attached table from the text of the instructions', () => {
  const result = (): string => '[s1] repairs.csv\nmechanic | days\nKatrin | 3\nTomas | 2.50'
  const rows = [
    { mechanic: 'Katrin', days: 3 },
    { mechanic: 'Tomas', days: 2.5 },
  ]
  expect(dataFor([], ['s1'], result)).toEqual({ s1: rows })
  expect(resolveTable('s1', [], result).rows).toEqual(rows)
})

it('keeps a text without rows unchanged', () => {
  expect(dataFor([], ['s1'], () => 'Katrin | needs 3 days\nfor a repair')).toEqual({
    s1: 'Katrin | needs 3 days\nfor a repair',
  })
  expect(dataFor([], ['s1'], () => ({ text: 'rep,minutes\nNadia,45' }))).toEqual({ s1: 'rep,minutes\nNadia,45' })
  expect(() => resolveTable('s1', [], () => 'no rows')).toThrow('The result "s1" has no rows.')
})
