/** One table of the demo database. The SQL is the part that SQLite, PostgreSQL and MySQL have in common. */
export interface DemoTable {
  /** Column definitions; the first word is the name. */
  readonly columns: readonly string[]
  /** `column: referenced table`; the referenced column is that table's key. */
  readonly references?: Readonly<Record<string, TableName>>
  readonly checks?: readonly string[]
}

export const TABLE_NAMES = [
  'employees',
  'suppliers',
  'categories',
  'products',
  'customers',
  'contacts',
  'purchase_orders',
  'purchase_order_lines',
  'orders',
  'order_lines',
  'shipments',
  'invoices',
  'payments',
  'returns',
  'support_tickets',
] as const

/** In the order in which they can be filled: a table refers only to itself and to those before it. */
export type TableName = (typeof TABLE_NAMES)[number]

export const TABLES: Readonly<Record<TableName, DemoTable>> = {
  employees: {
    columns: [
      'employee_id INTEGER NOT NULL PRIMARY KEY',
      'first_name VARCHAR(40) NOT NULL',
      'last_name VARCHAR(40) NOT NULL',
      'email VARCHAR(120) NOT NULL UNIQUE',
      'job_title VARCHAR(60) NOT NULL',
      'department VARCHAR(40) NOT NULL',
      'hire_date DATE NOT NULL',
      'manager_id INTEGER',
    ],
    references: { manager_id: 'employees' },
  },
  suppliers: {
    columns: [
      'supplier_id INTEGER NOT NULL PRIMARY KEY',
      'company_name VARCHAR(80) NOT NULL',
      'country VARCHAR(40) NOT NULL',
      'email VARCHAR(120) NOT NULL',
      'lead_time_days INTEGER NOT NULL',
    ],
  },
  categories: {
    columns: [
      'category_id INTEGER NOT NULL PRIMARY KEY',
      'name VARCHAR(40) NOT NULL UNIQUE',
      'parent_category_id INTEGER',
    ],
    references: { parent_category_id: 'categories' },
  },
  products: {
    columns: [
      'product_id INTEGER NOT NULL PRIMARY KEY',
      'sku VARCHAR(12) NOT NULL UNIQUE',
      'name VARCHAR(80) NOT NULL',
      'category_id INTEGER NOT NULL',
      'supplier_id INTEGER NOT NULL',
      'unit VARCHAR(20) NOT NULL',
      'list_price NUMERIC(10,2) NOT NULL',
      'unit_cost NUMERIC(10,2) NOT NULL',
      'units_in_stock INTEGER NOT NULL',
      'reorder_level INTEGER NOT NULL',
      'introduced_on DATE NOT NULL',
      'discontinued_on DATE',
    ],
    references: { category_id: 'categories', supplier_id: 'suppliers' },
    checks: ['units_in_stock >= 0', 'unit_cost < list_price'],
  },
  customers: {
    columns: [
      'customer_id INTEGER NOT NULL PRIMARY KEY',
      'company_name VARCHAR(80) NOT NULL UNIQUE',
      'segment VARCHAR(20) NOT NULL',
      'city VARCHAR(40) NOT NULL',
      'country VARCHAR(40) NOT NULL',
      'account_manager_id INTEGER NOT NULL',
      'payment_terms_days INTEGER NOT NULL',
      'discount_percent INTEGER NOT NULL',
      'customer_since DATE NOT NULL',
      'is_active BOOLEAN NOT NULL',
    ],
    references: { account_manager_id: 'employees' },
  },
  contacts: {
    columns: [
      'contact_id INTEGER NOT NULL PRIMARY KEY',
      'customer_id INTEGER NOT NULL',
      'first_name VARCHAR(40) NOT NULL',
      'last_name VARCHAR(40) NOT NULL',
      'role VARCHAR(40) NOT NULL',
      'email VARCHAR(120) NOT NULL UNIQUE',
      'phone VARCHAR(30) NOT NULL',
      'is_primary BOOLEAN NOT NULL',
    ],
    references: { customer_id: 'customers' },
  },
  purchase_orders: {
    columns: [
      'purchase_order_id INTEGER NOT NULL PRIMARY KEY',
      'supplier_id INTEGER NOT NULL',
      'ordered_by INTEGER NOT NULL',
      'order_date DATE NOT NULL',
      'expected_date DATE NOT NULL',
      'received_date DATE',
      'status VARCHAR(20) NOT NULL',
      'total NUMERIC(12,2) NOT NULL',
    ],
    references: { supplier_id: 'suppliers', ordered_by: 'employees' },
    checks: ["status IN ('ordered', 'received')"],
  },
  purchase_order_lines: {
    columns: [
      'purchase_order_line_id INTEGER NOT NULL PRIMARY KEY',
      'purchase_order_id INTEGER NOT NULL',
      'product_id INTEGER NOT NULL',
      'quantity INTEGER NOT NULL',
      'unit_cost NUMERIC(10,2) NOT NULL',
      'line_total NUMERIC(12,2) NOT NULL',
    ],
    references: { purchase_order_id: 'purchase_orders', product_id: 'products' },
  },
  orders: {
    columns: [
      'order_id INTEGER NOT NULL PRIMARY KEY',
      'customer_id INTEGER NOT NULL',
      'contact_id INTEGER NOT NULL',
      'employee_id INTEGER NOT NULL',
      'order_date DATE NOT NULL',
      'required_date DATE NOT NULL',
      'channel VARCHAR(20) NOT NULL',
      'status VARCHAR(20) NOT NULL',
    ],
    references: { customer_id: 'customers', contact_id: 'contacts', employee_id: 'employees' },
    checks: ["status IN ('open', 'shipped', 'delivered', 'cancelled')"],
  },
  order_lines: {
    columns: [
      'order_line_id INTEGER NOT NULL PRIMARY KEY',
      'order_id INTEGER NOT NULL',
      'product_id INTEGER NOT NULL',
      'quantity INTEGER NOT NULL',
      'unit_price NUMERIC(10,2) NOT NULL',
      'discount_percent INTEGER NOT NULL',
      'line_total NUMERIC(12,2) NOT NULL',
    ],
    references: { order_id: 'orders', product_id: 'products' },
    checks: ['quantity > 0'],
  },
  shipments: {
    columns: [
      'shipment_id INTEGER NOT NULL PRIMARY KEY',
      'order_id INTEGER NOT NULL UNIQUE',
      'carrier VARCHAR(40) NOT NULL',
      'tracking_number VARCHAR(20) NOT NULL UNIQUE',
      'shipped_date DATE NOT NULL',
      'delivered_date DATE',
    ],
    references: { order_id: 'orders' },
    checks: ['delivered_date IS NULL OR delivered_date >= shipped_date'],
  },
  invoices: {
    columns: [
      'invoice_id INTEGER NOT NULL PRIMARY KEY',
      'invoice_number VARCHAR(20) NOT NULL UNIQUE',
      'order_id INTEGER NOT NULL UNIQUE',
      'invoice_date DATE NOT NULL',
      'due_date DATE NOT NULL',
      'subtotal NUMERIC(12,2) NOT NULL',
      'tax_percent INTEGER NOT NULL',
      'tax_amount NUMERIC(12,2) NOT NULL',
      'total NUMERIC(12,2) NOT NULL',
      'status VARCHAR(20) NOT NULL',
    ],
    references: { order_id: 'orders' },
    checks: ["status IN ('paid', 'part_paid', 'unpaid')"],
  },
  payments: {
    columns: [
      'payment_id INTEGER NOT NULL PRIMARY KEY',
      'invoice_id INTEGER NOT NULL',
      'payment_date DATE NOT NULL',
      'amount NUMERIC(12,2) NOT NULL',
      'method VARCHAR(20) NOT NULL',
    ],
    references: { invoice_id: 'invoices' },
    checks: ['amount > 0'],
  },
  returns: {
    columns: [
      'return_id INTEGER NOT NULL PRIMARY KEY',
      'order_line_id INTEGER NOT NULL UNIQUE',
      'return_date DATE NOT NULL',
      'quantity INTEGER NOT NULL',
      'reason VARCHAR(40) NOT NULL',
      'refund_amount NUMERIC(12,2) NOT NULL',
      'restocked BOOLEAN NOT NULL',
    ],
    references: { order_line_id: 'order_lines' },
  },
  support_tickets: {
    columns: [
      'ticket_id INTEGER NOT NULL PRIMARY KEY',
      'customer_id INTEGER NOT NULL',
      'contact_id INTEGER NOT NULL',
      'order_id INTEGER',
      'employee_id INTEGER NOT NULL',
      'opened_at TIMESTAMP NOT NULL',
      'closed_at TIMESTAMP',
      'topic VARCHAR(20) NOT NULL',
      'priority VARCHAR(10) NOT NULL',
      'status VARCHAR(20) NOT NULL',
      'subject VARCHAR(120) NOT NULL',
      'satisfaction INTEGER',
    ],
    references: { customer_id: 'customers', contact_id: 'contacts', order_id: 'orders', employee_id: 'employees' },
    checks: ["status IN ('open', 'closed')", 'satisfaction BETWEEN 1 AND 5'],
  },
}

export function columnNames(table: DemoTable): string[] {
  return table.columns.map((column) => column.split(' ', 1)[0]!)
}

/** The `CREATE TABLE` statement, without a closing semicolon. */
export function createTableSql(name: TableName): string {
  const { columns, references = {}, checks = [] } = TABLES[name]
  const keys = Object.entries(references).map(
    ([column, target]) => `FOREIGN KEY (${column}) REFERENCES ${target} (${columnNames(TABLES[target])[0]})`,
  )
  const parts = [...columns, ...keys, ...checks.map((check) => `CHECK (${check})`)]
  return `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n)`
}
