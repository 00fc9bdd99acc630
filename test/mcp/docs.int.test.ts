import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mcpFileSchema } from '../../src/app/config/schema.ts'
import { createMcpWorld, official } from './support.ts'

const page = (): Promise<string> => readFile(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8')

it('the calls of docs/mcp.md work as described, without a model', async () => {
  const text = await page()
  const world = await createMcpWorld()
  try {
    await writeFile(join(world.folder, 'my notes.txt'), 'The rye is sold out.')
    await writeFile(join(world.folder, 'notes.txt'), 'There are 12 orders.')
    const files = {
      command: process.execPath,
      args: [official('filesystem'), '.'],
      cwd: world.folder,
      trustHints: true,
    }
    const app = await world.open({ mcpFiles: [await world.servers({ files })] })
    const asked = [...text.matchAll(/^tutti ask (?:'([^']*)'|"([^"]*)") --mcp mcp\.json$/gm)].map(
      ([, one, other]) => one ?? other!,
    )
    const answers = await Promise.all(asked.map(async (question) => (await app.ask(question)).answer))
    expect(answers).toEqual([
      expect.stringContaining('12'),
      expect.stringContaining('my notes.txt'),
      expect.stringContaining('The rye is sold out.'),
    ])
    const nobody = await app.ask('read weather city=Berlin')
    expect(nobody.answer).toMatch(/the question must say which tool to call|Tools that are connected/)
    expect(nobody.answer).toContain('read_file')
  } finally {
    await world.close()
  }
})

it('the files of docs/mcp.md are valid, and its table has every field', async () => {
  const text = await page()
  const files = [...text.matchAll(/```json\n([^]*?)```/g)].map(([, json]) => mcpFileSchema.parse(JSON.parse(json!)))
  const servers = files.flatMap(({ mcpServers }) => Object.entries(mcpServers))
  expect(servers.map(([name]) => name)).toEqual(['files', 'tickets'])
  const told = new Set(
    [...text.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names]) => names!.replaceAll('`', '').split(', ')),
  )
  const fields = servers.flatMap(([, server]) => Object.keys(server))
  expect(fields.filter((field) => !told.has(field))).toEqual([])
})
