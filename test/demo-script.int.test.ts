import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { makeDemoData } from '../scripts/demo/data.ts'
import { demoScript } from '../scripts/demo/script.ts'
import { createTestDatabase } from './support/postgres.ts'

const postgresUrl = inject('postgresUrl')

describe.skipIf(postgresUrl === '')('the demo script for PostgreSQL (skipped where no PostgreSQL is installed)', () => {
  it('fills an empty database with the same rows as the SQLite file has', async () => {
    const client = new Client({ connectionString: await createTestDatabase(postgresUrl) })
    await client.connect()
    try {
      await client.query(demoScript('postgres'))
      const data = makeDemoData()
      for (const [name, expected] of Object.entries(data)) {
        const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`)
        expect(rows[0]?.n, name).toBe(expected.length)
      }
      const { rows } = await client.query<{ total: string }>('SELECT sum(total)::text AS total FROM invoices')
      const cents = data.invoices.reduce((sum, invoice) => sum + Math.round(Number(invoice['total']) * 100), 0)
      expect(rows[0]?.total).toBe((cents / 100).toFixed(2))
    } finally {
      await client.end()
    }
  })
})
