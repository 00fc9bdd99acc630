import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDemoData } from '../../scripts/demo/data.ts'
import { TABLE_NAMES } from '../../scripts/demo/schema.ts'
import { demoScript } from '../../scripts/demo/script.ts'
import { DEMO_ASSETS, DEMO_FILE_NAME } from '../../src/demo/copy.ts'

const database = new Database(join(DEMO_ASSETS, DEMO_FILE_NAME), { readonly: true })
afterAll(() => void database.close())

function rows(sql: string): unknown[][] {
  return database.prepare(sql).raw().all([]) as unknown[][]
}

function value(sql: string): number {
  return rows(sql)[0]![0] as number
}

/** Names the offending rows when there are any. */
function expectNone(sql: string): void {
  expect(rows(`${sql} LIMIT 5`)).toEqual([])
}

describe('the demo database', () => {
  it('has 15 tables and a few thousand rows, none of them empty', () => {
    const counts = TABLE_NAMES.map((name) => value(`SELECT count(*) FROM ${name}`))
    expect(counts).toHaveLength(15)
    expect(Math.min(...counts)).toBeGreaterThan(10)
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect(total).toBeGreaterThan(5_000)
    expect(total).toBeLessThan(8_000)
  })

  it('has no dangling foreign key', () => {
    expect(rows('PRAGMA foreign_key_check')).toEqual([])
    expect(rows("SELECT * FROM pragma_foreign_key_list('order_lines')")).toHaveLength(2)
  })
})

describe('money', () => {
  it('adds up from lines to invoices', () => {
    expectNone(`SELECT order_line_id FROM order_lines
      WHERE abs(line_total - quantity * unit_price * (100 - discount_percent) / 100) > 0.0051`)
    expectNone(`SELECT invoice_id FROM invoices JOIN order_lines USING (order_id)
      GROUP BY invoice_id HAVING abs(sum(line_total) - subtotal) > 0.001`)
    expectNone(`SELECT invoice_id FROM invoices
      WHERE abs(subtotal * tax_percent / 100 - tax_amount) > 0.0051 OR abs(subtotal + tax_amount - total) > 0.001`)
    expectNone(`SELECT purchase_order_id FROM purchase_orders JOIN purchase_order_lines USING (purchase_order_id)
      GROUP BY purchase_order_id HAVING abs(sum(line_total) - total) > 0.001`)
  })

  it('has at most two decimals', () => {
    for (const column of ['order_lines.line_total', 'invoices.total', 'invoices.tax_amount', 'payments.amount']) {
      const [table, name] = column.split('.')
      expectNone(`SELECT ${name} FROM ${table} WHERE abs(${name} - round(${name}, 2)) > 1e-9`)
    }
  })

  it('is never paid twice or too much, and the status of an invoice matches its payments', () => {
    expectNone(`SELECT invoice_id FROM invoices LEFT JOIN payments USING (invoice_id)
      GROUP BY invoice_id HAVING coalesce(sum(amount), 0) > total + 0.001
      OR status <> CASE WHEN sum(amount) IS NULL THEN 'unpaid' WHEN sum(amount) < total - 0.001 THEN 'part_paid' ELSE 'paid' END`)
    expectNone('SELECT payment_id FROM payments JOIN invoices USING (invoice_id) WHERE payment_date < invoice_date')
  })

  it('is refunded only for sold goods', () => {
    expectNone(`SELECT return_id FROM returns JOIN order_lines USING (order_line_id)
      WHERE returns.quantity > order_lines.quantity OR refund_amount > line_total`)
  })

  it('can be divided in SQL without integer division', () => {
    expectNone('SELECT name FROM products WHERE unit_cost / list_price < 0.2 OR unit_cost / list_price > 0.9')
  })
})

describe('time', () => {
  it('runs from order over shipment and invoice to payment and return', () => {
    expectNone('SELECT order_id FROM orders WHERE required_date <= order_date')
    expectNone('SELECT order_id FROM orders JOIN shipments USING (order_id) WHERE shipped_date <= order_date')
    expectNone('SELECT order_id FROM invoices JOIN shipments USING (order_id) WHERE invoice_date <> shipped_date')
    expectNone(`SELECT return_id FROM returns JOIN order_lines USING (order_line_id) JOIN shipments USING (order_id)
      WHERE delivered_date IS NULL OR return_date <= delivered_date`)
    expectNone('SELECT ticket_id FROM support_tickets WHERE closed_at <= opened_at')
    expectNone('SELECT order_id FROM orders JOIN customers USING (customer_id) WHERE order_date < customer_since')
    expectNone('SELECT order_id FROM orders JOIN employees USING (employee_id) WHERE order_date < hire_date')
    expectNone(`SELECT order_line_id FROM order_lines JOIN orders USING (order_id) JOIN products USING (product_id)
      WHERE order_date < introduced_on OR order_date > discontinued_on`)
  })

  it('starts in November 2023 and ends on 31 October 2026', () => {
    expect(rows("SELECT min(order_date) < '2023-12-01', max(order_date) > '2026-10-25' FROM orders")).toEqual([[1, 1]])
    for (const [table, column] of [
      ['orders', 'order_date'],
      ['shipments', 'delivered_date'],
      ['payments', 'payment_date'],
      ['returns', 'return_date'],
      ['support_tickets', 'closed_at'],
      ['purchase_orders', 'received_date'],
    ]) {
      expectNone(`SELECT ${column} FROM ${table} WHERE date(${column}) > '2026-10-31'`)
    }
  })

  it('gives each order the status of its shipment', () => {
    expectNone(`SELECT order_id FROM orders LEFT JOIN shipments USING (order_id)
      WHERE (status IN ('open', 'cancelled')) <> (shipment_id IS NULL)
      OR (status = 'delivered') <> (delivered_date IS NOT NULL)`)
  })
})

