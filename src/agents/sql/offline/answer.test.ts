import { expect, it } from 'vitest'
import { tableFromArrays } from '../../../core/table.ts'
import type { LinkedQuery } from '../../../question-to-sql/index.ts'
import { describeAnswer, emptyTimes } from './answer.ts'

const ranking: LinkedQuery = {
  kind: 'query',
  sql: '',
  explanation: '',
  confidence: 1,
  shape: 'top',
  assumptions: [],
  columns: [
    { name: 'genre', role: 'label', title: 'genre' },
    { name: 'revenue', role: 'money', title: 'revenue' },
  ],
}
const single: LinkedQuery = {
  ...ranking,
  shape: 'count',
  columns: [{ name: 'customers', role: 'number', title: 'number of customers' }],
}

it('says a list with its figures', () => {
  const table = tableFromArrays(
    ['genre', 'revenue'],
    [
      ['Rock', 826.65],
      ['Latin', '382.14'],
    ],
  )
  expect(describeAnswer(ranking, table)).toBe('Revenue by genre: Rock (826.65), Latin (382.14).')
})

it('says that more share the last place than were asked for, and the unit of small money', () => {
  const rows = [
    ['Rock', 900],
    ['Latin', 1],
    ['Blues', 1],
  ]
  const columns = [ranking.columns[0]!, { name: 'fare', role: 'number', title: 'total fare', unit: 'penny' } as const]
  expect(describeAnswer({ ...ranking, columns, top: 2 }, tableFromArrays(['genre', 'fare'], rows))).toBe(
    'Total fare by genre: Rock (900 pence), Latin (1 penny), Blues (1 penny); 3 and not 2, since the last of them are equal.',
  )
})

it('says one value as a sentence, in the format of the locale', () => {
  const table = tableFromArrays(['customers'], [[12345]])
  expect(describeAnswer(single, table)).toBe('The number of customers is 12,345.')
  expect(describeAnswer(single, table, 'de-DE')).toBe('The number of customers is 12.345.')
})

it('says when there is nothing', () => {
  expect(describeAnswer(ranking, tableFromArrays(['genre', 'revenue'], []))).toBe('No data was returned.')
  expect(describeAnswer(single, tableFromArrays(['customers'], [[null]]))).toBe('No data was returned.')
  const dated = { ...single, where: ' in 2011', assumptions: ['the date is orders.order_date'] }
  expect(describeAnswer(dated, tableFromArrays(['customers'], [[null]]))).toBe(
    'No data was returned: there is nothing in 2011. (Assumed: the date is orders.order_date.)',
  )
})

it('names the periods without data of two that are compared', () => {
  const titles = ['revenue in 2012', 'revenue in 2013', 'change']
  const pair = {
    ...single,
    shape: 'aggregate',
    times: titles.slice(0, 2),
    columns: titles.map((title) => ({ name: title, role: 'money', title })),
  }
  expect(describeAnswer(pair as LinkedQuery, tableFromArrays(titles, [[null, null, null]]))).toBe(
    'No data was returned: there is no revenue in 2012 or revenue in 2013.',
  )
})

it('says that nothing is known of a change where one of the two times is empty', () => {
  const columns = ['country', 'before', 'after'].map((name, i) => {
    return { name, role: i === 0 ? 'label' : 'number', title: i === 0 ? name : `orders ${name}` } as const
  })
  const pair: LinkedQuery = { ...single, shape: 'grouped', columns, times: ['before', 'after'] }
  const rows = (...befores: (number | null)[]) =>
    tableFromArrays(
      columns.map(({ name }) => name),
      befores.map((before, i) => [`Land ${i}`, before, 5]),
    )
  expect(describeAnswer(pair, rows(0, null))).toContain(
    'There is nothing in the data for the orders before, so no change is known.',
  )
  expect(emptyTimes(pair, rows(0, null))).toEqual(['orders before'])
  expect(emptyTimes(pair, rows(0, 1))).toEqual([])
  expect(describeAnswer(pair, rows(0, 1))).not.toContain('There is nothing')
})

it('says zero as zero', () => {
  expect(describeAnswer(single, tableFromArrays(['customers'], [[0]]))).toBe('The number of customers is 0.')
})

it('names the first ten and counts the rest', () => {
  const rows = Array.from({ length: 25 }, (_, i) => [`g${i}`, i])
  expect(describeAnswer(ranking, tableFromArrays(['genre', 'revenue'], rows))).toMatch(/g9 \(9\.00\), and 15 more\.$/)
  expect(describeAnswer(ranking, tableFromArrays(['genre', 'revenue'], rows, true))).toContain('cut off')
})

it('shows what was asked of each row, and missing labels as such', () => {
  const rows: LinkedQuery = {
    ...ranking,
    shape: 'rows',
    columns: [
      { name: 'customer', role: 'label', title: 'customer' },
      { name: 'email', role: 'label', title: 'email' },
    ],
  }
  expect(
    describeAnswer(
      rows,
      tableFromArrays(
        ['customer', 'email'],
        [
          ['Ada', 'a@x.org'],
          ['Bob', null],
        ],
      ),
    ),
  ).toBe('Customer: Ada (a@x.org); Bob (not given).')
})

it('gives the reason of a refusal', () => {
  expect(describeAnswer({ kind: 'refusal', reason: 'Why' }, tableFromArrays([], []))).toBe('Why')
})

it('tells flags, numbers and days of a list by their names, each that its row has', () => {
  const columns = [
    { name: 'trainer', role: 'label', title: 'trainer' },
    { name: 'skill', role: 'label', title: 'skill' },
    { name: 'rate', role: 'number', title: 'hourly rate' },
    { name: 'active', role: 'label', title: 'is active', yes: '1' },
  ] as const
  const list = { noun: 'trainer', nouns: 'trainers', where: '' }
  const table = tableFromArrays(
    columns.map((c) => c.name),
    [
      ['Weir', 'boxing', 45, 0],
      ['Farrow', 'strength', 33, 1],
      ['Osk', 'rowing', 30, null],
    ],
  )
  expect(describeAnswer({ ...ranking, shape: 'rows', list, columns }, table)).toBe(
    '3 trainers: Weir (boxing, hourly rate 45, not active); Farrow (strength, hourly rate 33, active); Osk (rowing, hourly rate 30, not given).',
  )
})
