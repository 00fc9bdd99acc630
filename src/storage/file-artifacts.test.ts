import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FileArtifacts } from './file-artifacts.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-artifacts-'))
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

const file = (name: string, text: string) => ({ name, mediaType: 'text/plain', bytes: new TextEncoder().encode(text) })

it('keeps a file in full, and the same content once', async () => {
  const artifacts = new FileArtifacts(join(folder, 'artifacts'))
  const path = await artifacts.keep(file('orders.json', '[1]'))
  expect(await readFile(path, 'utf8')).toBe('[1]')
  expect(await artifacts.keep(file('orders.json', '[1]'))).toBe(path)
  expect(await artifacts.keep(file('orders.json', '[2]'))).not.toBe(path)
  expect(await readdir(join(folder, 'artifacts'))).toHaveLength(2)
})

it.each(['../../evil', '/etc/passwd', '..', '', 'a/b\\c\0d', '.hidden', 'x'.repeat(500)])(
  'does not let %j out',
  async (name) => {
    const path = await new FileArtifacts(folder).keep(file(name, 'x'))
    expect(dirname(path)).toBe(folder)
    expect(await readdir(folder)).toHaveLength(1)
  },
)
