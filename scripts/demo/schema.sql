-- The tables of the demo database in the SQL that SQLite, PostgreSQL and MySQL have in common. A table refers only to itself and to
-- earlier ones.
CREATE TABLE employees (
  employee_id INTEGER NOT NULL PRIMARY KEY,
  first_name VARCHAR(40) NOT NULL,
  last_name VARCHAR(40) NOT NULL,
  email VARCHAR(120) NOT NULL UNIQUE,
  job_title VARCHAR(60) NOT NULL,
  department VARCHAR(40) NOT NULL,
  hire_date DATE NOT NULL,
  manager_id INTEGER,
  FOREIGN KEY (manager_id) REFERENCES employees (employee_id)
);

CREATE TABLE suppliers (
  supplier_id INTEGER NOT NULL PRIMARY KEY,
  company_name VARCHAR(80) NOT NULL,
  country VARCHAR(40) NOT NULL,
  email VARCHAR(120) NOT NULL,
  lead_time_days INTEGER NOT NULL
);

CREATE TABLE categories (
  category_id INTEGER NOT NULL PRIMARY KEY,
  name VARCHAR(40) NOT NULL UNIQUE,
  parent_category_id INTEGER,
  FOREIGN KEY (parent_category_id) REFERENCES categories (category_id)
);

CREATE TABLE products (
  product_id INTEGER NOT NULL PRIMARY KEY,
  sku VARCHAR(12) NOT NULL UNIQUE,
  name VARCHAR(80) NOT NULL,
  category_id INTEGER NOT NULL,
  supplier_id INTEGER NOT NULL,
  unit VARCHAR(20) NOT NULL,
  list_price NUMERIC(10,2) NOT NULL,
  unit_cost NUMERIC(10,2) NOT NULL,
  units_in_stock INTEGER NOT NULL,
  reorder_level INTEGER NOT NULL,
  introduced_on DATE NOT NULL,
  discontinued_on DATE,
  FOREIGN KEY (category_id) REFERENCES categories (category_id),
  FOREIGN KEY (supplier_id) REFERENCES suppliers (supplier_id),
  CHECK (units_in_stock >= 0),
  CHECK (unit_cost < list_price)
);

CREATE TABLE customers (
  customer_id INTEGER NOT NULL PRIMARY KEY,
  company_name VARCHAR(80) NOT NULL UNIQUE,
  segment VARCHAR(20) NOT NULL,
  city VARCHAR(40) NOT NULL,
  country VARCHAR(40) NOT NULL,
  account_manager_id INTEGER NOT NULL,
  payment_terms_days INTEGER NOT NULL,
  discount_percent INTEGER NOT NULL,
  customer_since DATE NOT NULL,
  is_active BOOLEAN NOT NULL,
  FOREIGN KEY (account_manager_id) REFERENCES employees (employee_id)
);

CREATE TABLE contacts (
  contact_id INTEGER NOT NULL PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  first_name VARCHAR(40) NOT NULL,
  last_name VARCHAR(40) NOT NULL,
  role VARCHAR(40) NOT NULL,
  email VARCHAR(120) NOT NULL UNIQUE,
  phone VARCHAR(30) NOT NULL,
  is_primary BOOLEAN NOT NULL,
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id)
);

CREATE TABLE purchase_orders (
  purchase_order_id INTEGER NOT NULL PRIMARY KEY,
  supplier_id INTEGER NOT NULL,
  ordered_by INTEGER NOT NULL,
  order_date DATE NOT NULL,
  expected_date DATE NOT NULL,
  received_date DATE,
  status VARCHAR(20) NOT NULL,
  total NUMERIC(12,2) NOT NULL,
  FOREIGN KEY (supplier_id) REFERENCES suppliers (supplier_id),
  FOREIGN KEY (ordered_by) REFERENCES employees (employee_id),
  CHECK (status IN ('ordered', 'received'))
);

CREATE TABLE purchase_order_lines (
  purchase_order_line_id INTEGER NOT NULL PRIMARY KEY,
  purchase_order_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  unit_cost NUMERIC(10,2) NOT NULL,
  line_total NUMERIC(12,2) NOT NULL,
  FOREIGN KEY (purchase_order_id) REFERENCES purchase_orders (purchase_order_id),
  FOREIGN KEY (product_id) REFERENCES products (product_id)
);

