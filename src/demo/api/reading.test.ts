import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type Json, type TestApi } from '../../../test/fixtures/demo/api/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

const sum = (records: readonly Json[], field: string): number =>
  Math.round(records.reduce((total, record) => total + Number(record[field]) * 100, 0)) / 100

const column = (records: readonly Json[], field: string): unknown[] => records.map((record) => record[field])

describe('orders', () => {
  it('are complete over all pages, with the totals of their lines', async () => {
    const orders = await api.walk('/orders?limit=100')
    const [books] = api.sql('SELECT count(*) AS n FROM orders')
    const [lines] = api.sql('SELECT round(sum(line_total), 2) AS total FROM order_lines')
    expect(orders).toHaveLength(Number(books?.['n']))
    expect(new Set(column(orders, 'order_id')).size).toBe(orders.length)
    expect(sum(orders, 'total')).toBe(lines?.['total'])
  })

  it.each([1, 7, 50, 100])('are paged by %i without gaps or duplicates', async (limit) => {
    const path = '/orders?status=cancelled&sort=largest'
    const whole = await api.walk(`${path}&limit=100`)
    expect(await api.walk(`${path}&limit=${limit}`)).toEqual(whole)
    const { json } = await api.ask(`${path}&limit=${limit}`)
    expect(json['pagination']).toMatchObject({ total_items: 29, total_pages: Math.ceil(29 / limit), limit, page: 1 })
  })

  it('have an empty page after the last', async () => {
    const { status, json } = await api.ask('/orders?page=1000')
    expect(status).toBe(200)
    expect(json).toEqual({
      data: [],
      pagination: { page: 1000, limit: 50, total_items: 954, total_pages: 20, next: null },
    })
  })

  it.each<[query: string, sql: string]>([
    ['status=open', "status = 'open'"],
    ['status=open&min_total=500', "status = 'open' AND total >= 500"],
    ['min_total=9714.89&max_total=9714.89', 'total = 9714.89'],
    ['max_total=99.5', 'total <= 99.5'],
    ['customer_id=57', 'customer_id = 57'],
    ['channel=phone', "channel = 'phone'"],
    ['from=2026-10-01&to=2026-10-15', "order_date BETWEEN '2026-10-01' AND '2026-10-15'"],
  ])('are filtered by %s', async (query, sql) => {
    const found = api.sql(`SELECT order_id FROM (
      SELECT o.*, round(sum(line_total), 2) AS total FROM orders o JOIN order_lines USING (order_id) GROUP BY order_id
    ) WHERE ${sql} ORDER BY order_id`)
    expect(found.length).toBeGreaterThan(0)
    expect(column(await api.walk(`/orders?sort=oldest&limit=100&${query}`), 'order_id').sort(byNumber)).toEqual(
      column(found, 'order_id'),
    )
  })

  it('are sorted as asked', async () => {
    const totals = column(await api.walk('/orders?sort=largest&limit=100'), 'total') as number[]
    expect(totals).toEqual([...totals].sort((a, b) => b - a))
    const days = column(await api.walk('/orders?limit=100'), 'order_date') as string[]
    expect(days).toEqual([...days].sort().reverse())
    expect(column(await api.walk('/orders?sort=smallest&limit=100'), 'total')).toEqual([...totals].reverse())
    expect(column(await api.walk('/orders?sort=oldest&limit=100'), 'order_date')).toEqual([...days].reverse())
  })

  it('have their lines when one is asked for', async () => {
    const { json } = await api.ask('/orders/915')
    const lines = json['lines'] as Json[]
    const rows = api.sql(`SELECT product_id, name AS product_name, quantity, unit_price, l.discount_percent, line_total
      FROM order_lines l JOIN products USING (product_id) WHERE order_id = 915 ORDER BY order_line_id`)
    expect(lines).toEqual(rows)
    expect(json).toMatchObject({ order_id: 915, status: 'open', total: sum(lines, 'line_total'), line_count: 2 })
  })
})

