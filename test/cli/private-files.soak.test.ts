// Soak test: starts a process per command.
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { keepPrivate } from '../../src/app/backup.ts'

const ROOT = join(import.meta.dirname, '..', '..')

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tutti-private-')))
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

/** Runs a command in a shell with umask 0. */
function tutti(...args: string[]): void {
  tuttiWith({}, ...args)
}

function tuttiWith(env: Readonly<Record<string, string>>, ...args: string[]): void {
  const main = join(inject('dist'), 'cli', 'main.js')
  const { status, stderr } = spawnSync('sh', ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, main, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: folder, TUTTI_DATA: join(folder, 'data'), ...env },
    encoding: 'utf8',
  })
  // Exit code 5: passages without an answer.
  expect([0, 5], stderr).toContain(status)
}

it('other files in the data folder stay unchanged', async () => {
  const data = join(folder, 'project')
  await mkdir(join(data, 'bin'), { recursive: true })
  const own = [join(data, 'bin'), join(data, 'bin', 'run.sh')]
  await writeFile(own[1]!, '#!/bin/sh\n')
  for (const path of [data, ...own]) await chmod(path, 0o755)
  await keepPrivate(data)
  expect((await stat(data)).mode & 0o777).toBe(0o755)
  await writeFile(join(data, 'tutti.db'), '', { mode: 0o644 })
  await keepPrivate(data)
  expect((await modes(data)).map((line) => line.replace(data, '.')).sort()).toEqual([
    '600 file ./tutti.db',
    '700 folder .',
    '755 file ./bin/run.sh',
    '755 folder ./bin',
  ])
})

it.each(['cache', 'artifacts'])('a project with a folder %s is not mistaken for a data folder', async (name) => {
  const script = join(folder, 'project', name, 'run.sh')
  await mkdir(dirname(script), { recursive: true })
  await writeFile(script, '#!/bin/sh\n')
  for (const path of [join(folder, 'project'), dirname(script), script]) await chmod(path, 0o755)
  await keepPrivate(join(folder, 'project'))
  expect((await modes(join(folder, 'project'))).filter((line) => !line.startsWith('755 '))).toEqual([])
  // Nor is what its owner runs there broken once it is one.
  await writeFile(join(folder, 'project', 'tutti.db'), '', { mode: 0o644 })
  await keepPrivate(join(folder, 'project'))
  expect((await modes(join(folder, 'project'))).map((line) => line.split(' ')[0]).sort()).toEqual([
    '600',
    '700',
    '700',
    '700',
  ])
})

it.each([
  ['a data folder that a link leads to', 0o700, '', 'link'],
  ['a home that is named with a slash', 0o755, 'data/', 'data'],
  ['a home that a link leads to', 0o755, 'link', 'data'],
  ['a home that is named by a link', 0o755, 'data', 'link'],
])(
  'the rights of %s',
  async (_, mode, home, named) => {
    const data = join(folder, 'data')
    await mkdir(data)
    await writeFile(join(data, 'tutti.db'), '')
    await symlink(data, join(folder, 'link'))
    await chmod(data, 0o755)
    tuttiWith({ HOME: join(folder, home), TUTTI_DATA: join(folder, named) }, 'runs', 'list')
    expect((await stat(data)).mode & 0o777).toBe(mode)
  },
  60_000,
)

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

it.each(['new', 'open to all before'])(
  'everything in a data folder that was %s is readable only by this user',
  async (how) => {
    const data = join(folder, 'data')
    if (how !== 'new') {
      await mkdir(join(data, 'artifacts', 'local'), { recursive: true })
      await writeFile(join(data, 'artifacts', 'local', 'old.txt'), 'x')
      await writeFile(join(data, 'tutti.db'), '')
      await writeFile(join(data, 'knowledge.db'), '')
      for (const path of [data, join(data, 'artifacts'), join(data, 'artifacts', 'local')]) await chmod(path, 0o755)
      for (const name of ['tutti.db', 'knowledge.db', 'artifacts/local/old.txt']) await chmod(join(data, name), 0o644)
    }
    await writeFile(join(folder, 'note.md'), '# Holiday\n\nThere are 27 days of holiday.\n')
    await writeFile(join(folder, 'a.py'), 'result = 1\n')
    tutti(
      'ask',
      'How many days of holiday?',
      '--docs',
      join(folder, 'note.md'),
      '--context',
      'api_token=planted-secret-1',
    )
    tutti('docs', 'add', join(folder, 'note.md'))
    tutti('python', 'run', join(folder, 'a.py'))
    tutti('backup', join(folder, 'backup'))
    const found = [...(await modes(data)), ...(await modes(join(folder, 'backup')))]
    expect(found.filter((line) => !/^(?:600 file|700 folder) /.test(line))).toEqual([])
    for (const name of ['tutti.db', 'knowledge.db', 'run-documents.db', 'secret.key', 'cache'])
      expect(found.join('\n')).toContain(join(data, name))
  },
  240_000,
)

describe.skipIf(!('enableCompileCache' in module))('compiled code (Node.js 22 and newer)', () => {
  let cache: string
  beforeEach(async () => {
    cache = join(folder, 'cache', 'tutti')
    await mkdir(cache, { recursive: true, mode: 0o700 })
  })

  it('is stored where no other user may write', async () => {
    tutti('--help')
    expect((await modes(join(folder, '.cache', 'tutti')))[0]).toMatch(/^700 /)
    expect((await readdir(join(folder, '.cache', 'tutti'))).length).toBe(1)
  })

  it.each<[string, () => Promise<string>]>([
    ['that others may write', async () => (await chmod(cache, 0o777), cache)],
    ['that a link leads to', async () => (await symlink(cache, join(folder, 'tutti')), join(folder, 'tutti'))],
    ['below a link', async () => (await symlink(dirname(cache), join(folder, 'up')), join(folder, 'up', 'tutti'))],
    ['below the working directory', async () => relative(ROOT, cache)],
  ])('is not stored in a folder %s', async (_, made) => {
    tuttiWith({ XDG_CACHE_HOME: dirname(await made()) }, '--help')
    expect(await readdir(cache)).toEqual([])
  })

  it.skipIf(process.getuid?.() !== 0).each(['cache/tutti', 'cache'])(
    'is not stored where another user owns %s (needs root)',
    async (path) => {
      await chown(join(folder, path), 65_534, 65_534)
      tuttiWith({ XDG_CACHE_HOME: dirname(cache) }, '--help')
      expect(await readdir(cache)).toEqual([])
    },
  )
})
