import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { openDatabase, type Database } from '../src/databases/database.ts'
import { createReader, createTestDatabase } from '../test/support/postgres.ts'
import { median } from './measure.ts'

const QUERIES = {
  least: 'SELECT 1',
  small: 'SELECT count(*) FROM sale',
  usual: `SELECT c.country, date_trunc('month', s.day) AS month, sum(s.amount), avg(s.amount), count(*) FILTER (WHERE s.amount > 5)
    FROM sale s JOIN customer c ON c.id = s.customer GROUP BY 1, 2 HAVING count(*) > 1 ORDER BY 3 DESC LIMIT 10`,
}
const ROUNDS = 100

export interface WordCost {
  readonly query: string
  readonly withoutMs: number
  readonly withMs: number
}

/** What it costs to ask PostgreSQL what a query would use before it runs: the same queries on 50,000 rows, by turns. */
export async function serverWordCosts(adminUrl: string): Promise<WordCost[]> {
  const url = await createTestDatabase(adminUrl)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    CREATE TABLE customer (id int PRIMARY KEY, country text);
    CREATE TABLE sale (id int PRIMARY KEY, customer int, day date, amount numeric);
    INSERT INTO customer SELECT i, 'country ' || i % 20 FROM generate_series(1, 1000) i;
    INSERT INTO sale SELECT i, 1 + i % 1000, '2024-01-01'::date + i % 700, i % 97 FROM generate_series(1, 50000) i;
    ANALYZE`)
  await client.end()
  const address = await createReader(url)
  const open = (serverCheck: boolean): Database => openDatabase(address, { name: randomUUID(), serverCheck })
  const both = [open(false), open(true)] as const
  try {
    const costs: WordCost[] = []
    for (const [query, sql] of Object.entries(QUERIES)) {
      const times: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [i, database] of both.entries()) {
          const start = performance.now()
          await database.query(sql)
          times[i]!.push(performance.now() - start)
        }
      }
      costs.push({ query, withoutMs: median(times[0]), withMs: median(times[1]) })
    }
    return costs
  } finally {
    await Promise.all(both.map((database) => database.close()))
  }
}