describe('customers', () => {
  it('are those of the database', async () => {
    const names = column(await api.walk('/customers?limit=40'), 'company_name') as string[]
    expect([...names].sort()).toEqual(column(api.sql('SELECT company_name FROM customers'), 'company_name').sort())
    const [active] = api.sql('SELECT count(*) AS n FROM customers WHERE is_active')
    const found = await api.walk('/customers?is_active=true')
    expect(found).toHaveLength(Number(active?.['n']))
    expect(found.every((customer) => customer['is_active'] === true)).toBe(true)
    expect(await api.walk('/customers?is_active=false')).toHaveLength(names.length - found.length)
  })

  it.each(['country', 'segment'])('can be filtered by every existing %s, and no other', async (field) => {
    const values = api.sql(`SELECT ${field} AS value, count(*) AS n FROM customers GROUP BY ${field} ORDER BY ${field}`)
    for (const { value, n } of values) {
      expect(await api.walk(`/customers?${new URLSearchParams({ [field]: String(value) }).toString()}`)).toHaveLength(
        Number(n),
      )
    }
    const { json } = await api.ask(`/customers?${field}=x`)
    const choices = /must be one of (.*)\.$/.exec(String((json['error'] as Json)['message']))?.[1]
    expect(choices?.split(', ').sort()).toEqual(column(values, 'value'))
  })

  it('show contacts and the owed amount', async () => {
    const { json } = await api.ask('/customers/42')
    const [owed] = api.sql(`SELECT round(sum(i.total - coalesce(paid, 0)), 2) AS balance
      FROM invoices i JOIN orders USING (order_id)
      LEFT JOIN (SELECT invoice_id, sum(amount) AS paid FROM payments GROUP BY invoice_id) USING (invoice_id)
      WHERE customer_id = 42`)
    const [orders] = api.sql("SELECT count(*) AS n FROM orders WHERE customer_id = 42 AND status <> 'cancelled'")
    expect(json).toMatchObject({ customer_id: 42, unpaid_balance: owed?.['balance'], order_count: orders?.['n'] })
    const people = api.sql('SELECT email FROM contacts WHERE customer_id = 42 ORDER BY is_primary DESC, contact_id')
    expect(column(json['contacts'] as Json[], 'email')).toEqual(column(people, 'email'))
    expect((json['contacts'] as Json[])[0]).toMatchObject({ is_primary: true })
  })
})

describe('products', () => {
  it('are found by each category, at either level', async () => {
    const categories = api.sql(`SELECT c.name, (SELECT count(*) FROM products p JOIN categories own USING (category_id)
      WHERE c.category_id IN (own.category_id, own.parent_category_id)) AS n FROM categories c`)
    expect(categories).toHaveLength(14)
    for (const { name, n } of categories) {
      const found = await api.walk(`/products?${new URLSearchParams({ category: String(name) }).toString()}`)
      expect(found.length, String(name)).toBe(n)
    }
  })

  it('are found by stock', async () => {
    const low = await api.walk('/products?category=Coffee&below_reorder_level=true')
    expect(column(low, 'name')).toContain('Morning Filter')
    expect(low).toHaveLength(7)
    const all = await api.walk('/products?limit=100')
    const [books] = api.sql('SELECT count(*) AS n, sum(units_in_stock) AS units FROM products')
    expect([all.length, sum(all, 'units_in_stock')]).toEqual([books?.['n'], books?.['units']])
    const others = await api.walk('/products?below_reorder_level=false')
    expect(others).toHaveLength(all.length - (await api.walk('/products?below_reorder_level=true')).length)
    const gone = await api.walk('/products?is_discontinued=true')
    expect(gone.every((product) => product['discontinued_on'] !== null)).toBe(true)
    expect(gone.length + (await api.walk('/products?is_discontinued=false')).length).toBe(all.length)
  })
})

