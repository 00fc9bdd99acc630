import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../core/table.ts'
import { compute, type GivenTable } from './index.ts'

const table = (name: string, columns: string[], ...rows: unknown[][]): GivenTable => {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])))
  return { name, table: { columns, rows: objects, rowCount: rows.length } satisfies Table }
}

function answerOf(question: string, tables: readonly GivenTable[] = [], locale?: string): string {
  const computed = compute(question, tables, locale === undefined ? {} : { locale })
  return computed.kind === 'finding' ? computed.answer : `REFUSED ${computed.reason}`
}

describe('questions over numbers', () => {
  const answers: [question: string, answer: string][] = [
    ['What is 0.1 + 0.2?', 'The result is 0.3.'],
    ['2 + 3 * 4', 'The result is 14.'],
    ['Calculate (2 + 3) * 4', 'The result is 20.'],
    ['what is 7 times 8', 'The result is 56.'],
    ['What is 100 divided by 8?', 'The result is 12.5.'],
    ['What is 2 to the power of 10?', 'The result is 1,024.'],
    ['2^-2', 'The result is 0.25.'],
    ['what is 12 squared', 'The result is 144.'],
    ['What is the square root of 144?', 'The result is 12.'],
    ['square root of 2', 'The result is 1.4142.'],
    ['-3 - -5', 'The result is 2.'],
    ['-2 ** 2', 'The result is -4.'],
    ['10 % 3', 'The result is 1.'],
    ['10!', 'The result is 3,628,800.'],
    ['What is the factorial of 5?', 'The result is 120.'],
    ['2 ** 100', 'The result is 1267650600228229401496703205376.'],
    ['1/3 + 1/6', 'The result is 0.5.'],
    ['Please compute 1,250.50 + 749.50', 'The result is 2,000.'],
    ['what is 3 million / 1.5k', 'The result is 2,000.'],
    ['200 + 10%', 'The result is 220.'],
    ['200 - 10%', 'The result is 180.'],
    ['Can you tell me what is 15% of 240?', '15% of 240 is 36.'],
    ['12.5 percent of $80', '12.5% of 80 is 10.'],
    ['30 is what percent of 120?', '30 is 25% of 120.'],
    ['What percentage of 80 is 20?', '20 is 25% of 80.'],
    ['What is 45 as a percentage of 60?', '45 is 75% of 60.'],
    ['What is the percentage increase from 80 to 100?', 'From 80 to 100 is an increase of 25% (20).'],
    ['percent change from 200 to 150', 'From 200 to 150 is a decrease of 25% (-50).'],
    ['Increase 250 by 20%', '250 plus 20% is 300.'],
    ['Reduce 80 by 25 percent', '80 minus 25% is 60.'],
    ['What is 20% off 50?', '50 minus 20% is 40.'],
    ['Add 19% VAT to 100', '100 plus 19% is 119.'],
    ['What is the ratio of 12 to 8?', 'The ratio of 12 to 8 is 3 : 2 (1.5).'],
    ['ratio between 0.5 and 0.25', 'The ratio of 0.5 to 0.25 is 2 : 1 (2).'],
    ['What is the difference between 17 and 42?', 'The difference is 25: 17 is less than 42.'],
    ['How much more is 120 than 80?', 'The difference is 40: 120 is more than 80.'],
    ['How many times larger is 90 than 30?', '90 is 3 times 30.'],
    ['Is 0.1 + 0.2 equal to 0.3', 'REFUSED'],
    ['Is 3.9 greater than 3.11?', 'Yes: 3.9 is greater than 3.11.'],
    ['Is 7 less than 7?', 'No: 7 is equal to 7.'],
    ['Which is larger, 9.11 or 9.9?', '9.9 is the larger one.'],
    ['Compare 150 and 100', '150 is 50 more than 100 (+50%, or 1.5 times as much).'],
    ['What is the sum of 1, 2 and 3.5?', 'The sum of 1, 2, 3.5 is 6.5.'],
    ['average of 4, 8, 15, 16, 23, 42', 'The average of 4, 8, 15, 16, 23, 42 is 18.'],
    ['What is the median of 7, 1 and 3?', 'The median of 7, 1, 3 is 3.'],
    ['mean of -5, 5 and 3', 'The average of -5, 5, 3 is 1.'],
    [
      'standard deviation of 2, 4, 4, 4, 5, 5, 7, 9',
      'The sample standard deviation of 2, 4, 4, 4, 5, 5, 7, 9 is 2.1381.',
    ],
    [
      'population standard deviation of 2, 4, 4, 4, 5, 5, 7, 9',
      'The population standard deviation of 2, 4, 4, 4, 5, 5, 7, 9 is 2.',
    ],
    ['Find the maximum of 3, 9 and 4', 'The maximum of 3, 9, 4 is 9.'],
    ['mode of 1, 2, 2 and 3', 'The mode of 1, 2, 2, 3 is 2.'],
    ['add 5, 6 and seven', 'The sum of 5, 6, 7 is 18.'],
    ['subtract 5 from 12', '12 − 5 is 7.'],
    ['divide 10 by 4', '10 ÷ 4 is 2.5.'],
    [
      'What is the compound interest on 1000 at 5% for 10 years?',
      'The compound interest on 1,000 at 5% a year for 10 years, compounded annually, is 628.89; together that is 1,628.89.',
    ],
    [
      'future value of $1,000 at 6% per year for 2 years compounded monthly',
      '1,000 at 6% a year for 2 years, compounded monthly, grow to 1,127.16, a gain of 127.16.',
    ],
    [
      'Project 500 growing at 10% per year over 3 years',
      '500 at 10% a year for 3 years, compounded annually, grow to 665.5, a gain of 165.5.',
    ],
    [
      'simple interest on 2000 at 3% for 4 years',
      'The simple interest on 2,000 at 3% a year for 4 years is 240; together that is 2,240.',
    ],
    ['CAGR from 100 to 200 over 5 years', 'From 100 to 200 in 5 years is a growth of 14.8698% a year (CAGR).'],
  ]
  const kept = answers.filter(([, answer]) => answer !== 'REFUSED')
  it('are many', () => expect(kept.length).toBeGreaterThan(50))
  it.each(kept)('%s', (question, answer) => expect(answerOf(question)).toBe(answer))

  it('show a formula that Python would take', () => {
    expect(compute('What is 15% of 240?', [])).toMatchObject({ code: '15 / 100 * 240', value: 36 })
    expect(compute('2 * (3 + 4) ^ 2', [])).toMatchObject({ code: '2 * ((3 + 4) ** 2)', value: 98 })
    expect(compute('median of 1, 2 and 4', [])).toMatchObject({ code: 'statistics.median([1, 2, 4])' })
  })

  it('are answered in the style of the locale', () => {
    expect(answerOf('1000 * 1.5', [], 'de-DE')).toBe('The result is 1.500.')
  })

  it('are exact: sums and products of decimals agree with whole numbers', () => {
    const cents = fc.integer({ min: -1_000_000, max: 1_000_000 })
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const written = (n: number): string => `(0 ${n < 0 ? '-' : '+'} ${(Math.abs(n) / 100).toFixed(2)})`
        expect(compute(`${written(a)} + ${written(b)}`, [])).toMatchObject({ value: (a + b) / 100 })
        expect(compute(`${written(a)} * ${written(b)} * 10000`, [])).toMatchObject({ value: a * b + 0 })
      }),
    )
  })
})

