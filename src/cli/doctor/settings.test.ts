import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { App } from '../../app/user-app.ts'
import { openConfiguredApp } from '../../app/setup.ts'
import { settingsProblems } from './settings.ts'

let folder: string
let app: App | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-settings-'))
  const { default: Database } = await import('libsql')
  const db = new Database(join(folder, 'shop.db'))
  db.exec('CREATE TABLE customers (id INTEGER); CREATE VIEW open_orders AS SELECT id FROM customers')
  db.close()
  await writeFile(
    join(folder, 'stock.yaml'),
    'base_url: https://s.example\nauth: { login: { kind: bearer } }\nendpoints: [{ method: GET, path: /a }]\n',
  )
})
afterEach(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

async function problems(config: string): Promise<string[]> {
  await writeFile(join(folder, 'tutti.config.yaml'), config)
  const env = { PATH: '/usr/bin:/bin' }
  app = await openConfiguredApp({ env, cwd: folder, inMemory: true, onTrouble: (error) => expect.fail(error.message) })
  return settingsProblems(app)
}

it('names settings that refer to missing agents or tools', async () => {
  const found = await problems(`
databases:
  - { url: 'sqlite:${join(folder, 'shop.db')}', tables: [customers, custommers, open_orders, zzz] }
apis:
  - { catalogue: stock.yaml, credentials: { login: { token: a }, logn: { token: b } } }
approvals: { allow: [send_to_apis, qqqqqqqqqq, send_to_api, 'http_change:POST api.example.com'] }
`)
  expect(found).toEqual([
    'apis.0 (stock.yaml): the document has no security scheme "logn"; did you mean "login"? It has: login.',
    'approvals.allow: no agent has a tool "send_to_apis"; did you mean "send_to_api"?',
    'approvals.allow: no agent has a tool "qqqqqqqqqq".',
    'databases.0 (shop): there is no table "custommers"; did you mean "customers"?',
    'databases.0 (shop): there is no table "zzz".',
  ])
})

it('reports nothing for valid settings', async () => {
  expect(
    await problems(`
locale: en-IN
databases: [{ url: 'sqlite:${join(folder, 'shop.db')}', tables: [main.Customers] }]
apis: [{ catalogue: stock.yaml, credentials: { login: { token: a } } }]
`),
  ).toEqual([])
})
