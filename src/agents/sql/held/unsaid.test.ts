import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../../databases/gate/index.ts'
import type { Dialect } from '../../../databases/schema.ts'
import { lookupIn, readSchema } from '../../../terms/sqlite.fixture.ts'
import { unsaidIn } from './unsaid.ts'

const db = new Database(':memory:')
db.exec(`
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT, is_active BOOLEAN);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), status TEXT, order_date DATE, amount REAL);
  CREATE TABLE parcels (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), weight REAL);
  INSERT INTO customers VALUES (1, 'Jane Smith', 'Germany', 1), (2, 'Luís Prado', 'Brazil', 0), (3, 'Acme Corp', 'Niger', 1);
  INSERT INTO orders VALUES (1, 1, 'open', '2025-03-02', 10), (2, 2, 'shipped', '2025-12-31', 20);
`)
const schema = readSchema(db, 'shop')
const gate = createGate()
afterAll(() => void db.close())

const N = 'SELECT count(*) AS n FROM'
const unsaid = async (question: string, sql: string, dialect: Dialect = 'sqlite') => {
  const verdict = await gate.check(sql, { ...schema, dialect, callable: { any: [], own: [] } })
  const effects = verdict.allowed ? verdict.effects : undefined
  return unsaidIn(question, sql, schema, { lookup: lookupIn(db), today: '2026-01-15', effects })
}

