import { describe, expect, it } from 'vitest'
import { periodIn } from './periods.ts'

/** A Sunday in the fourth quarter. */
const TODAY = '2026-11-22'

describe('periods', () => {
  it.each([
    ['orders returned last quarter', '2026-07-01', '2026-09-30'],
    ['this quarter', '2026-10-01', '2026-12-31'],
    ['next quarter', '2027-01-01', '2027-03-31'],
    ['this month', '2026-11-01', '2026-11-30'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['the previous month', '2026-10-01', '2026-10-31'],
    ['last year', '2025-01-01', '2025-12-31'],
    ["this year's revenue", '2026-01-01', '2026-12-31'],
    ['next year', '2027-01-01', '2027-12-31'],
    ['last week', '2026-11-09', '2026-11-15'],
    ['this week', '2026-11-16', '2026-11-22'],
    ['yesterday', '2026-11-21', '2026-11-21'],
    ['today', '2026-11-22', '2026-11-22'],
    ['tomorrow', '2026-11-23', '2026-11-23'],
    ['in the last 30 days', '2026-10-24', '2026-11-22'],
    ['over the past two weeks', '2026-11-09', '2026-11-22'],
    ['the last 12 months', '2025-11-23', '2026-11-22'],
    ['the last three quarters', '2026-02-23', '2026-11-22'],
    ['the next 7 days', '2026-11-23', '2026-11-29'],
    ['Q3 revenue', '2026-07-01', '2026-09-30'],
    ['Q3 2025', '2025-07-01', '2025-09-30'],
    ['in the third quarter of 2024', '2024-07-01', '2024-09-30'],
    ['H1 2025', '2025-01-01', '2025-06-30'],
    ['the second half of 2024', '2024-07-01', '2024-12-31'],
    ['in March', '2026-03-01', '2026-03-31'],
    ['in December', '2025-12-01', '2025-12-31'],
    ['February 2024', '2024-02-01', '2024-02-29'],
    ['Sept 2025', '2025-09-01', '2025-09-30'],
    ['on 5 March 2025', '2025-03-05', '2025-03-05'],
    ['on March 5th, 2025', '2025-03-05', '2025-03-05'],
    ['on 2025-03-04', '2025-03-04', '2025-03-04'],
    ['between 2025-01-10 and 2025-02-20', '2025-01-10', '2025-02-20'],
    ['in 2024', '2024-01-01', '2024-12-31'],
    ['year to date', '2026-01-01', '2026-11-22'],
    ['since March', '2026-03-01', undefined],
    ['since 2024', '2024-01-01', undefined],
    ['since last month', '2026-10-01', undefined],
    ['before 2024', undefined, '2023-12-31'],
    ['after 2024', '2025-01-01', undefined],
    ['until May', undefined, '2026-05-31'],
    ['last month and this month', '2026-10-01', '2026-10-31'],
  ])('%s is %s to %s', (text, from, to) => {
    expect(periodIn(text, TODAY)).toMatchObject({ ...(from && { from }), ...(to && { to }) })
    expect(periodIn(text, TODAY)?.from).toBe(from)
    expect(periodIn(text, TODAY)?.to).toBe(to)
  })

  it.each([
    'How many orders are open?',
    'Who may approve a refund?',
    'the march of progress',
    'orders over 2000',
    'version 2024.1',
    'order 2025',
    'on 2025-02-30',
    'two weeks ago',
    'the quarterly report',
    '',
  ])('finds none in “%s”', (text) => {
    expect(periodIn(text, TODAY)).toBeUndefined()
  })

  it('does not guess without knowing the day', () => {
    expect(periodIn('last month', 'soon')).toBeUndefined()
    expect(periodIn('last month', '2026-02-30')).toBeUndefined()
  })

  it('keeps to the end of shorter months and to leap years', () => {
    expect(periodIn('last month', '2024-03-31')).toMatchObject({ from: '2024-02-01', to: '2024-02-29' })
    expect(periodIn('the last 3 months', '2024-05-31')).toMatchObject({ from: '2024-03-01', to: '2024-05-31' })
    expect(periodIn('last week', '2027-01-01')).toMatchObject({ from: '2026-12-21', to: '2026-12-27' })
    expect(periodIn('in May', '2026-05-01')).toMatchObject({ from: '2026-05-01' })
  })
})
