/** The current date of the demo, which is the last day of its data. */
export const TODAY = '2026-10-31'

/** Tables for changes made through the API. */
export const CHANGES_SQL = `
  CREATE TABLE IF NOT EXISTS cancelled_orders (
    order_id INTEGER NOT NULL PRIMARY KEY,
    reason TEXT
  );
  CREATE TABLE IF NOT EXISTS tickets (
    ticket_id INTEGER NOT NULL PRIMARY KEY,
    customer_id INTEGER NOT NULL,
    order_id INTEGER,
    topic TEXT NOT NULL,
    priority TEXT NOT NULL,
    subject TEXT NOT NULL,
    opened_at TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS idempotency_keys (
    idempotency_key TEXT NOT NULL PRIMARY KEY,
    request TEXT NOT NULL,
    body TEXT NOT NULL
  );
`

/** Round sums of cents once, since floating point would show 343.09000000000003. */
const ORDERS = `
  SELECT o.order_id, o.customer_id, c.company_name AS customer_name, o.order_date, o.required_date, o.channel,
    CASE WHEN x.order_id IS NULL THEN o.status ELSE 'cancelled' END AS status,
    l.line_count, l.total
  FROM demo.orders o JOIN demo.customers c USING (customer_id)
  JOIN (SELECT order_id, count(*) AS line_count, round(sum(line_total), 2) AS total FROM demo.order_lines GROUP BY order_id) l
    USING (order_id)
  LEFT JOIN main.cancelled_orders x USING (order_id)`

const CUSTOMERS = `
  SELECT c.customer_id, c.company_name, c.segment, c.city, c.country,
    e.first_name || ' ' || e.last_name AS account_manager, c.payment_terms_days, c.discount_percent, c.customer_since,
    c.is_active
  FROM demo.customers c JOIN demo.employees e ON e.employee_id = c.account_manager_id`

const PRODUCTS = `
  SELECT p.product_id, p.sku, p.name, c.name AS category, top.name AS department, s.company_name AS supplier, p.unit,
    p.list_price, p.units_in_stock, p.reorder_level,
    p.discontinued_on IS NULL AND p.units_in_stock < p.reorder_level AS below_reorder_level, p.discontinued_on
  FROM demo.products p JOIN demo.categories c USING (category_id)
  JOIN demo.categories top ON top.category_id = coalesce(c.parent_category_id, c.category_id)
  JOIN demo.suppliers s USING (supplier_id)`

const INVOICES = `
  SELECT i.invoice_id, i.invoice_number, i.order_id, o.customer_id, c.company_name AS customer_name, i.invoice_date,
    i.due_date, i.subtotal, i.tax_amount, i.total, round(coalesce(p.paid, 0), 2) AS paid,
    round(i.total - coalesce(p.paid, 0), 2) AS balance, i.status,
    i.status <> 'paid' AND i.due_date < '${TODAY}' AS is_overdue
  FROM demo.invoices i JOIN demo.orders o USING (order_id) JOIN demo.customers c USING (customer_id)
  LEFT JOIN (SELECT invoice_id, sum(amount) AS paid FROM demo.payments GROUP BY invoice_id) p USING (invoice_id)`

const SHIPMENTS = `
  SELECT s.shipment_id, s.order_id, o.customer_id, c.company_name AS customer_name, s.carrier, s.tracking_number,
    s.shipped_date, s.delivered_date, o.required_date,
    CASE WHEN s.delivered_date IS NULL THEN 'in_transit' ELSE 'delivered' END AS status,
    coalesce(s.delivered_date, '${TODAY}') > o.required_date AS is_late
  FROM demo.shipments s JOIN demo.orders o USING (order_id) JOIN demo.customers c USING (customer_id)`

const TICKETS = `
  SELECT t.*, c.company_name AS customer_name FROM (
    SELECT ticket_id, customer_id, order_id, topic, priority, status, subject,
      replace(opened_at, ' ', 'T') || 'Z' AS opened_at, replace(closed_at, ' ', 'T') || 'Z' AS closed_at, satisfaction
    FROM demo.support_tickets
    UNION ALL
    SELECT ticket_id, customer_id, order_id, topic, priority, 'open', subject, opened_at, NULL, NULL FROM main.tickets
  ) t JOIN demo.customers c USING (customer_id)`

/** The data including changes made through the API. The views exist for one connection. */
export const VIEWS_SQL = Object.entries({
  orders_now: ORDERS,
  customers_now: CUSTOMERS,
  products_now: PRODUCTS,
  invoices_now: INVOICES,
  shipments_now: SHIPMENTS,
  tickets_now: TICKETS,
})
  .map(([name, sql]) => `CREATE TEMP VIEW ${name} AS ${sql};`)
  .join('\n')
