import { expect, it } from 'vitest'
import { tableFromArrays } from '../../../core/table.ts'
import type { AnswerColumn, LinkedQuery } from '../../../question-to-sql/index.ts'
import { agrees } from './second-reading.ts'

const base = { kind: 'query', sql: '', explanation: '', confidence: 0.95, assumptions: [] } as const
const column = (name: string, role: AnswerColumn['role']): AnswerColumn => ({ name, role, title: name })
const label = column('name', 'label')
const reading = (more: Partial<LinkedQuery>, rows: readonly (readonly unknown[])[]) => {
  const linked: LinkedQuery = { ...base, shape: 'aggregate', columns: [column('n', 'number')], ...more }
  return {
    linked,
    sql: '',
    table: tableFromArrays(
      linked.columns.map(({ name }) => name),
      rows,
    ),
  }
}

const COUNT = reading({}, [[92]])
const AVERAGE = reading({}, [['38.50']])
const SHARE = reading({ columns: [column('n', 'percent')] }, [[62.13]])
const LIST = reading({ shape: 'rows', columns: [label, column('n', 'number')] }, [
  ['Ann', 3],
  ['Bo', 4],
])
const GROUPS = reading({ shape: 'grouped', columns: [label, column('n', 'number')] }, [
  ['Ann', 3],
  ['Bo', 4],
  ['Cy', 0],
])
const TOP = reading({ shape: 'top', isTied: true, columns: [label, column('n', 'number')] }, [
  ['Ann', 4],
  ['Bo', 4],
])
const NUMBERED = reading({ shape: 'rows', columns: [label] }, [[7], [8]])
const CHANGE = reading({ columns: [column('a', 'number'), column('b', 'number'), column('change', 'number')] }, [
  [5, 9, 4],
])

it.each([
  ['a count', COUNT, ['customers'], [[92]], true],
  ['another count', COUNT, ['customers'], [[87]], false],
  ['the rows that were to be counted', COUNT, ['name'], Array.from({ length: 92 }, (_, i) => [`c${i}`]), true],
  ['no row', COUNT, ['n'], [], false],
  ['rounded', AVERAGE, ['rate'], [[39]], true],
  ['not rounded', AVERAGE, ['rate'], [[38.2]], false],
  ['a share of one', SHARE, ['share'], [[0.6213]], true],
  ['names alone', LIST, ['who'], [['Bo'], ['Ann']], true],
  [
    'names in two columns',
    LIST,
    ['first', 'last'],
    [
      ['Bo', 'X'],
      ['Ann', 'Y'],
    ],
    true,
  ],
  ['one name too few', LIST, ['who'], [['Bo']], false],
  ['another name', LIST, ['who'], [['Bo'], ['Cy']], false],
  ['how many there are', LIST, ['n'], [[2]], true],
  ['ids in their place', LIST, ['id'], [[7], [8]], undefined],
  [
    'groups without the empty one',
    GROUPS,
    ['who', 'n'],
    [
      ['Ann', 3],
      ['Bo', 4],
    ],
    true,
  ],
  [
    'a group with another figure',
    GROUPS,
    ['who', 'n'],
    [
      ['Ann', 3],
      ['Bo', 5],
    ],
    false,
  ],
  [
    'a group without one',
    GROUPS,
    ['who', 'n'],
    [
      ['Ann', 3],
      ['Bo', null],
    ],
    false,
  ],
  ['one of those that are equal', TOP, ['who'], [['Bo']], true],
  ['one that is not among them', TOP, ['who'], [['Cy']], false],
  ['names in place of ids', NUMBERED, ['street'], [['Hill Road'], ['Elm Way']], undefined],
  ['other ids', NUMBERED, ['id'], [[7], [9]], false],
  ['a change alone', CHANGE, ['change'], [[4]], true],
  ['one of the times alone', CHANGE, ['a'], [[5]], false],
] as const)('%s', (_, second, columns, rows, expected) => {
  expect(agrees(second, tableFromArrays(columns, rows))).toBe(expected)
})
