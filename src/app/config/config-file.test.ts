import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configJsonSchema } from './schema.ts'
import { loadConfig } from './config-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-config-'))
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

describe('the configuration file', () => {
  it('is not needed', async () => {
    expect(await loadConfig(folder)).toMatchObject({ databases: [], mcp: [], approvals: { allow: [] } })
  })

  it('is found as YAML or JSON', async () => {
    await writeFile(join(folder, 'tutti.config.json'), '{"locale":"de-DE"}')
    expect(await loadConfig(folder)).toMatchObject({ locale: 'de-DE' })
    await writeFile(join(folder, 'tutti.config.yaml'), 'locale: en-IN\ndatabases:\n  - url: sqlite:shop.db\n')
    expect(await loadConfig(folder)).toMatchObject({ locale: 'en-IN', databases: [{ url: 'sqlite:shop.db' }] })
  })

  it('is a clear error when it is missing or a directory', async () => {
    await expect(loadConfig(folder, 'none.yaml')).rejects.toThrow('there is no such file')
    await mkdir(join(folder, 'dir'))
    await expect(loadConfig(folder, 'dir')).rejects.toThrow('it is a directory')
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
    const token = `apis: [{ catalogue: a, credentials: { a: { token: '\${PW}' } } }]`
    expect((await load('v.yaml', token, { PW: '${T}' })).apis[0]!.credentials).toEqual({ a: { token: '${T}' } })
  })

  it('that are not set are errors', async () => {
    const text = 'locale: "${A}"\nmail:\n  url: x\n  contacts: { Ann: "${A}-${B}" }\n'
    const error =
      /c\.yaml is not valid: locale: needs the environment variable A, which is not set; mail\.contacts\.Ann: .*A.*; mail\.contacts\.Ann: .*variable B/
    await expect(load('c.yaml', text, { A: '' })).rejects.toThrow(error)
  })
})

describe('a mistake in the configuration file', () => {
  it.each([
    ['locale: en\ndatabase: []', 'database: unknown field'],
    ['databases:\n  - { url: "sqlite:a", tabels: [] }', 'databases.0.tabels: unknown field'],
    ['models:\n  timeouts:\n    zzz: 1', 'models.timeouts.zzz: unknown field'],
    ['approvals: { timeoutMs: -1 }', 'c.yaml is not valid: approvals.timeoutMs: '],
    ['sandbox:\n  memoryMb: many', 'sandbox.memoryMb: Invalid input: expected number, received string.'],
    ["databases:\n  - url: 'postgres://a:b@d:x/y'", 'databases.0.url: The database URL is malformed;'],
    ['- url: sqlite:a.db', 'the configuration: Invalid input: expected object, received array.'],
    ['locale: [', 'c.yaml cannot be read: line 1: '],
  ])('%j is reported with its field', async (text, message) => {
    await writeFile(join(folder, 'c.yaml'), text)
    await expect(loadConfig(folder, 'c.yaml')).rejects.toThrow(message)
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
