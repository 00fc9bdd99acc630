import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { writeDatabase } from '../../scripts/demo/database.ts'
import { writeFreight } from '../../scripts/demo/freight.ts'
import { makeMailFiles } from '../../scripts/demo/mailbox/files.ts'
import { DEMO_ASSETS, DEMO_FILE_NAME, DEMO_FREIGHT_NAME, DEMO_MAILBOX_NAME } from '../../src/demo/copy.ts'

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

it('the mailbox in the assets has the mails that npm run demo generates', async () => {
  const folder = join(DEMO_ASSETS, DEMO_MAILBOX_NAME)
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const shipped = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(folder, path), await readFile(path, 'utf8')] as const
    }),
  )
  expect(Object.fromEntries(shipped)).toEqual(Object.fromEntries(makeMailFiles()))
})
