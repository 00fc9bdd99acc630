// Soak test: starts a process per command.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tutti-private-')))
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

/** Runs a command in a shell with umask 0. */
function tutti(...args: string[]): void {
  const main = join(inject('dist'), 'cli', 'main.js')
  const { status, stderr } = spawnSync('sh', ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, main, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: folder, TUTTI_DATA: join(folder, 'data') },
    encoding: 'utf8',
  })
  // Exit code 5: passages without an answer.
  expect([0, 5], stderr).toContain(status)
}

async function modes(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const all = await Promise.all(
    entries.map(async (entry) => {
      const at = join(entry.parentPath, entry.name)
      return `${((await stat(at)).mode & 0o777).toString(8)} ${entry.isDirectory() ? 'folder' : 'file'} ${at}`
    }),
  )
  return [`${((await stat(path)).mode & 0o777).toString(8)} folder ${path}`, ...all]
}

it('everything in a new data folder is readable only by this user', async () => {
  const data = join(folder, 'data')
  await writeFile(join(folder, 'note.md'), '# Holiday\n\nThere are 27 days of holiday.\n')
  tutti(
    'ask',
    'How many days of holiday?',
    '--docs',
    join(folder, 'note.md'),
    '--context',
    'api_token=planted-secret-1',
  )
  tutti('docs', 'add', join(folder, 'note.md'))
  tutti('doctor')
  tutti('backup', join(folder, 'backup'))
  const found = [...(await modes(data)), ...(await modes(join(folder, 'backup')))]
  expect(found.filter((line) => !/^(?:600 file|700 folder) /.test(line))).toEqual([])
  for (const name of ['tutti.db', 'knowledge.db', 'run-documents.db', 'secret.key', 'cache'])
    expect(found.join('\n')).toContain(join(data, name))
}, 240_000)
