import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemoFreight, DEMO_FREIGHT_NAME, DEVIATING_INVOICES } from './freight.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-freight-'))
  await createDemoFreight(folder)
})
afterAll(() => rm(folder, { recursive: true }))

it('has 20 invoices, six of which are not as their contracts say', () => {
  const db = new Database(join(folder, DEMO_FREIGHT_NAME), { readonly: true })
  const idsOf = (where: string): string[] =>
    db
      .prepare(
        `SELECT i.invoice_id AS id FROM invoices i LEFT JOIN contracts c USING (contract_id) ${where} ORDER BY 1`,
      )
      .all([])
      .map((row) => (row as { id: string }).id)
  expect(idsOf('')).toHaveLength(20)
  const deviating = idsOf('WHERE c.unit_price IS NOT i.unit_price OR c.currency IS NOT i.currency')
  expect(deviating).toEqual([...DEVIATING_INVOICES])
  expect(deviating).toHaveLength(6)
  db.close()
})

it('is the same each time', async () => {
  const bytes = (): Promise<Buffer> => readFile(join(folder, DEMO_FREIGHT_NAME))
  const before = await bytes()
  await createDemoFreight(folder)
  expect((await bytes()).equals(before)).toBe(true)
})