CREATE TABLE orders (
  order_id INTEGER NOT NULL PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  contact_id INTEGER NOT NULL,
  employee_id INTEGER NOT NULL,
  order_date DATE NOT NULL,
  required_date DATE NOT NULL,
  channel VARCHAR(20) NOT NULL,
  status VARCHAR(20) NOT NULL,
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id),
  FOREIGN KEY (contact_id) REFERENCES contacts (contact_id),
  FOREIGN KEY (employee_id) REFERENCES employees (employee_id),
  CHECK (status IN ('open', 'shipped', 'delivered', 'cancelled'))
);

CREATE TABLE order_lines (
  order_line_id INTEGER NOT NULL PRIMARY KEY,
  order_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  unit_price NUMERIC(10,2) NOT NULL,
  discount_percent INTEGER NOT NULL,
  line_total NUMERIC(12,2) NOT NULL,
  FOREIGN KEY (order_id) REFERENCES orders (order_id),
  FOREIGN KEY (product_id) REFERENCES products (product_id),
  CHECK (quantity > 0)
);

CREATE TABLE shipments (
  shipment_id INTEGER NOT NULL PRIMARY KEY,
  order_id INTEGER NOT NULL UNIQUE,
  carrier VARCHAR(40) NOT NULL,
  tracking_number VARCHAR(20) NOT NULL UNIQUE,
  shipped_date DATE NOT NULL,
  delivered_date DATE,
  FOREIGN KEY (order_id) REFERENCES orders (order_id),
  CHECK (delivered_date IS NULL OR delivered_date >= shipped_date)
);

CREATE TABLE invoices (
  invoice_id INTEGER NOT NULL PRIMARY KEY,
  invoice_number VARCHAR(20) NOT NULL UNIQUE,
  order_id INTEGER NOT NULL UNIQUE,
  invoice_date DATE NOT NULL,
  due_date DATE NOT NULL,
  subtotal NUMERIC(12,2) NOT NULL,
  tax_percent INTEGER NOT NULL,
  tax_amount NUMERIC(12,2) NOT NULL,
  total NUMERIC(12,2) NOT NULL,
  status VARCHAR(20) NOT NULL,
  FOREIGN KEY (order_id) REFERENCES orders (order_id),
  CHECK (status IN ('paid', 'part_paid', 'unpaid'))
);

CREATE TABLE payments (
  payment_id INTEGER NOT NULL PRIMARY KEY,
  invoice_id INTEGER NOT NULL,
  payment_date DATE NOT NULL,
  amount NUMERIC(12,2) NOT NULL,
  method VARCHAR(20) NOT NULL,
  FOREIGN KEY (invoice_id) REFERENCES invoices (invoice_id),
  CHECK (amount > 0)
);

CREATE TABLE returns (
  return_id INTEGER NOT NULL PRIMARY KEY,
  order_line_id INTEGER NOT NULL UNIQUE,
  return_date DATE NOT NULL,
  quantity INTEGER NOT NULL,
  reason VARCHAR(40) NOT NULL,
  refund_amount NUMERIC(12,2) NOT NULL,
  restocked BOOLEAN NOT NULL,
  FOREIGN KEY (order_line_id) REFERENCES order_lines (order_line_id)
);

CREATE TABLE support_tickets (
  ticket_id INTEGER NOT NULL PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  contact_id INTEGER NOT NULL,
  order_id INTEGER,
  employee_id INTEGER NOT NULL,
  opened_at TIMESTAMP NOT NULL,
  closed_at TIMESTAMP,
  topic VARCHAR(20) NOT NULL,
  priority VARCHAR(10) NOT NULL,
  status VARCHAR(20) NOT NULL,
  subject VARCHAR(120) NOT NULL,
  satisfaction INTEGER,
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id),
  FOREIGN KEY (contact_id) REFERENCES contacts (contact_id),
  FOREIGN KEY (order_id) REFERENCES orders (order_id),
  FOREIGN KEY (employee_id) REFERENCES employees (employee_id),
  CHECK (status IN ('open', 'closed')),
  CHECK (satisfaction BETWEEN 1 AND 5)
);
