import { join } from 'node:path'
import Database from 'libsql'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { demoScript } from '../scripts/demo-script.ts'
import { DEMO_ASSETS, DEMO_FILE_NAME } from '../src/demo/copy.ts'
import { createTestDatabase } from './support/postgres.ts'

const postgresUrl = inject('postgresUrl')

it('the script for MySQL has no time zone in its times', () => {
  expect(demoScript('mysql')).toContain('opened_at DATETIME')
})

describe.skipIf(postgresUrl === '')('the demo script for PostgreSQL (skipped where no PostgreSQL is installed)', () => {
  it('fills an empty database with the rows of the SQLite file', async () => {
    const sqlite = new Database(join(DEMO_ASSETS, DEMO_FILE_NAME), { readonly: true })
    const client = new Client({ connectionString: await createTestDatabase(postgresUrl) })
    await client.connect()
    try {
      await client.query(demoScript('postgres'))
      for (const [sql, value] of sqlite
        .prepare("SELECT 'SELECT count(*) AS n FROM ' || name, name FROM sqlite_master WHERE type = 'table'")
        .raw()
        .all([]) as [string, string][]) {
        const { rows } = await client.query<{ n: string }>(sql)
        expect(rows[0]!.n, value).toBe(String((sqlite.prepare(sql).get([]) as { n: number }).n))
      }
      const { rows } = await client.query<{ total: string }>('SELECT sum(total)::text AS total FROM invoices')
      const total = sqlite.prepare("SELECT format('%.2f', sum(total)) AS total FROM invoices").get([])
      expect(total).toMatchObject(rows[0]!)
    } finally {
      await client.end()
      sqlite.close()
    }
  })
})
