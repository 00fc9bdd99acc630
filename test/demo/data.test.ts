import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, expect, it } from 'vitest'
import { DEMO_ASSETS, DEMO_FILE_NAME } from '../../src/app/demo-data.ts'

const database = new Database(join(DEMO_ASSETS, DEMO_FILE_NAME), { readonly: true })
afterAll(() => void database.close())

/** Queries that find rows which break a rule of docs/demo-data.md. */
it.each([
  [
    'lines have the price without the discount',
    `SELECT order_line_id FROM order_lines
      WHERE abs(line_total - quantity * unit_price * (100 - discount_percent) / 100) > 0.0051`,
  ],
  [
    'invoices add up from their lines',
    `SELECT invoice_id FROM invoices JOIN order_lines USING (order_id)
      GROUP BY invoice_id HAVING abs(sum(line_total) - subtotal) > 0.001`,
  ],
  [
    'invoices add up with their tax',
    `SELECT invoice_id FROM invoices
      WHERE abs(subtotal * tax_percent / 100 - tax_amount) > 0.0051 OR abs(subtotal + tax_amount - total) > 0.001`,
  ],
  [
    'invoices are never paid twice or too much',
    `SELECT invoice_id FROM invoices JOIN payments USING (invoice_id)
      GROUP BY invoice_id HAVING sum(amount) > total + 0.001`,
  ],
  [
    'shipments follow orders',
    'SELECT order_id FROM orders JOIN shipments USING (order_id) WHERE shipped_date <= order_date',
  ],
  [
    'returns follow deliveries',
    `SELECT return_id FROM returns JOIN order_lines USING (order_line_id) JOIN shipments USING (order_id)
      WHERE delivered_date IS NULL OR return_date <= delivered_date`,
  ],
  [
    'stock follows from purchases, shipments and returns, and is never negative on any day',
    `WITH moves AS (
        SELECT product_id, received_date AS day, 0 AS rank, quantity AS units
          FROM purchase_orders JOIN purchase_order_lines USING (purchase_order_id) WHERE received_date IS NOT NULL
        UNION ALL SELECT product_id, return_date, 1, returns.quantity
          FROM returns JOIN order_lines USING (order_line_id) WHERE restocked
        UNION ALL SELECT product_id, shipped_date, 2, -quantity FROM order_lines JOIN shipments USING (order_id)
      ), running AS (
        SELECT product_id, sum(units) OVER (PARTITION BY product_id ORDER BY day, rank ROWS UNBOUNDED PRECEDING) AS level
          FROM moves
      ), totals AS (SELECT product_id, sum(units) AS moved FROM moves GROUP BY product_id)
      SELECT product_id FROM products LEFT JOIN totals USING (product_id)
        WHERE units_in_stock - coalesce(moved, 0)
          + min(0, coalesce((SELECT min(level) FROM running WHERE running.product_id = products.product_id), 0)) < 0`,
  ],
])('%s', (_rule, sql) => {
  expect(database.prepare(`${sql} LIMIT 5`).all([])).toEqual([])
})
