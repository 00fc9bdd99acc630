import { copyFile, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { DEMO_DOCUMENTS_NAME } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { startModelServer } from '../../src/testing/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { createReader, createTestDatabase } from '../support/postgres.ts'
import { serveHere, startServed, type Served } from '../support/served.ts'

/** The endpoints of the page /setup: inputs are tested, stored encrypted, used at once, and never shown. */

const KEY = 'sk-set-up-4f6a9c1e7b2d'
const MAIL_PASSWORD = 'mail-pass-8d3f5a'

interface Shown {
  readonly closed?: string
  readonly since: string
  readonly items: readonly { kind: string; name: string; from: string; isUsed: boolean; found?: string }[]
}

/** Without a database, a server makes and reads the files of the demo. */
const CONFIG = 'databases: [{ url: sqlite:shop.sqlite }]\n'

/** All answers. */
const told: string[] = []

type Server = Pick<Served, 'url' | 'world' | 'close'>

async function ask(served: Server, method: string, path: string, body?: unknown, headers: object = {}) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  told.push(text)
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never }
}

async function shown(served: Server): Promise<Shown> {
  return (await ask(served, 'GET', '/setup')).body
}

/** The connected sources, after the server has reopened them. */
async function shownAfter(served: Server, isThere: (items: Shown['items']) => boolean): Promise<Shown['items']> {
  let items: Shown['items'] = []
  await expect.poll(async () => isThere((items = (await shown(served).catch(() => ({ items: [] }))).items))).toBe(true)
  return items
}

/** A server with an admin, and the headers of the admin's key. */
async function serveForAdmin(config: string, args: readonly string[] = []) {
  const served = await serveHere(async (world) => {
    await world.run(['people', 'add', 'root'])
    await writeFile(join(world.folder, 'tutti.config.yaml'), config)
  }, args)
  const made = await served.world.run(['keys', 'create', 'root', '--scope', 'admin'])
  return { ...served, headers: { authorization: `Bearer ${made.out.trim()}` } }
}

async function filesWith(folder: string, text: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const holds = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)))
  return files.filter((_file, at) => holds[at])
}