describe('what a query does not say of its question', () => {
  it.each([
    ['How many customers are there in Germany?', `${N} customers`, 'Germany'],
    ['how many customers are there in germany?', `${N} customers`, 'germany'],
    ['How many customers are there in Germany?', `SELECT 'Germany' AS country, count(*) FROM customers`, 'Germany'],
    ['How many customers are there in Germany?', `SELECT count(*), 'Germany' FROM customers`, 'Germany'],
    ['How many customers are there in Germany?', `SELECT count(*) AS germany FROM customers`, 'Germany'],
    ['How many customers are there in Germany?', `${N} customers -- country = 'Germany'`, 'Germany'],
    ['How many customers are there in Germany?', `${N} customers WHERE country <> 'Germany'`, 'Germany'],
    ['How many customers are there in Germany?', `${N} customers WHERE country NOT IN ('Peru', 'Germany')`, 'Germany'],
    ['How many customers are there in Germany?', `${N} customers WHERE NOT (country = 'Germany')`, 'Germany'],
    ['How many customers are there in Germany?', `${N} customers WHERE country > 'Germany'`, 'Germany'],
    ['How many customers are there in Germany?', `${N} customers WHERE country = 'Germany' OR 1=1`, 'Germany'],
    ['How many customers are not in Germany?', `${N} customers WHERE country = 'Germany'`, 'not in Germany'],
    [
      'Which customers have no orders?',
      'SELECT name FROM customers c JOIN orders o ON c.id = customer_id',
      'no orders',
    ],
    ['How many customers did not order in 2025?', `${N} orders WHERE order_date LIKE '2025%'`, 'not order'],
    ['How many active customers are there?', `${N} customers WHERE is_active = 0`, 'active'],
    ['How many inactive customers are there?', `${N} customers WHERE is_active = 1`, 'inactive'],
    ['How many orders are above 15?', `${N} orders WHERE amount < 15`, 'above 15'],
    ['Which three orders have the least amount?', 'SELECT id FROM orders ORDER BY amount DESC LIMIT 3', 'least'],
    ['What is the total amount of the orders?', 'SELECT SUM(id) AS amount FROM orders', 'total amount'],
    ['What is the total amount of the orders?', 'SELECT COUNT(amount) FROM orders', 'total amount'],
    ['How many customers are there in Brazil?', `${N} customers WHERE country = 'Germany'`, 'Brazil'],
    ['How many customers are there in Wakanda?', `${N} customers`, 'Wakanda'],
    ['Wie viele Kunden gibt es in Germany?', `${N} customers`, 'Germany'],
    ['How many customers are named “jane smith”?', `${N} customers`, 'jane smith'],
    ['How many open orders are there?', `${N} orders WHERE status = 'shipped'`, 'open'],
    ['How many active customers are there?', `${N} customers`, 'active'],
    ['How many orders are above 15?', `${N} orders WHERE amount > 150`, '15'],
    ['Which customers have more than 5 orders?', 'SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) > 3', '5'],
    ['How many orders were placed in 2025?', `${N} orders`, 'in 2025'],
    [
      'How many orders were placed in 2025?',
      `${N} orders WHERE order_date >= '2024-01-01' AND order_date < '2025-01-01'`,
      'in 2025',
    ],
    ['How many orders were placed in 2025?', `${N} orders WHERE strftime('%Y', order_date) = '2024'`, 'in 2025'],
    ['How many orders were placed in March 2025?', `${N} orders WHERE order_date LIKE '2025%'`, 'in March 2025'],
    ['How many orders since 2025?', `${N} orders WHERE order_date < '2025-01-01'`, 'since 2025'],
    ['How many orders since 2025?', `${N} orders WHERE strftime('%Y', order_date) < '2025'`, 'since 2025'],
    ['How many orders since 2025?', `${N} orders WHERE strftime('%Y', order_date) = '2025'`, 'since 2025'],
    ['How many orders were placed in 2025?', `${N} orders WHERE strftime('%Y', order_date) >= '2025'`, 'in 2025'],
    [
      'How many orders were placed in 2025?',
      `${N} orders WHERE NOT (order_date >= '2025-01-01' AND order_date < '2026-01-01')`,
      'in 2025',
    ],
    [
      'How many orders were not placed in 2025?',
      `${N} orders WHERE order_date >= '2025-01-01' AND order_date < '2026-01-01'`,
      'not placed in 2025',
    ],
    ['How many customers are there?', `${N} orders`, 'customers'],
    ['What is the total amount per country?', 'SELECT SUM(amount) FROM orders', 'per country'],
    ['What is the average amount of the orders?', 'SELECT AVG(id) FROM orders', 'average amount'],
    ['What is the highest amount?', 'SELECT MAX(id) FROM orders', 'highest amount'],
    ['How many orders have an amount above 15?', `${N} orders WHERE id > 15`, 'amount above 15'],
    [
      'Compare the orders in 2023 and 2024',
      `${N} orders WHERE order_date >= '2023-01-01' AND order_date < '2024-01-01'`,
      '2024',
    ],
  ])('%s %s', async (question, sql, missing) => {
    const { missing: found } = await unsaid(question, sql)
    expect(found.join(', ')).toContain(missing)
  })

  it.each([
    ['How many customers are there?', `${N} customers`],
    ['How many customers are there in Germany?', `${N} customers WHERE country = 'Germany'`],
    ['How many customers are there in Germany?', `${N} customers WHERE country LIKE 'Ger%'`],
    ['How many customers are there in Germany?', `${N} customers WHERE country = "Germany"`],
    ['How many customers are not in Germany?', `${N} customers WHERE country <> 'Germany'`],
    [
      'How many orders has Luis Prado?',
      `${N} orders JOIN customers c ON c.id = customer_id WHERE c.name = 'Luís Prado'`,
    ],
    ['How many orders has Jane?', `${N} orders JOIN customers c ON c.id = customer_id WHERE c.name LIKE 'Jane %'`],
    ['How many open orders are there?', `${N} orders WHERE status IN ('open')`],
    ['How many active customers are there?', `${N} customers WHERE is_active = 1`],
    ['How many orders are at least 15?', `${N} orders WHERE amount > 14`],
    [
      'How many orders were placed in 2025?',
      `${N} orders WHERE order_date >= '2025-01-01' AND order_date < '2026-01-01'`,
    ],
    ['How many orders were placed in 2025?', `${N} orders WHERE order_date BETWEEN '2025-01-01' AND '2025-12-31'`],
    [
      'How many orders were placed in 2025?',
      `${N} orders WHERE order_date > '2024-12-31' AND order_date <= '2025-12-31 23:59:59'`,
    ],
    [
      'How many orders were placed in 2025?',
      `${N} orders WHERE order_date >= DATE '2025-01-01' AND order_date < DATE '2025-01-01' + INTERVAL '1 year'`,
    ],
    ['How many orders were placed in 2025?', `${N} orders WHERE strftime('%Y', order_date) = '2025'`],
    ['How many orders were placed in 2025?', `${N} orders WHERE EXTRACT(YEAR FROM order_date) = 2025`],
    ['How many orders were placed in March 2025?', `${N} orders WHERE strftime('%Y-%m', order_date) = '2025-03'`],
    [
      'How many orders were placed in March 2025?',
      `${N} orders WHERE YEAR(order_date) = 2025 AND MONTH(order_date) = 3`,
    ],
    [
      'How many orders were placed last month?',
      `${N} orders WHERE order_date >= date('now', 'start of month', '-1 month')`,
    ],
    ['How many orders were placed in 2026?', `${N} orders WHERE order_date >= '2026-01-01'`],
    [
      'Compare the orders in 2024 and 2025',
      `${N} orders WHERE order_date >= '2024-01-01' AND order_date < '2026-01-01'`,
    ],
    ['Wie viele Kunden gibt es in Berlin?', `${N} customers`],
    ['Which are the top five customers?', 'SELECT name FROM customers LIMIT 5'],
    ['How many inactive customers are there?', `${N} customers WHERE NOT is_active`],
    ['Which customers have no orders?', 'SELECT id FROM customers EXCEPT SELECT customer_id FROM orders'],
    ['How many orders are not above 15?', `${N} orders WHERE amount <= 15`],
    [
      'Which customers have orders in 2025? Do not show orders',
      "SELECT customer_id FROM orders WHERE order_date LIKE '2025%'",
    ],
    ['What is the total amount of the orders?', 'SELECT SUM(amount) FROM orders'],
    ['How many orders were there per status?', "SELECT status, count(*) FROM orders WHERE status = 'open' GROUP BY 1"],
    ['How many orders are below 5 or above 15?', `${N} orders WHERE amount < 5 OR amount > 15`],
    [
      'Compare the orders in 2023 and 2025',
      `${N} orders WHERE order_date >= '2023-01-01' AND order_date < '2024-01-01' OR order_date >= '2025-01-01' AND order_date < '2026-01-01'`,
    ],
    [
      'How many orders are there in Germany?',
      `${N} customers c, orders o WHERE o.customer_id = c.id AND c.country = 'Germany'`,
    ],
    [
      'How many orders are there in Germany?',
      `${N} customers c, orders WHERE customer_id = c.id AND country = 'Germany'`,
    ],
    ['How many orders are there in Germany?', `${N} customers NATURAL JOIN orders WHERE country = 'Germany'`],
    [
      'What percentage of customers are in Germany?',
      `SELECT count(*) * 100.0 / (SELECT count(*) FROM customers) FROM customers WHERE country = 'Germany'`,
    ],
    [
      'What share of customers are in Germany?',
      `SELECT 1.0 * n / total FROM (SELECT count(*) AS n FROM customers WHERE country = 'Germany') a, (SELECT count(*) AS total FROM customers) b`,
    ],
    ['Which orders and customers are there?', 'SELECT id FROM orders UNION ALL SELECT id FROM customers'],
    ['How many orders were not placed in 2025?', `${N} orders WHERE strftime('%Y', order_date) <> '2025'`],
    ['How many orders since 2025?', `${N} orders WHERE strftime('%Y', order_date) >= '2025'`],
    ['How many orders since 2026?', `${N} orders WHERE strftime('%Y', order_date) = '2026'`],
    [
      'How many orders per country?',
      'SELECT country, count(*) FROM orders o JOIN customers c ON c.id = customer_id GROUP BY 1',
    ],
    [
      'How many customers have orders?',
      `SELECT count(DISTINCT c.id) FROM customers c JOIN orders o ON c.id = customer_id`,
    ],
    [
      'How many customers have more than 1 order?',
      `${N} (SELECT c.id FROM customers c JOIN orders o ON c.id = customer_id GROUP BY c.id HAVING count(*) > 1)`,
    ],
    [
      'How many orders has each customer?',
      'SELECT c.name, count(*) FROM customers c JOIN orders o ON c.id = customer_id GROUP BY c.id',
    ],
    [
      'What is the total amount per country?',
      'SELECT country, SUM(amount) FROM customers c JOIN orders o ON c.id = customer_id GROUP BY 1',
    ],
    [
      'What is the total weight per order?',
      'SELECT o.id, SUM(weight) FROM orders o JOIN parcels p ON p.order_id = o.id GROUP BY 1',
    ],
    ['What is the highest amount?', 'SELECT MAX(amount) FROM orders'],
    ['How many orders are not between 5 and 15?', `${N} orders WHERE amount NOT BETWEEN 5 AND 15`],
  ])('nothing: %s %s', async (question, sql) => {
    expect(await unsaid(question, sql)).toEqual({ missing: [], assumed: [], flaws: [] })
  })

  it('says which value stands for a name that the data do not have', async () => {
    expect(await unsaid('How many customers are German?', `${N} customers WHERE country = 'Germany'`)).toEqual({
      missing: [],
      assumed: ['“German” is taken to be “Germany”'],
      flaws: [],
    })
    expect(
      (await unsaid('How many customers are in Nigeria?', `${N} customers WHERE country = 'Niger'`)).assumed,
    ).toEqual(['“Nigeria” is taken to be “Niger”'])
  })

  it('says which values are taken in besides the one that was asked for', async () => {
    const { assumed } = await unsaid(
      'How many customers are in Germany?',
      `${N} customers WHERE country IN ('Germany', 'Brazil')`,
    )
    expect(assumed).toEqual(['“Brazil” is taken in, too'])
  })

  const IN_GERMANY = 'How many customers are there in Germany?'

  it.each([
    [IN_GERMANY, `${N} customers WHERE country = 'Germany' AND is_active = 1`, 'is_active = 1'],
    [IN_GERMANY, `${N} customers WHERE country = 'Germany' AND is_active`, 'is_active = true'],
    [IN_GERMANY, `${N} customers WHERE country = 'Germany' AND is_active <> 0`, 'is_active <> 0'],
    ['How many orders were there in 2025?', `${N} orders WHERE order_date LIKE '2025%' AND status = 'open'`, 'open'],
    ['How many orders are there?', `${N} orders WHERE status IN ('open', 'shipped')`, 'open, shipped'],
    ['How many orders are there?', `${N} customers c JOIN orders o ON c.id = customer_id AND country = 'Peru'`, 'Peru'],
    ['How many orders are there?', `${N} orders WHERE amount > 0`, 'amount > 0'],
    ['How many orders are there?', `${N} orders WHERE order_date >= '2025-01-01'`, 'order_date >= 2025-01-01'],
    ['How many orders are there?', `${N} orders WHERE order_date IS NOT NULL`, 'order_date not null'],
    ['How many customers are there?', `${N} customers WHERE name LIKE 'B%'`, 'name = B%'],
    ['How many current customers are there?', `${N} customers WHERE is_active = 1`, 'is_active = 1'],
    ['How many unpaid orders are there?', `${N} orders WHERE status = 'open'`, 'status = open'],
  ])('says which condition is the query’s own: %s %s', async (question, sql, own) => {
    const { missing, assumed } = await unsaid(question, sql)
    expect(missing).toEqual([])
    expect(assumed).toEqual([expect.stringMatching(new RegExp(`^only rows with “.*${own}” are taken`))])
  })

  const TWICE = 'JOIN parcels p ON p.order_id = o.id'

  it.each([
    ['How many customers have orders?', `${N} customers c JOIN orders o ON c.id = customer_id`, 'customers', 'orders'],
    ['How many orders are there?', `SELECT count(o.id) FROM orders o LEFT ${TWICE}`, 'orders', 'parcels'],
    ['What is the total amount of the orders?', `SELECT SUM(o.amount) FROM orders o ${TWICE}`, 'orders', 'parcels'],
    [
      'What is the average amount of the orders?',
      `SELECT AVG(amount) FROM orders o, parcels p WHERE o.id = order_id`,
      'orders',
      'parcels',
    ],
    [
      'What is the total amount per country?',
      `SELECT country, SUM(o.amount) FROM customers c JOIN orders o ON c.id = customer_id ${TWICE} GROUP BY 1`,
      'orders',
      'parcels',
    ],
  ])('says which rows a join takes more than once: %s %s', async (question, sql, one, many) => {
    const postgres = await unsaid(question, sql, 'postgres')
    for (const { assumed } of [await unsaid(question, sql), postgres])
      expect(assumed).toEqual([`each row of “${one}” is taken once for each of its rows of “${many}”`])
  })

  it.each([
    [IN_GERMANY, `${N} customers WHERE country = 'Germany' OR id > 0`, 'alternative “id > 0”'],
    [IN_GERMANY, `${N} customers WHERE (country = 'Germany') OR (length(name) > 0)`, 'alternative “name > 0”'],
    ['How many orders are above 15?', `${N} orders WHERE amount > 15 OR amount < 15`, 'alternative “amount < 15”'],
    [
      'How many orders were there in 2025?',
      `${N} orders WHERE order_date >= '2025-01-01' OR order_date < '2026-01-01'`,
      'alternative “order_date < 2026-01-01”',
    ],
    [
      'How many orders are between 5 and 15?',
      `${N} orders WHERE NOT (amount < 5 AND amount > 15)`,
      'alternative “amount <= 15”',
    ],
    [
      IN_GERMANY,
      `${N} (SELECT * FROM customers WHERE country = 'Germany' UNION ALL SELECT * FROM customers)`,
      'one part of the query takes all rows of “customers”',
    ],
    [IN_GERMANY, `${N} customers, orders WHERE country = 'Germany'`, '“customers” with every row of “orders”'],
    [IN_GERMANY, `${N} customers c CROSS JOIN orders WHERE country = 'Germany'`, 'pairs every row'],
    [IN_GERMANY, `${N} customers LEFT JOIN orders o ON country = 'Germany'`, 'pairs every row'],
    [IN_GERMANY, `SELECT count(*) * 2 FROM customers WHERE country = 'Germany'`, 'computes “* 2”'],
    [IN_GERMANY, `SELECT 1 + (count(*)) FROM customers WHERE country = 'Germany'`, 'computes “+ 1”'],
  ])('says why the rows are others: %s %s', async (question, sql, flaw) => {
    expect((await unsaid(question, sql)).flaws.join()).toContain(flaw)
  })
})
