import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Table } from '../../../core/table.ts'
import { toldAssumptions } from '../../../language/assumed.ts'
import { forPeople } from './for-people.ts'

const table = (columns: readonly string[], ...rows: readonly unknown[][]): Table => ({
  columns,
  rows: rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]]))),
  rowCount: rows.length,
})

it.each([
  ["revenue counts where orders.status <> 'cancelled'", 'revenue counts where the status of orders is not “cancelled”'],
  ['“cost” is returns.refund_amount', '“cost” is the refund amount of returns'],
  ['the date is orders.order_date', 'the date is the order date'],
  ['“last quarter” is 2026-07-01 to 2026-09-30', '“last quarter” is 2026-07-01 to 2026-09-30'],
  [
    "only orders where orders.status IN ('open', 'held') AND orders.total >= 5",
    'only orders where the status of orders is one of “open”, “held” and the total of orders is at least 5',
  ],
])('says in words what was taken for granted: %s', (assumption, said) => {
  const answer = `There are 3. ${toldAssumptions([assumption])}`
  expect(forPeople(answer, undefined, undefined)).toBe(`There are 3. For this, ${said}.`)
})

it('says nothing of what only SQL says', () => {
  const answer = `There are 3. ${toldAssumptions(["only orders where date(x, '-1 day') IS TRUE", 'amounts are before discounts'])}`
  expect(forPeople(answer, undefined, undefined)).toBe('There are 3. For this, amounts are before discounts.')
})

it('adds the rows of which the text names only some', () => {
  const rows = ['Ada', 'Ben', 'Cy'].map((name, i) => [name, 1_200 + i, '2026-10-01T00:00:00.000Z'])
  const three = table(['name', 'order_total', 'due_date'], ...rows)
  expect(forPeople('The table has 3 rows.', three, 'en-US')).toBe(
    [
      'The table has 3 rows.\n',
      '- Ada: order total 1,200, due date 2026-10-01',
      '- Ben: order total 1,201, due date 2026-10-01',
      '- Cy: order total 1,202, due date 2026-10-01',
    ].join('\n'),
  )
  expect(forPeople('Totals: Ada (1); Ben (2); Cy (3).', three, 'en-US')).toBe('Totals: Ada (1); Ben (2); Cy (3).')
  expect(forPeople('order_total: 1,200.', table(['order_total'], [1_200]), 'en-US')).toBe('order total: 1,200.')
})

it('leaves no code, whatever the planner of questions takes for granted', async () => {
  const folder = new URL('../../../question-to-sql/plan/', import.meta.url).pathname
  const sources = await Promise.all(
    (await readdir(folder))
      .filter((name) => !name.includes('.test.'))
      .map((name) => readFile(join(folder, name), 'utf8')),
  )
  const written = sources.flatMap((text) =>
    [...text.matchAll(/assumptions\.add\(`([^\n]*)`\)/g)].map(([, said]) => said!),
  )
  expect(written.length).toBeGreaterThan(15)
  for (const one of written) {
    const filled = one
      .replaceAll(/\$\{(?:nameOf[^{}]*|where)\}/g, 'order_lines.line_total > 5 AND x.y IS NULL')
      .replaceAll(/\$\{[^{}]*\}/g, 'orders')
    expect(forPeople(`3. ${toldAssumptions([filled])}`, undefined, undefined)).toMatch(
      /^3\.(?: For this, [^_<>=]+\.)?$/,
    )
  }
})