describe('invoices', () => {
  it('match the sums of the database, and the payments', async () => {
    const invoices = await api.walk('/invoices?limit=100')
    const [books] = api.sql('SELECT count(*) AS n, round(sum(total), 2) AS total FROM invoices')
    const [paid] = api.sql('SELECT round(sum(amount), 2) AS paid FROM payments')
    expect([invoices.length, sum(invoices, 'total'), sum(invoices, 'paid')]).toEqual([
      books?.['n'],
      books?.['total'],
      paid?.['paid'],
    ])
  })

  it('are overdue when they were due before the last day of the books', async () => {
    const rows = api.sql(
      "SELECT invoice_id FROM invoices WHERE status <> 'paid' AND due_date < '2026-10-31' ORDER BY due_date, invoice_id",
    )
    const overdue = await api.walk('/invoices?overdue=true&limit=3')
    expect(column(overdue, 'invoice_id')).toEqual(column(rows, 'invoice_id'))
    expect(overdue.every((invoice) => Number(invoice['balance']) > 0 && invoice['is_overdue'] === true)).toBe(true)
  })

  it.each(['status=part_paid', 'customer_id=42', 'from=2026-10-01', 'to=2023-12-31'])(
    'are filtered by %s',
    async (query) => {
      const [field, value] = query.split('=') as [string, string]
      const condition =
        { from: 'invoice_date >= ?', to: 'invoice_date <= ?', status: 'i.status = ?' }[field] ?? `${field} = ?`
      const rows = api.sql(
        `SELECT invoice_id FROM invoices i JOIN orders USING (order_id) WHERE ${condition} ORDER BY due_date, invoice_id`,
        /^\d+$/.test(value) ? Number(value) : value,
      )
      expect(rows.length).toBeGreaterThan(0)
      expect(column(await api.walk(`/invoices?limit=100&${query}`), 'invoice_id')).toEqual(column(rows, 'invoice_id'))
    },
  )
})

describe('shipments', () => {
  it('are found by status, lateness and order', async () => {
    const count = (sql: string) =>
      api.sql(`SELECT count(*) AS n FROM shipments JOIN orders USING (order_id) WHERE ${sql}`)
    const late = "coalesce(delivered_date, '2026-10-31') > required_date"
    expect(await api.walk('/shipments?late=true&limit=100')).toHaveLength(Number(count(late)[0]?.['n']))
    expect(await api.walk('/shipments?status=in_transit')).toHaveLength(9)
    const delivered = await api.walk('/shipments?status=delivered&late=false&limit=100')
    expect(delivered).toHaveLength(Number(count(`delivered_date IS NOT NULL AND NOT ${late}`)[0]?.['n']))
    const [one, ...others] = await api.walk('/shipments?order_id=942')
    expect(others).toEqual([])
    expect(one).toMatchObject({ shipment_id: 904, customer_id: 90, delivered_date: null, status: 'in_transit' })
    expect(await api.walk('/shipments?customer_id=90')).toContainEqual(one)
  })
})

describe('tickets', () => {
  it('are those of the database', async () => {
    const tickets = await api.walk('/tickets?limit=100')
    expect(tickets).toHaveLength(303)
    expect(tickets[0]).toMatchObject({ opened_at: '2026-10-30T12:13:38Z', closed_at: null, order_id: 918 })
    expect((await api.ask('/tickets/303')).json).toEqual(tickets[0])
  })

  it.each(['topic', 'priority', 'status', 'customer_id', 'order_id'])('are filtered by %s', async (field) => {
    const [most] = api.sql(`SELECT ${field} AS value, count(*) AS n FROM support_tickets WHERE ${field} IS NOT NULL
      GROUP BY 1 ORDER BY 2 LIMIT 1`)
    expect(await api.walk(`/tickets?limit=100&${field}=${String(most?.['value'])}`)).toHaveLength(Number(most?.['n']))
  })
})

function byNumber(a: unknown, b: unknown): number {
  return Number(a) - Number(b)
}
