import { expect, it } from 'vitest'
import { dateAt } from './dates.ts'
import { tokenise } from './tokens.ts'

it.each([
  ['in 2023', '2023-01-01', '2024-01-01'],
  ['since 2023', '2023-01-01', undefined],
  ['after 2023', '2024-01-01', undefined],
  ['before 2023', undefined, '2023-01-01'],
  ['until 2023', undefined, '2024-01-01'],
  ['in March 2024', '2024-03-01', '2024-04-01'],
  ['in dec 2024', '2024-12-01', '2025-01-01'],
  ['in Q4 2024', '2024-10-01', '2025-01-01'],
  ['in the first quarter of 2024', '2024-01-01', '2024-04-01'],
  ['on 2024-02-29', '2024-02-29', '2024-03-01'],
  ['on 5 March 2024', '2024-03-05', '2024-03-06'],
  ['on March 5, 2024', '2024-03-05', '2024-03-06'],
  ['between 2021 and 2022', '2021-01-01', '2023-01-01'],
  ['from January 2024 to March 2024', '2024-01-01', '2024-04-01'],
  ['this year', '2024-01-01', '2025-01-01'],
  ['last year', '2023-01-01', '2024-01-01'],
  ['last month', '2024-02-01', '2024-03-01'],
  ['this quarter', '2024-01-01', '2024-04-01'],
  ['last quarter', '2023-10-01', '2024-01-01'],
  ['in the last 3 months', '2023-12-31', '2024-04-01'],
  ['in the last 1 month', '2024-02-29', '2024-04-01'],
  ['over the past 7 days', '2024-03-24', '2024-04-01'],
  ['last week', '2024-03-18', '2024-03-25'],
  ['today', '2024-03-31', '2024-04-01'],
  ['yesterday', '2024-03-30', '2024-03-31'],
])('%s', (text, from, before) => {
  const tokens = tokenise(text)
  const match = dateAt(tokens, 0, '2024-03-31')
  expect(match?.length).toBe(tokens.length)
  expect([match?.range.from, match?.range.before]).toEqual([from, before])
})

it.each([
  'over 2000',
  'in March',
  'on 2024-02-31',
  'in 31 February 2024',
  'between 5 and 10',
  'last order',
  'in Brazil',
])('%s is no date', (text) => {
  expect(dateAt(tokenise(text), 0, '2024-03-31')).toBeUndefined()
})
