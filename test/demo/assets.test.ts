import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { writeDatabase } from '../../scripts/demo/database.ts'
import { writeFreight } from '../../scripts/demo/freight.ts'
import { DEMO_ASSETS, DEMO_FILE_NAME, DEMO_FREIGHT_NAME } from '../../src/app/demo-data.ts'

/** Every table with the statement that creates it and its rows. */
function contentOf(path: string): Record<string, unknown> {
  const database = new Database(path, { readonly: true })
  const rows = (sql: string): unknown[][] => database.prepare(sql).raw().all([]) as unknown[][]
  const tables = rows("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
  const content = tables.map(([name, sql]) => [name, { sql, rows: rows(`SELECT * FROM ${String(name)} ORDER BY 1`) }])
  database.close()
  return Object.fromEntries(content) as Record<string, unknown>
}

it.each([
  [DEMO_FILE_NAME, writeDatabase],
  [DEMO_FREIGHT_NAME, writeFreight],
])('%s in the assets has the rows that npm run demo generates', async (name, write) => {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-demo-'))
  write(join(folder, name))
  expect(contentOf(join(DEMO_ASSETS, name))).toEqual(contentOf(join(folder, name)))
  await rm(folder, { recursive: true })
})
