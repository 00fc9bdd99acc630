// Soak test: copies and restores whole data folders in processes of their own.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { official } from '../mcp/support.ts'
import { startServed } from '../support/served.ts'

/** The paths of all files below a folder, without the side files of an open database. */
async function filesIn(folder: string): Promise<string[]> {
  // SQLite may delete its side files in the meantime.
  const found = (await readdir(folder, { recursive: true })).filter((path) => !/-(?:wal|shm)$/.test(path))
  const files = await Promise.all(found.map(async (path) => (await stat(join(folder, path))).isFile()))
  return found.filter((_, at) => files[at])
}

it('a backup contains every file of the data folder, or names it, with the reason in the manual', async () => {
  const served = await startServed()
  const { world, url } = served
  const { dataDir, folder } = world
  const done = async (args: readonly string[], data = dataDir, expected = 0): Promise<string> => {
    const { code, out, err } = await world.run(args, { env: { TUTTI_DATA: data } })
    expect(code, `${args.join(' ')}: ${err}`).toBe(expected)
    return out
  }
  try {
    const connected = await fetch(`${url}/setup/database`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'shop', address: `sqlite:${join(folder, 'shop.sqlite')}` }),
    })
    expect(connected.status, await connected.text()).toBe(200)
    await writeFile(join(folder, 'leave.md'), '# Leave\n\nEverybody has 25 days of leave.\n')
    await done(['docs', 'add', 'leave.md'])
    // A passage alone does not count as an answer.
    await done(['ask', 'How many days of leave?', '--docs', 'leave.md', '--context', 'api_token=planted-1'], dataDir, 5)
    const files = { command: process.execPath, args: [official('filesystem'), '.'], trustHints: true }
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { files } }))
    await done(['mcp', 'list', '--mcp', 'mcp.json'])
    await done(['doctor'])

    const backup = join(folder, 'backup')
    const { holds, lacks } = JSON.parse(await done(['backup', backup, '--json'])) as Record<'holds' | 'lacks', string[]>
    const manual = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'cli.md'), 'utf8')
    const [, section] = manual.split('## Backup and restore')
    expect(lacks.filter((name) => !section!.includes(`\`${name}\``))).toEqual([])
    const there = await filesIn(dataDir)
    expect(there).toEqual(expect.arrayContaining(['setup.json', 'secret.key', 'run-documents.db']))
    expect(there).toContainEqual(expect.stringMatching(/^mcp\/\w+\.json$/))
    const inBackup = await filesIn(backup)
    const meant = there.filter((path) => !lacks.includes(path.split('/')[0]!))
    expect(meant.filter((path) => !inBackup.includes(path))).toEqual([])
    for (const path of meant.filter((one) => !one.endsWith('.db')))
      expect((await readFile(join(backup, path))).equals(await readFile(join(dataDir, path))), path).toBe(true)
    expect(holds.filter((name) => lacks.includes(name))).toEqual([])

    const elsewhere = join(folder, 'elsewhere')
    await done(['restore', backup], elsewhere)
    expect((await filesIn(elsewhere)).sort()).toEqual(inBackup.filter((path) => path !== 'tutti-backup.json').sort())
    expect(await done(['ask', 'How many customers are there?'], elsewhere)).toContain('3')
  } finally {
    await served.close()
  }
}, 240_000)
