import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mcpFileSchema } from '../../src/app/config.ts'

it('the file of docs/mcp.md is one, and its table has every field', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8')
  const [, json = ''] = /```json\n([^]*?)```/.exec(text) ?? []
  const { mcpServers } = mcpFileSchema.parse(JSON.parse(json))
  expect(Object.keys(mcpServers)).toEqual(['files', 'tickets'])
  const told = new Set(
    [...text.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names]) => names!.replaceAll('`', '').split(', ')),
  )
  const fields = Object.values(mcpServers).flatMap((server) => Object.keys(server))
  expect(fields.filter((field) => !told.has(field))).toEqual([])
})
