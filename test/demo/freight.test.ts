import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { DEVIATING_INVOICES } from '../../scripts/demo/freight.ts'
import { DEMO_ASSETS, DEMO_FREIGHT_NAME } from '../../src/demo/copy.ts'

it('has 20 invoices, six of which deviate from their contracts', () => {
  const db = new Database(join(DEMO_ASSETS, DEMO_FREIGHT_NAME), { readonly: true })
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
