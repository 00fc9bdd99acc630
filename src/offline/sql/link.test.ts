import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../databases/database.ts'
import { isUnderstoodBySql, linkQuestion } from './link.ts'
import type { Lookup } from './types.ts'

const database = openDatabase(join(import.meta.dirname, '../../../assets/demo/brindlemoor.sqlite'))
const schema = await database.schema()
await database.close()

const VALUES: Readonly<Record<string, readonly string[]>> = {
  'orders.status': ['shipped', 'open'],
  'customers.country': ['Germany'],
  'suppliers.country': ['Germany'],
  'categories.name': ['Coffee'],
  'products.name': ['Release'],
  'contacts.first_name': ['Ann'],
  'contacts.last_name': ['Lee'],
  'employees.first_name+last_name': ['Ann Lee'],
}
const lookup: Lookup = async (terms, columns) =>
  terms.map((term) =>
    columns.flatMap((place) => {
      const name = `${place.table}.${place.column}${place.second === undefined ? '' : `+${place.second}`}`
      const value = VALUES[name]?.find((one) => one.toLowerCase() === term.toLowerCase())
      return value === undefined ? [] : [{ ...place, value }]
    }),
  )
const ask = (question: string) => linkQuestion(question, schema, { lookup, today: '2026-10-31' })

it.each([
  ['How many spaceships do we own?', 'I do not understand “spaceships” and “own”.'],
  ['Who is the account manager of the customer with the highest revenue?', 'ask first'],
  ['How many orders per employee on average?', 'average'],
  ['What is the trend of orders?', 'I do not understand “trend”.'],
  ['How many orders are not yet shipped?', 'may mean the status'],
  ['How many tickets in 2025?', 'which date'],
  ['Orders in 2024 and 2025', '“2025” here'],
  ['How many customers are there and how many orders?', 'one question at a time'],
  ['How many orders from Germany were returned and what did they cost?', 'one question at a time'],
  ['Which customers ordered the fewest products?', '“fewest”'],
  ['Total of orders for Coffee', 'I do not know which figure of orders'],
  ['How many products are in Coffee?', 'below it'],
  ['How did the number of customers change from 2024 to 2025?', 'not clear'],
  ['What share of revenue comes from Germany?', 'the figure'],
  ['Top 10% of customers by revenue', '10%'],
  ['How many orders with status <> open?', '<'],
  ['How many orders where status != open?', '“!”'],
  ['How many customers where name = Germany?', '“=”'],
  ['How many orders > 5?', '“>”'],
  ['How many products have a unit cost more than .99?', '.99'],
  ['What percentage of orders from Germany are open?', 'which share'],
  ['How many orders did they place in 2025?', '“they”'],
  ['How much did we spend in 2025?', '“spend”'],
  ['Which suppliers deliver to Germany?', 'deliver to'],
  ['How many orders as of 2024?', 'as of'],
  ['Delete all orders of 2024', 'only reads'],
  ['How many orders had a discount?', 'not of orders'],
  ['How many orders have a discount over 5?', 'not of orders'],
  ['How many customers have an email?', 'not of customers'],
  ['How many customers have not paid?', 'never'],
  ['How many purchase orders are late?', 'overdue'],
  ['How many suppliers are open?', '“open”'],
  ['Which suppliers release?', '“release”'],
  ['How many orders of the product Coffee?', 'No product is called “Coffee”'],
  ['How many Coffee are there in the orders?', '“Coffee”'],
  ['Who works in sales?', '“Who”'],
  ['Who supplies Release?', '“Release”'],
  ['Which employee sold the most?', '“sold”'],
])('declines “%s”', async (question, reason) => {
  expect(await ask(question)).toMatchObject({ kind: 'refusal', reason: expect.stringContaining(reason) as string })
})

it('reads a first and a last name as a person only if one row has both', async () => {
  expect(await ask('What is the email of Ann Lee?')).toMatchObject({
    sql: expect.stringMatching(/FROM employees WHERE employees.first_name .* = 'Ann Lee'/) as string,
  })
})

it.each([
  ['How many customers have never paid?', 'NOT EXISTS'],
  ['How many purchase orders were late?', 'received_date > purchase_orders.expected_date'],
  ['How many customers who ordered in 2025 are there?', 'EXISTS'],
])('answers “%s”', async (question, sql) => {
  expect(await ask(question)).toMatchObject({ kind: 'query', sql: expect.stringContaining(sql) as string })
})

it('adds the cost of a counted noun', async () => {
  expect(await ask('How many orders were returned last quarter and what did they cost?')).toMatchObject({
    sql: expect.stringMatching(
      /EXISTS .* CROSS JOIN .*SUM\(returns\.refund_amount\).*return_date >= '2026-07-01'/,
    ) as string,
  })
})

it.each([
  ['How many customers have more than 20 orders?', ' for “more than 20 orders”'],
  ['How many customers have never ordered?', ' for “not ordered”'],
])('repeats the condition of “%s”', async (question, where) => {
  expect(await ask(question)).toMatchObject({ where })
})

it('reads “from 2024 on” as everything since then', async () => {
  const [from, since] = await Promise.all([ask('How many orders from 2024 on?'), ask('How many orders since 2024?')])
  expect(from).toMatchObject({ kind: 'query', sql: (since as { sql: string }).sql })
})

it.each([
  ['How many orders where status = open?', 'How many open orders?'],
  ['How many invoices where total >= 500?', 'How many invoices with a total of at least 500?'],
  ['How many invoices where total<500?', 'How many invoices with a total under 500?'],
])('reads the symbol of “%s” as its words', async (question, inWords) => {
  const [symbol, words] = await Promise.all([ask(question), ask(inWords)])
  expect(symbol).toMatchObject({ kind: 'query', sql: (words as { sql: string }).sql })
})

it('reports assumptions', async () => {
  expect(await ask('How many late orders were there last year?')).toMatchObject({
    assumptions: [
      'late is shipments.delivered_date after orders.required_date',
      '“last year” is 2025-01-01 to 2025-12-31',
    ],
  })
})

it('reports whether it would understand a question, for any values', async () => {
  expect(await isUnderstoodBySql('How many orders did Hotel Ravmond place?', schema, { today: '2026-10-31' })).toBe(
    true,
  )
  expect(await isUnderstoodBySql('What is the list price of House Espresso?', schema, { today: '2026-10-31' })).toBe(
    true,
  )
  expect(await isUnderstoodBySql('What does the returns policy say?', schema, { today: '2026-10-31' })).toBe(false)
})

it('a question with an unread remainder is refused', async () => {
  const blanks = ' '.repeat(4_000)
  expect(await ask(`How many customers are there?${blanks}Only those from Germany.`)).toMatchObject({ kind: 'refusal' })
})