describe('sources from the setup page', () => {
  const models = openForAll(() => startModelServer([{ reply: { text: 'ok' } }]))
  const served = openForAll(() =>
    startServed(async ({ dataDir }) => {
      const documents = join(dataDir, DEMO_DOCUMENTS_NAME)
      await mkdir(documents, { recursive: true })
      // Marks them as read already, since reading takes seconds.
      await writeFile(join(documents, '.added'), '')
    }),
  )
  const model = () => ({ address: models.url, key: KEY, model: 'small' })
  const shop = { name: 'shop', address: 'sqlite:shop.sqlite' }

  it('begin with the demo, and accept local requests', async () => {
    const { closed, items } = await shown(served)
    expect(closed).toBeUndefined()
    expect(items.map(({ kind, from }) => `${kind} ${from}`)).toEqual(['database demo', 'mailbox demo'])
  })

  it('are tested, and failures are reported in a sentence and not stored', async () => {
    expect((await ask(served, 'POST', '/setup/try', { kind: 'database', ...shop })).body).toMatchObject({ ok: true })
    expect((await ask(served, 'POST', '/setup/try', { kind: 'model', ...model() })).body).toMatchObject({
      ok: true,
      message: 'small',
    })
    const absent = { name: 'gone', address: 'sqlite:nowhere.sqlite' }
    const tried = await ask(served, 'POST', '/setup/try', { kind: 'database', ...absent })
    expect(tried.body).toMatchObject({ ok: false, message: expect.stringContaining('nowhere.sqlite') })
    const mailbox = { server: '127.0.0.1:9', user: 'ada', password: MAIL_PASSWORD, from: 'ada@b.example' }
    expect((await ask(served, 'POST', '/setup/try', { kind: 'mailbox', ...mailbox })).body).toMatchObject({ ok: false })
    for (const [path, body] of [
      ['database', absent],
      ['database', { name: 'shop', address: 'localhost/shop' }],
      ['mailbox', mailbox],
      ['model', { ...model(), address: 'http://127.0.0.1:9' }],
    ] as const) {
      const put = await ask(served, 'PUT', `/setup/${path}`, body)
      const detail = expect.stringMatching(/^(?!The request is not valid).+ Nothing was kept\.$/)
      expect(put).toMatchObject({ status: 400, body: { detail } })
    }
    for (const [path, body] of [
      ['database', { ...shop, name: 'my shop' }],
      ['database', { name: 'shop' }],
      ['mailbox', { ...mailbox, server: 'no host' }],
      ['model', { ...model(), address: 'somewhere' }],
    ] as const) {
      const put = await ask(served, 'PUT', `/setup/${path}`, body)
      const detail = expect.stringMatching(/^The request is not valid: .+\. Nothing was kept\.$/)
      expect(put).toMatchObject({ status: 400, body: { detail, issues: [expect.any(String)] } })
    }
    expect((await shown(served)).items.map(({ from }) => from)).toEqual(['demo', 'demo'])
  })

  it('are used at once, in the same process and at the same address; waiting runs are kept', async () => {
    const { pid } = served.process.child
    const question = 'Send a mail to support@brindlemoor-coffee.example with the number of open orders'
    const { runId } = (await ask(served, 'POST', '/runs', { question })).body as { runId: string }
    const approvals = async () =>
      ((await ask(served, 'GET', '/approvals')).body as { items: { runId: string; approvalId: string }[] }).items
    await expect.poll(async () => (await approvals()).map((one) => one.runId)).toContain(runId)
    expect(await ask(served, 'PUT', '/setup/model', model())).toMatchObject({ status: 200, body: { ok: true } })
    const after = await shownAfter(served, (all) => all.some(({ kind, from }) => kind === 'model' && from === 'page'))
    expect(after.find(({ kind }) => kind === 'model')).toMatchObject({ isUsed: true })
    expect((await ask(served, 'GET', '/about')).body).toMatchObject({ model: 'compatible:small' })
    const waiting = (await approvals()).find((one) => one.runId === runId)
    await ask(served, 'POST', `/approvals/${waiting!.approvalId}/decide`, { decision: 'denied' })
    await expect
      .poll(async () => (await ask(served, 'GET', `/runs/${runId}`)).body)
      .not.toMatchObject({ status: expect.stringMatching(/running|waiting/) })
    expect(await ask(served, 'PUT', '/setup/database', shop)).toMatchObject({ status: 200, body: { ok: true } })
    const items = await shownAfter(served, (all) => all.some(({ name }) => name === 'shop'))
    expect(items.find(({ name }) => name === 'shop')).toMatchObject({
      from: 'page',
      isUsed: true,
      found: expect.stringMatching(/tables/),
    })
    expect(items.every(({ from }) => from === 'page')).toBe(true)
    expect(served.process.child.pid).toBe(pid)
    expect(served.process.child.exitCode).toBeNull()
  })

  it('are in no answer, file or output in plain text', async () => {
    for (const text of [KEY, MAIL_PASSWORD]) {
      expect(told.filter((one) => one.includes(text))).toEqual([])
      expect(await filesWith(served.world.dataDir, text)).toEqual([])
    }
    expect((await stat(join(served.world.dataDir, 'setup.json'))).mode & 0o077).toBe(0)
  })

  it('are used by the command line, too, and the environment overrides them', async () => {
    const before = models.requests.length
    const asked = await served.world.run(['ask', 'Hello', '--json'])
    expect(models.requests.length).toBeGreaterThan(before)
    expect(models.requests.at(-1)!.headers['authorization']).toBe(`Bearer ${KEY}`)
    expect(asked.out + asked.err).not.toContain(KEY)
    const { folder: cwd, dataDir } = served.world
    for (const [env, source] of [
      [{}, 'the page /setup'],
      [{ TUTTI_MODEL_URL: models.url }, 'TUTTI_MODEL_URL'],
    ] as const) {
      const app = await openConfiguredApp({ cwd, dataDir, env })
      expect(app.models.describe().providers.map((one) => one.source)).toEqual([source])
      await app.close()
    }
  })

  it('are in the audit, and can be removed', async () => {
    expect((await ask(served, 'DELETE', '/setup/database/brindlemoor')).status).toBe(404)
    expect((await ask(served, 'DELETE', '/setup/database/shop')).status).toBe(204)
    await shownAfter(served, (items) => items.some(({ from }) => from === 'demo'))
    const { items } = (await ask(served, 'GET', '/audit')).body as { items: { action: string; target: string }[] }
    expect(items.map(({ action, target }) => `${action} ${target}`)).toEqual([
      'disconnect source database:shop',
      'connect source database:shop',
      'connect source model:model',
    ])
  })

  it('are refused for requests through a proxy', async () => {
    const passed = { 'x-forwarded-for': '203.0.113.7' }
    expect((await ask(served, 'POST', '/setup/try', { kind: 'database', ...shop }, passed)).status).toBe(403)
  })
})

