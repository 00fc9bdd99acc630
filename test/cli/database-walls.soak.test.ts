// Soak test: asks through the command line as roles with different rights.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createReader, createTestDatabase } from '../support/postgres.ts'
import { createCliWorld } from './support.ts'
import { openForAll } from '../support/opened.ts'

const postgresUrl = inject('postgresUrl')

describe.skipIf(postgresUrl === '')('a PostgreSQL database (needs PostgreSQL on this machine)', () => {
  const world = openForAll(() => createCliWorld())
  let superuser: string
  let reader: string

  beforeAll(async () => {
    superuser = await createTestDatabase(postgresUrl)
    const client = new Client({ connectionString: superuser })
    await client.connect()
    await client.query(`
      CREATE TABLE customers (customer_id int PRIMARY KEY, name text NOT NULL, country text NOT NULL);
      CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers,
        placed date NOT NULL, total numeric(10, 2) NOT NULL);
      INSERT INTO customers VALUES (1, 'Ada', 'Ireland'), (2, 'Bea', 'Ireland'), (3, '田中', 'Japan');
      INSERT INTO orders VALUES (1, 1, '2024-01-05', 10.5), (2, 1, '2024-02-05', 4.5), (3, 3, '2024-02-06', 100);
      ANALYZE`)
    await client.end()
    reader = await createReader(superuser)
  })

  it.each([
    ['How many customers are there?'],
    ['Which customers have the most orders?'],
    ['Total of orders by country'],
    ['Number of orders per month in 2024'],
    ['How many customers are in Ireland?'],
    ['How many orders were placed between 2024-02-01 and 2024-02-28?'],
  ])('answers "%s" as a read-only role, with all walls', async (question) => {
    const { code, out } = await world.run(['ask', question, '--json', '--db', `shop=${reader}`])
    expect(code).toBe(0)
    const { data } = JSON.parse(out) as { data: { rows: unknown[] } }
    expect(data.rows.length).toBeGreaterThan(0)
  })

  it('is refused for a superuser with a fix, and doctor reports the same', async () => {
    const asked = await world.run(['ask', 'How many customers are there?', '--db', `shop=${superuser}`])
    expect(asked.code).not.toBe(0)
    const { code, out } = await world.run(['doctor', '--db', `shop=${superuser}`])
    expect(code).toBe(3)
    expect(out).toMatch(/is a superuser.*CREATE ROLE.*GRANT USAGE.*GRANT SELECT.*"allowSuperuser: true"/)
    expect(asked.out + asked.err).toContain('allowSuperuser: true')
  })

  it('is read by a superuser when the operator allows it, and doctor lists the missing walls', async () => {
    const config = join(world.folder, 'superuser.yaml')
    await writeFile(config, `databases:\n  - url: ${superuser}\n    name: shop\n    allowSuperuser: true\n`)
    const asked = await world.run(['ask', 'How many customers are there?', '--json', '--config', config])
    expect(JSON.parse(asked.out)).toMatchObject({ data: { rows: [{ number_of_customers: 3 }] } })
    const { code, out } = await world.run(['doctor', '--config', config])
    expect(code).toBe(0)
    expect(out).toContain("protections in place: gate, server's reading, read-only transaction, limits")
    expect(out).toContain('but the user "postgres" is a superuser, so its rights are no wall')
    expect(out).toMatch(/CREATE ROLE .+\n +GRANT USAGE .+\n +GRANT SELECT /)
  })

  it('compares the tables of the configuration with those that the server would read', async () => {
    const config = join(world.folder, 'tables.yaml')
    await writeFile(config, `databases:\n  - url: ${reader}\n    name: shop\n    tables: [customers]\n`)
    const tables = await world.run(['db', 'tables', '--config', config])
    expect(tables.out).toContain('customers')
    expect(tables.out).not.toContain('orders')
  })
})
