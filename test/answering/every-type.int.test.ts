import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createReader, createTestDatabase } from '../support/postgres.ts'
import type { App } from '../../src/app/user-app.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'

/** Words are found in the data next to a column of any type. */

const adminUrl = inject('postgresUrl')

describe.skipIf(adminUrl === '')(
  'a PostgreSQL database with a column of every type (needs a local installation)',
  () => {
    let app: App
    let types: readonly string[]
    beforeAll(async () => {
      const url = await createTestDatabase(adminUrl)
      const client = new Client({ connectionString: url })
      await client.connect()
      await client.query(`
      CREATE TYPE order_state AS ENUM ('new', 'shipped', 'lost');
      CREATE DOMAIN word AS text;
      CREATE TYPE pair AS (a int, b text);
      CREATE TABLE guests (id int PRIMARY KEY, name text, city varchar, note word, token uuid);
      CREATE TABLE orders (id int PRIMARY KEY, state order_state, guest_id int REFERENCES guests);
      INSERT INTO guests SELECT n, 'guest ' || n, CASE WHEN n % 3 = 0 THEN 'Wien' ELSE 'Graz' END, 'x' FROM generate_series(1, 30) n;
      INSERT INTO orders SELECT n, (ARRAY['new', 'shipped', 'shipped', 'lost'])[n % 4 + 1]::order_state, n FROM generate_series(1, 28) n`)
      const { rows } = await client.query<{ type: string }>(`
      SELECT format_type(t.oid, NULL) AS type FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
      LEFT JOIN pg_type e ON e.oid = t.typelem
      WHERE t.typisdefined AND t.typtype IN ('b', 'e', 'd', 'c', 'r', 'm') AND t.typcategory <> 'P'
        AND coalesce(e.typtype, 'b') NOT IN ('c', 'p')
        AND (n.nspname = 'pg_catalog' AND t.typtype <> 'c' OR t.typname IN ('order_state', 'word', 'pair', '_order_state'))
      ORDER BY 1`)
      types = rows.map(({ type }) => type)
      await client.query(`CREATE TABLE alls (${types.map((type, n) => `c${n} ${type}`).join(', ')})`)
      app = await openConfiguredApp({ env: {}, inMemory: true, databases: [{ url: await createReader(url) }] })
      await client.end()
    })
    afterAll(() => app.close())

    it.each([
      ['How many guests are in Wien?', '10'],
      ['How many guests are in the city Graz?', '20'],
      ['How many orders are shipped?', '14'],
      ['How many orders have state shipped?', '14'],
      ['How many orders are lost?', '7'],
      ['How many orders have no state?', '0'],
      ['How many guests have no token?', '30'],
      ['Number of orders by state', 'shipped'],
    ])('%s', async (question, said) => {
      expect(types.length).toBeGreaterThan(100)
      const { answer, metadata } = await app.ask(question)
      expect([metadata.isAnswered, answer]).toEqual([true, expect.stringMatching(new RegExp(`\\b${said}\\b`))])
    })
  },
)
