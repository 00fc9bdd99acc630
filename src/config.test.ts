import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-config-'))
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

describe('the configuration file', () => {
  it('is not needed', async () => {
    expect(await loadConfig(folder)).toMatchObject({ databases: [], mcp: [], agents: [], approvals: { allow: [] } })
  })

  it('is found as YAML, JSON or a module', async () => {
    await writeFile(join(folder, 'tutti.config.json'), '{"locale":"de-DE"}')
    expect(await loadConfig(folder)).toMatchObject({ locale: 'de-DE' })
    await writeFile(join(folder, 'tutti.config.yaml'), 'locale: en-IN\ndatabases:\n  - url: sqlite:shop.db\n')
    expect(await loadConfig(folder)).toMatchObject({ locale: 'en-IN', databases: [{ url: 'sqlite:shop.db' }] })
    await writeFile(
      join(folder, 'tutti.config.mjs'),
      `export default { agents: [{ name: 'mine', keywords: [], run: async () => ({}) }] }`,
    )
    expect((await loadConfig(folder)).agents.map((agent) => agent.name)).toEqual(['mine'])
  })

  it.each([
    ['a wrong field', 'c.yaml', 'localle: x', /c\.yaml is not valid: .*localle/],
    ['a wrong value', 'c.yaml', 'approvals: { timeoutMs: -1 }', /approvals\.timeoutMs/],
    ['broken YAML', 'c.yaml', 'a: [1', /c\.yaml cannot be read/],
    ['broken JSON', 'c.json', '{"a"', /c\.json cannot be read/],
    ['no default export', 'c.mjs', 'export const x = 1', /it has no default export/],
    ['a module with a mistake', 'c.mjs', 'export default nothingThere', /nothingThere is not defined/],
  ])('names the file and %s', async (_name, file, text, message) => {
    await writeFile(join(folder, file), text)
    await expect(loadConfig(folder, file)).rejects.toMatchObject({ code: 'ConfigurationError', message })
  })

  it('says so when it is missing or a directory', async () => {
    await expect(loadConfig(folder, 'none.yaml')).rejects.toThrow('there is no such file')
    await mkdir(join(folder, 'dir'))
    await expect(loadConfig(folder, 'dir')).rejects.toThrow('it is a directory')
    await mkdir(join(folder, 'dir.yaml'))
    await expect(loadConfig(folder, 'dir.yaml')).rejects.toThrow('it is a directory')
  })
})