describe('refusals', () => {
  const refused: [question: string, reason: RegExp][] = [
    ['What is the capital of France?', /I did not understand “capital”, “france”/],
    ['What is love?', /“love”/],
    ['Calculate the revenue', /over numbers in the question or a table/],
    ['What is 5 apples plus 3 pears?', /“apples”/],
    ['What is 15% of the revenue?', /“revenue”/],
    ['Convert 10 miles to kilometres', /“convert”/],
    ['What is 5 km in miles', /“km”/],
    ['1 / 0', /divides by zero/],
    ['10 mod 0', /divides by zero/],
    ['square root of -4', /no square root/],
    ['9^9^9', /too many digits/],
    ['5000!', /too many digits/],
    ['0.5!', /whole numbers/],
    ['What is the percentage growth from 2020 to 2024?', /look like years/],
    ['percent change from 0 to 5', /start above zero/],
    ['sum of $5 and €3', /mixes currencies/],
    ['What is 1,5 + 2', /can be one number or two/],
    ['average of', /every word/],
    ['mode of 1, 2 and 3', /No single value/],
    ['standard deviation of 3', /./],
    ['What is 2 +', /./],
    ['2 3', /./],
    ['((2)', /./],
    ['What is 5% of 10% of?', /./],
    ['Compare 5', /./],
    ['Forecast next month', /“next”, “month”/],
    ['Simulate a dice', /“simulate”/],
    ['import os; 1 + 1', /“import”, “os”/],
    ['x + 2', /“x”/],
    ['days between 2026-01-05 and 2026-02-01', /looks like a date/],
    ['What is 12/25/2026?', /looks like a date/],
    ['What is 5m + 3m', /./],
    ['What is 3 + 4!', /factorial/],
    ['#0 + #1', /./],
    ['12 cubed apples', /“apples”/],
    [`${'('.repeat(400)}1+1${')'.repeat(400)}`, /./],
    ['('.repeat(200) + '1', /./],
    ['What is the ratio of 3 to 0?', /divides by zero/],
    ['What was 3 plus 4 in 2020 dollars?', /“dollars”/],
  ]
  it.each(refused)('%s', (question, reason) => {
    const computed = compute(question, [])
    expect(computed).toMatchObject({ kind: 'refusal', reason: expect.stringMatching(reason) })
  })

  it('are all that ever comes of nonsense: nothing throws', () => {
    const words = fc.constantFrom(
      ...'what is 5 % of ( ) + - * / ^ ! , . 1e9 sqrt average from to at for years # #0 #9 10%'.split(' '),
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (pieces) => {
        expect(['finding', 'refusal']).toContain(compute(pieces.join(' '), []).kind)
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['finding', 'refusal']).toContain(compute(text, []).kind)
      }),
    )
  })
})