describe('a server that other machines reach', () => {
  const shop = { kind: 'database', name: 'shop', address: 'sqlite:shop.sqlite' }
  const explained = { detail: expect.stringContaining('"setup": true') }
  const allowed = 'server: { setup: true, databaseFolders: [.] }'
  it.each([
    ['allows no connections, and explains how to enable them', '', 403, explained],
    ['lets admins connect where the configuration allows it', allowed, 200, { ok: true }],
  ])('%s', async (_what, config, status, body) => {
    const served = await serveForAdmin(`${CONFIG}${config}\n`, ['--host', '0.0.0.0'])
    try {
      expect(await ask(served, 'POST', '/setup/try', shop, served.headers)).toMatchObject({ status, body })
    } finally {
      await served.close()
    }
  })
})

describe('an admin, who is not the operator', () => {
  const served = openForAll(() => serveForAdmin(`${CONFIG}server: { databaseFolders: [shared] }\n`))
  beforeAll(async () => {
    const { folder, dataDir } = served.world
    await mkdir(join(folder, 'shared'))
    await copyFile(join(folder, 'shop.sqlite'), join(folder, 'shared', 'shop.sqlite'))
    // It contains the questions of all users.
    await symlink(join(dataDir, 'tutti.db'), join(folder, 'shared', 'linked.sqlite'))
    await link(join(dataDir, 'tutti.db'), join(folder, 'shared', 'hard.sqlite'))
  })

  const put = (address: string) => ask(served, 'PUT', '/setup/database', { name: 'one', address }, served.headers)
  const attempt = async (entry: object) =>
    (await ask(served, 'POST', '/setup/try', entry, served.headers)).body as { ok: boolean; message: string }

  it('connects no file of Tutti under any name, and no file outside the listed folders', async () => {
    const own = join(served.world.dataDir, 'tutti.db')
    const names = [own, `sqlite://${own}`, 'shared/../shared/linked.sqlite', 'shared/hard.sqlite', 'shop.sqlite']
    for (const address of names) {
      expect([address, (await put(address)).status]).toEqual([address, 400])
      expect(await attempt({ kind: 'database', name: 'one', address })).toMatchObject({ ok: false })
    }
  })

  it('learns nothing about services at internal addresses', async () => {
    const { port } = new URL(served.url)
    const told = await Promise.all(
      [port, 9].flatMap((at) => [
        attempt({ kind: 'model', address: `http://127.0.0.1:${at}/v1` }),
        attempt({ kind: 'database', name: 'one', address: `postgres://a:b@127.0.0.1:${at}/shop` }),
        attempt({ kind: 'mailbox', server: `127.0.0.1:${at}`, user: 'a', password: 'b', from: 'a@b.example' }),
      ]),
    )
    expect(new Set(told.map(({ ok, message }) => `${ok} ${message}`)).size).toBe(1)
  })

  it('connects a file of a listed folder, whose queries reach no other file', async () => {
    expect((await put('shared/shop.sqlite')).status).toBe(200)
    await expect
      .poll(
        async () =>
          (await ask(served, 'GET', '/databases/one/tables', undefined, served.headers).catch(() => undefined))?.status,
      )
      .toBe(200)
    const run = (sql: string) => ask(served, 'POST', '/databases/one/query', { sql }, served.headers)
    expect((await run('SELECT name FROM customers')).status).toBe(200)
    const attach = await run(`ATTACH '${join(served.world.dataDir, 'tutti.db')}' AS own`)
    expect(JSON.stringify(attach.body)).not.toContain('"columns"')
  })
})

it('changes that prevent a start are reverted, each by its name, and the server continues', async () => {
  const configure = ({ folder }: Server['world'], text: string) => writeFile(join(folder, 'tutti.config.yaml'), text)
  const served = await serveHere((world) => configure(world, 'databases: [{ url: sqlite:shop.sqlite, name: first }]\n'))
  try {
    const { since } = await shown(served)
    // Has the same name as the database in the configuration, which is named after its file.
    await configure(served.world, CONFIG)
    const [shop, other] = ['shop', 'other'].map((name) => ({ name, address: 'sqlite:shop.sqlite' }))
    const put = (body: unknown) => ask(served, 'PUT', '/setup/database', body)
    expect((await Promise.all([shop, other].map(put))).map(({ status }) => status)).toEqual([200, 200])
    // Reverting only the later change would not help: the earlier one prevents the start.
    for (const name of ['other', 'shop']) await expect.poll(served.said).toContain(`was undone (database ${name})`)
    const after = async () => shown(served).catch(() => ({ since, items: [] }))
    await expect.poll(async () => (await after()).since).not.toBe(since)
    expect((await after()).items.map(({ name, from }) => `${name} ${from}`)).toEqual(['shop file'])
  } finally {
    await served.close()
  }
})

