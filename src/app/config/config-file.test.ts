import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configJsonSchema } from './schema.ts'
import { nearest } from '../../shared/nearest.ts'
import { loadConfig } from './config-file.ts'

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
    ['no default export', 'c.mjs', 'export const x = 1', /it has no default export/],
  ])('names the file and %s', async (_name, file, text, message) => {
    await writeFile(join(folder, file), text)
    await expect(loadConfig(folder, file)).rejects.toMatchObject({ code: 'ConfigurationError', message })
  })

  it('is a clear error when it is missing or a directory', async () => {
    await expect(loadConfig(folder, 'none.yaml')).rejects.toThrow('there is no such file')
    await mkdir(join(folder, 'dir'))
    await expect(loadConfig(folder, 'dir')).rejects.toThrow('it is a directory')
    await mkdir(join(folder, 'dir.yaml'))
    await expect(loadConfig(folder, 'dir.yaml')).rejects.toThrow('it is a directory')
  })
})

describe('variables in the configuration file', () => {
  const load = async (file: string, text: string, env: Record<string, string>) => {
    await writeFile(join(folder, file), text)
    return loadConfig(folder, file, env)
  }

  it('are replaced in every string', async () => {
    const text = `
databases: [{ url: 'postgres://u:\${PW}@db/shop', tables: ['\${T}'] }]
mcp: [{ name: '\${T}', command: '\${T}', args: ['--\${T}=\${PW}', '$\${T}'], env: { A: '\${PW}' } }]
apis: [{ catalogue: 'https://\${T}/x', credentials: { a: { key: '\${PW}' } } }]
http: { allowHosts: ['\${T}'] }
mail: { url: 'imaps://\${T}', contacts: { Ann: '\${T}@x' } }
models: { default: '\${T}', actors: { sql: '\${T}' } }
agentFolders: ['\${T}']
`
    const config = await load('c.yaml', text, { PW: 'p:w', T: 'thing' })
    expect(config).toMatchObject({
      databases: [{ url: 'postgres://u:p:w@db/shop', tables: ['thing'] }],
      mcp: [{ name: 'thing', command: 'thing', args: ['--thing=p:w', '${T}'], env: { A: 'p:w' } }],
      apis: [{ catalogue: 'https://thing/x', credentials: { a: { key: 'p:w' } } }],
      http: { allowHosts: ['thing'] },
      mail: { url: 'imaps://thing', contacts: { Ann: 'thing@x' } },
      models: { default: 'thing', actors: { sql: 'thing' } },
      agentFolders: [join(folder, 'thing')],
    })
    const module = `export default { apis: [{ catalogue: 'a', credentials: { a: { token: '\${PW}' } } }] }`
    expect((await load('v.mjs', module, { PW: '${T}' })).apis[0]!.credentials).toEqual({ a: { token: '${T}' } })
  })

  it('become numbers and booleans where the schema requires it', async () => {
    const text = "sandbox: { memoryMb: '${MB}', allowWeakIsolation: '${WEAK}' }\n"
    const { sandbox } = await load('c.yaml', text, { MB: '512', WEAK: 'true' })
    expect(sandbox).toMatchObject({ memoryMb: 512, allowWeakIsolation: true })
    await expect(load('c.yaml', text, { MB: 'much', WEAK: 'true' })).rejects.toThrow(
      'line 1, sandbox.memoryMb: must be a number, not a text.',
    )
    await expect(load('c.yaml', text, { WEAK: 'true' })).rejects.toThrow('needs the environment variable MB')
  })

  it('that are not set are errors with their lines', async () => {
    const text = 'locale: "${A}"\nmail:\n  url: x\n  contacts: { Ann: "${A}-${B}" }\n'
    const error =
      /c\.yaml is not valid: line 1, locale: needs the environment variable A, which is not set; line 4, mail\.contacts\.Ann: .*A.*; line 4, .*variable B/
    await expect(load('c.yaml', text, { A: '' })).rejects.toThrow(error)
  })
})

describe('a mistake in the configuration file', () => {
  it.each([
    [
      'locale: en\ndatabase: []',
      'line 2, database: there is no such field; did you mean "databases"? Allowed are: databases, mcp, mcpServers, apis',
    ],
    [
      'databases:\n  - { url: "sqlite:a", tabels: [] }',
      'line 2, databases.0.tabels: there is no such field; did you mean "tables"? Allowed are: url, name, tables, role, schema',
    ],
    [
      'mcp:\n  - name: a\n    comand: b',
      'line 3, mcp.0.comand: there is no such field; did you mean "command"? Allowed are: name, offers, command, args, env, cwd, reads, trustHints, trusted, description, timeoutMs, url, headers',
    ],
    [
      'models:\n  timeouts:\n    zzz: 1',
      'line 3, models.timeouts.zzz: there is no such field. Allowed are: firstChunkMs, idleMs, totalMs',
    ],
    ['sandbox:\n  memoryMb: many', 'line 2, sandbox.memoryMb: must be a number, not a text.'],
    ['sandbox: { backend: x }', 'line 1, sandbox.backend: must be "pyodide" or "cpython".'],
    ["databases:\n  - url: 'postgres://a:b@d:x/y'", 'line 2, databases.0.url: The database URL is malformed;'],
    ['- url: sqlite:a.db', 'line 1, the configuration must be a map of fields, not a list.'],
    ['locale: [', 'c.yaml cannot be read: line 1: '],
  ])('%j is reported with its line, the nearest field and the allowed fields', async (text, message) => {
    await writeFile(join(folder, 'c.yaml'), text)
    await expect(loadConfig(folder, 'c.yaml')).rejects.toThrow(message)
  })

  it('is compared by spelling', () => {
    expect(nearest('allowhost', ['allowHosts', 'proxyFromEnv'])).toBe('allowHosts')
    expect(nearest('zz', ['allowHosts'])).toBeUndefined()
  })
})

describe('the JSON schema for editors', () => {
  const shipped = async (): Promise<object> =>
    JSON.parse(await readFile(new URL('../../../tutti.config.schema.json', import.meta.url), 'utf8')) as object

  it('is up to date with this version; "npm run schema" writes it, and the package contains it', async () => {
    expect(await shipped()).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
    const { files } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      files: string[]
    }
    expect(files).toContain('tutti.config.schema.json')
  })
})