describe('questions over tables', () => {
  const open = table('api', ['id', 'amount'], [1, 600], [2, 700.5])
  const all = table('sql', ['id', 'amount'], [1, 600], [2, 700.5], [3, 10], [4, 20], [5, 30])
  const count = table('sql', ['orders'], [40])
  const share = 'List the open orders over 500 and what share of all orders they are'
  const prices = table('sql', ['name', 'unit_price', 'note'], ['a', '0.1', 'x'], ['b', '0.2', 'y'], ['c', null, 'z'])
  const sales = table('sql', ['customer', 'total'], ['Ada', 75], ['Bob', 25])

  const answers: [question: string, tables: GivenTable[], answer: string | RegExp][] = [
    [share, [open, all], 'They are 2 of 5 orders, a share of 40%.'],
    [share, [open, count], 'They are 2 of 40 orders, a share of 5%.'],
    ['What percentage of all orders are they?', [open, count], 'They are 2 of 40 orders, a share of 5%.'],
    [share, [open], /^REFUSED I have 2 rows from api, but cannot tell how many orders there are in all/],
    [share, [], /^REFUSED/],
    [share, [open, table('sql', ['customers'], [40])], /^REFUSED I have 2 rows/],
    [share, [open, table('sql', ['orders'], [1])], /^REFUSED/],
    [share, [open, { ...all, table: { ...all.table, truncated: true } }], /^REFUSED A table was cut off/],
    [share, [open, count, table('sql_2', ['order_count'], [50])], /^REFUSED/],
    ['What is the average amount?', [all], 'The average of amount is 272.1 (over 5 rows).'],
    ['total of all amounts', [open], 'The sum of amount is 1,300.5 (over 2 rows).'],
    [
      'What is the sum of the unit prices?',
      [prices],
      'The sum of unit_price is 0.3 (over 2 rows, 1 without a value left out).',
    ],
    [
      'List the products and calculate the median unit price',
      [prices],
      'The median of unit_price is 0.15 (over 2 rows, 1 without a value left out).',
    ],
    [
      'difference between the highest and lowest amount',
      [open],
      /^The difference between the highest amount \(700.5\) and the lowest \(600\) is 100.5/,
    ],
    ['What is the average note?', [prices], /^REFUSED The column “note” holds more than numbers/],
    ['What is the average amount?', [open, all], /^REFUSED Several tables have a column/],
    ['What is the average weight?', [all], /^REFUSED .*“weight”/],
    [
      'What is the difference between them?',
      [table('a', ['n'], [5]), table('b', ['n'], [8])],
      'The difference between 5 and 8 is 3.',
    ],
    ['Compare the two', [sales], '75 is 50 more than 25 (+200%, or 3 times as much).'],
    ['What is the ratio between them', [all], /^REFUSED I need exactly two values/],
    ['What is the share of each customer?', [sales], 'Shares of total (100 in all): Ada 75%; Bob 25%.'],
    ['What is the share of each planet?', [sales], /^REFUSED/],
  ]
  it.each(answers)('%s (%#)', (question, tables, answer) => {
    const given = answerOf(question, tables)
    expect(given).toMatch(
      typeof answer === 'string' ? new RegExp(`^${answer.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : answer,
    )
  })

  it('give a table where the answer is one', () => {
    expect(compute('What is the share of each customer?', [sales])).toMatchObject({
      table: {
        columns: ['customer', 'total', 'share_percent'],
        rows: [{ customer: 'Ada', total: 75, share_percent: 75 }, { share_percent: 25 }],
      },
    })
  })
})