describe('a server with a configuration', () => {
  const served = openForAll(() => serveHere(({ folder }) => writeFile(join(folder, 'tutti.config.yaml'), CONFIG)))

  /** Expects a refusal that keeps the connections. Returns its detail. */
  async function refused(address: string): Promise<string> {
    const { items } = await shown(served)
    const { status, body } = await ask(served, 'PUT', '/setup/database', { name: 'bare', address })
    const { detail } = body as { detail: string }
    expect([status, detail.endsWith(' Nothing was kept.')]).toEqual([400, true])
    expect((await shown(served)).items).toEqual(items)
    return detail
  }

  const adminUrl = inject('postgresUrl')
  it.skipIf(adminUrl === '')('refuses a database without readable tables; schemas form one source', async () => {
    const url = await createTestDatabase(adminUrl)
    const admin = new Client({ connectionString: url })
    await admin.connect()
    await admin.query(`CREATE SCHEMA sales; CREATE SCHEMA "HR Data"; CREATE SCHEMA closed;
      CREATE TABLE sales.orders (id int); CREATE TABLE "HR Data".people (id int); CREATE TABLE closed.salaries (id int);`)
    await admin.end()
    const reader = await createReader(url, { schemas: ['sales', '"HR Data"'] })
    expect(await refused(reader)).toContain('It has no table that may be read in the schema')
    const tried = async (schema: string) =>
      (await ask(served, 'POST', '/setup/try', { kind: 'database', name: 'bare', address: reader, schema })).body
    expect(await tried('sales')).toMatchObject({ ok: true, message: 'postgres, 1 table' })
    expect(await tried('sales , HR Data')).toMatchObject({ ok: true, message: 'postgres, 2 tables' })
    expect(await tried('closed')).toMatchObject({ ok: false })
  })

  it.skipIf(adminUrl === '')('refuses a user that may write by its name, and never shows the password', async () => {
    const url = new URL(await createReader(await createTestDatabase(adminUrl), {}))
    const { username } = url
    const told = async (password: string): Promise<string> => {
      url.password = password
      return JSON.stringify(
        (await ask(served, 'POST', '/setup/try', { kind: 'database', name: 'bare', address: url.href })).body,
      )
    }
    const client = new Client({ connectionString: url.href.replace(username, 'postgres') })
    await client.connect()
    await client.query(`CREATE TABLE orders (id int); GRANT INSERT, SELECT ON orders TO ${username}`)
    await client.end()
    for (const password of [username, username.slice(0, 6), username.slice(-9), username.slice(3, 12)])
      expect(await told(password), password).toContain(`the user \\"${username}\\" may change`)
    for (const password of [`${username}1`, `x${username}`])
      expect(await told(password), password).not.toContain(password)
  })

  it('parallel connects and removals are all applied, even if some fail', async () => {
    const databases = ['one', 'two', 'three'].map((name) => ({ name, address: 'sqlite:shop.sqlite' }))
    const put = (body: object) => ask(served, 'PUT', '/setup/database', body)
    const answers = await Promise.all([...databases, { name: 'four', address: 'sqlite:nowhere.sqlite' }].map(put))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400])
    const names = async () =>
      (await shownAfter(served, (items) => items.some(({ from }) => from === 'page')))
        .flatMap(({ name, from }) => (from === 'page' ? name : []))
        .toSorted()
    expect(await names()).toEqual(['one', 'three', 'two'])
    const forget = await Promise.all(['one', 'two'].map((name) => ask(served, 'DELETE', `/setup/database/${name}`)))
    expect(forget.map(({ status }) => status)).toEqual([204, 204])
    await shownAfter(served, (items) => !items.some(({ name }) => name === 'one'))
    expect(await names()).toEqual(['three'])
  })

  it('no change is stored while the configuration cannot be read, and the server continues', async () => {
    const { items } = await shown(served)
    const file = join(served.world.folder, 'tutti.config.yaml')
    await writeFile(file, 'databases: what\n')
    const refused = await ask(served, 'PUT', '/setup/database', { name: 'new', address: 'sqlite:shop.sqlite' })
    await writeFile(file, CONFIG)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toContain('tutti.config.yaml')
    expect((await shown(served)).items).toEqual(items)
  })
})