describe('stock', () => {
  it('follows from purchases, shipments and returns, and is never negative on any day', () => {
    const openings = rows(`
      WITH moves AS (
        SELECT product_id, received_date AS day, 0 AS rank, quantity AS units
          FROM purchase_orders JOIN purchase_order_lines USING (purchase_order_id) WHERE received_date IS NOT NULL
        UNION ALL SELECT product_id, return_date, 1, returns.quantity
          FROM returns JOIN order_lines USING (order_line_id) WHERE restocked
        UNION ALL SELECT product_id, shipped_date, 2, -quantity FROM order_lines JOIN shipments USING (order_id)
      ), running AS (
        SELECT product_id, sum(units) OVER (PARTITION BY product_id ORDER BY day, rank ROWS UNBOUNDED PRECEDING) AS level
          FROM moves
      ), totals AS (SELECT product_id, sum(units) AS moved FROM moves GROUP BY product_id)
      SELECT product_id, units_in_stock - coalesce(moved, 0) AS opening,
             coalesce((SELECT min(level) FROM running r WHERE r.product_id = p.product_id), 0) AS lowest
        FROM products p LEFT JOIN totals USING (product_id)`) as [number, number, number][]
    expect(openings).toHaveLength(value('SELECT count(*) FROM products'))
    for (const [product, opening, lowest] of openings) {
      expect(opening, `opening stock of product ${product}`).toBeGreaterThanOrEqual(0)
      expect(opening + lowest, `lowest stock of product ${product}`).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('the business is plausible', () => {
  it('grows, and has its best month in winter and its worst in summer', () => {
    const year = (y: number) => value(`SELECT count(*) FROM orders WHERE order_date LIKE '${y}-%'`)
    expect(year(2025)).toBeGreaterThan(year(2024) * 1.1)
    const month = (m: string) => value(`SELECT count(*) FROM orders WHERE order_date LIKE '202_-${m}-%'`)
    expect(month('12')).toBeGreaterThan(month('08') * 1.2)
  })

  it('has best sellers and a long tail', () => {
    const shares = rows('SELECT count(*) FROM order_lines GROUP BY product_id ORDER BY 1 DESC').map(
      (r) => r[0] as number,
    )
    const total = shares.reduce((sum, n) => sum + n, 0)
    expect(shares.slice(0, 10).reduce((sum, n) => sum + n, 0) / total).toBeGreaterThan(0.4)
    expect(value('SELECT count(DISTINCT category_id) FROM order_lines JOIN products USING (product_id)')).toBe(11)
  })

  it('has data for every common question', () => {
    const between = (sql: string, least: number, most: number): void => {
      const count = value(sql)
      expect(count, sql).toBeGreaterThanOrEqual(least)
      expect(count, sql).toBeLessThanOrEqual(most)
    }
    between("SELECT count(*) FROM orders WHERE status = 'open'", 8, 40)
    between("SELECT count(*) FROM orders WHERE status = 'shipped'", 2, 30)
    between("SELECT count(*) FROM orders WHERE status = 'cancelled'", 15, 60)
    between("SELECT count(*) FROM invoices WHERE status <> 'paid' AND due_date < '2026-10-31'", 5, 60)
    between('SELECT count(*) FROM orders JOIN shipments USING (order_id) WHERE delivered_date > required_date', 30, 200)
    between('SELECT count(*) FROM products WHERE units_in_stock < reorder_level', 3, 20)
    between('SELECT count(*) FROM customers WHERE NOT is_active', 4, 25)
    between('SELECT count(*) FROM returns', 25, 100)
    between("SELECT count(*) FROM support_tickets WHERE status = 'open'", 2, 20)
    between('SELECT count(DISTINCT country) FROM customers', 5, 8)
  })
})

describe('makeDemoData', () => {
  it('creates other rows for another seed', () => {
    expect(makeDemoData(1).customers).not.toEqual(makeDemoData(2).customers)
    expect(makeDemoData(1)).toEqual(makeDemoData(1))
  })
})

describe('demoScript', () => {
  it.each(['postgres', 'mysql'] as const)('writes every table and row for %s', (dialect) => {
    const script = demoScript(dialect)
    expect(script.match(/^CREATE TABLE \w+/gm)).toHaveLength(15)
    const tuples = script.match(/^\(.*\)[,;]?$/gm)
    expect(tuples).toHaveLength(Object.values(makeDemoData()).reduce((sum, table) => sum + table.length, 0))
    expect(script).toContain(dialect === 'mysql' ? 'opened_at DATETIME' : 'opened_at TIMESTAMP')
    expect(script).not.toMatch(/\bundefined\b|\bNaN\b/)
  })
})
