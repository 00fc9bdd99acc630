import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { createDemoWorld, DEMO_ENV, filesUnder, modelEnv } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(createDemoWorld)

const SHOP = ['--db', 'sqlite:shop.sqlite']

describe('tutti --version', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect(await world.run(['--version'])).toMatchObject({ code: 0, out: `${version}\n`, err: '' })
  })
})

describe('tutti db', () => {
  it('allows a query and lists its tables and functions', async () => {
    const { code, out } = await world.run(['db', 'check', 'SELECT count(*) FROM customers', ...SHOP])
    expect(code).toBe(0)
    expect(out).toBe('shop: allowed\n  tables: customers\n  functions: count\n')
  })

  it.each([
    ['DELETE FROM orders', /Only SELECT is allowed/],
    ['SELECT * FROM secrets', /secrets/],
    ['SELECT 1; DROP TABLE orders', /write exactly one SELECT/],
  ])('refuses %s with the reason', async (sql, reason) => {
    const { code, out } = await world.run(['db', 'check', sql, ...SHOP, '--json'])
    expect(code).toBe(1)
    expect(out).toMatch(reason)
    expect(JSON.parse(out)).toMatchObject({ allowed: false, checks: [{ database: 'shop', allowed: false }] })
  })

  it('prints a refusal', async () => {
    const { code, out } = await world.run(['db', 'check', 'DELETE FROM orders', ...SHOP])
    expect([code, out]).toEqual([1, expect.stringMatching(/^shop: refused: .*Only SELECT is allowed/)])
  })

  it('reads the query from a pipe, and lists tables', async () => {
    const piped = await world.run(['db', 'check', '-', ...SHOP], { input: 'SELECT name FROM customers' })
    expect(piped.code).toBe(0)
    const { out } = await world.run(['db', 'tables', ...SHOP])
    expect(out).toMatch(/^orders +order_id, customer_id, total$/m)
  })
})

const KEYED = 'apis: [{ catalogue: shop.yaml, credentials: { any: { key: "${SHOP_KEY}" } } }]'

// Each run prepares Python again, which takes long on a busy machine.
describe('tutti doctor', { timeout: 180_000 }, () => {
  it('reports no problem on a fresh machine, creates nothing, and calls no model', async () => {
    const models = await startModelServer([{ reply: { status: 401, text: 'bad key' } }])
    onTestFinished(() => models.close())
    const data = join(world.folder, 'untouched')
    await writeFile(join(world.folder, 'with-api.json'), JSON.stringify({ apis: [{ catalogue: world.api[1] }] }))
    const args = ['doctor', ...SHOP, '--config', 'with-api.json', '--data', data]
    const { code, out } = await world.run(args, { env: modelEnv(models) })
    expect(code).toBe(0)
    expect(out).toContain('shop: sqlite, 2 tables')
    expect(out).toContain("protections in place: SQL guard, SQLite's analysis, read-only file handle")
    expect(out).toMatch(/APIs\n {2}Brindlemoor Coffee: 11 operations at 127\.0\.0\.1:\d+/)
    expect(out).toMatch(/Python \((?:strong|weak)\): a process for each job, no network/)
    expect(await filesUnder(data)).toEqual([])
    expect(models.requests).toHaveLength(0)
  })

  it('lists the models and databases without keys and passwords', async () => {
    const env = { OPENAI_API_KEY: 'sk-verysecret', ANTHROPIC_API_KEY: 'sk-alsosecret', TUTTI_MODEL: 'anthropic' }
    const args = ['doctor', '--json', '--db', 'postgres://u:topsecret@127.0.0.1:1/x']
    const { code, out, err } = await world.run(args, { env })
    expect(code).toBe(3)
    expect(out + err).not.toMatch(/verysecret|alsosecret|topsecret/)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      parts: {
        models: {
          default: expect.stringMatching(/^anthropic:/),
          providers: [{ host: 'api.openai.com' }, { host: 'api.anthropic.com' }],
        },
        databases: [{ name: 'x', ok: false }],
      },
      problems: [expect.stringContaining('nothing listens there')],
    })
  })

  it('reports once what does not work: a database, an API that cannot be read, and with --check a model', async () => {
    const models = await startModelServer([{ reply: { status: 401, text: 'bad key' } }])
    onTestFinished(() => models.close())
    await writeFile(join(world.folder, 'no-api.yaml'), 'apis: [{ catalogue: gone.yaml }]\n')
    const args = ['doctor', '--check', '--db', 'postgres://ada:x@127.0.0.1:1/shop', '--config', 'no-api.yaml']
    const { code, out } = await world.run(args, { env: modelEnv(models) })
    expect(code).toBe(3)
    expect(out).toContain('shop: does not work; see Problems')
    expect(out.match(/127\.0\.0\.1:1\b/g)).toHaveLength(1)
    expect(out).toMatch(/✗ .*gone\.yaml cannot be used.*no such file/)
    expect(out).toContain('✗ Model compatible:scripted')
  })

  it.each([
    ['a wrong configuration', 'wrong.yaml', 'modells: {}', /wrong.yaml is not valid/],
    ['a key that is not set', 'no-key.yaml', KEYED, /✗ .*apis\.0\..*needs the environment variable SHOP_KEY/],
  ])('reports %s', async (_name, file, text, problem) => {
    await writeFile(join(world.folder, 'shop.yaml'), 'endpoints: [{ method: GET, path: /orders }]\n')
    await writeFile(join(world.folder, file), text)
    const { code, out } = await world.run(['doctor', '--config', file])
    expect(code).toBe(3)
    expect(out).toMatch(problem)
  })
})

describe('tutti demo', { timeout: 180_000 }, () => {
  it('writes a database whose printed commands work', async () => {
    const { code, out } = await world.run(['demo', 'a folder'])
    expect(code).toBe(0)
    const [first] = out.split('\n')
    const [, question, url] = /^tutti ask "([^"]+)" --db '([^']+)'/.exec(first!)!
    const asked = await world.run(['ask', question!, '--db', url!, '--json'])
    expect(asked.code).toBe(0)
    expect(JSON.parse(asked.out)).toMatchObject({ data: { rowCount: 1 } })
  })

  it('keeps the files of an earlier demo', async () => {
    await world.run(['demo', 'kept'])
    const draft = join(world.folder, 'kept', 'brindlemoor-mailbox', '.Drafts', 'cur', '1.mine.host:2,DS')
    await writeFile(draft, 'Subject: mine\n\n')
    const { code, out, err } = await world.run(['demo', 'kept'])
    expect([code, out]).toEqual([0, expect.stringContaining('ask "How many customers are there?"')])
    expect(err).toContain('kept has these files already; nothing was written.')
    expect(await readFile(draft, 'utf8')).toBe('Subject: mine\n\n')
  })
})

describe('the demo API', () => {
  it('answers calls in questions, alone and together with the database', async () => {
    const options = [...world.api, '--api-key', DEMO_ENV.TUTTI_API_KEY]
    const first = 'GET /orders with status=open and min_total=500'
    const rows = []
    for (const args of [
      [first, ...options],
      ['GET /shipments with late=true', ...options],
      [`${first}, and how many orders are in each status?`, ...options, '--db', 'sqlite:brindlemoor.sqlite'],
    ]) {
      const asked = await world.run(['ask', ...args, '--json'])
      expect(asked.code).toBe(0)
      expect(asked.out).not.toContain('"status": "failed"')
      rows.push((JSON.parse(asked.out) as { data: { rowCount: number } }).data.rowCount)
    }
    expect(rows).toEqual([7, 96, 4])
  })
})

describe('tutti serve', () => {
  const url = /http:\/\/127\.0\.0\.1:\d+/

  it('serves health, writes the demo database, resumes runs, and stops cleanly', async () => {
    const models = await startModelServer([{ reply: { fault: 'stall' } }])
    const env = modelEnv(models)
    const asking = world.start(['ask', 'How many customers are there?'], { env })
    await models.arrived(1)
    await asking.kill()
    await models.close()

    const running = world.start(['serve', '--port', '0'])
    await running.said('Continued 1 unfinished run')
    const [base] = url.exec(await running.saidOut(url))!
    expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ status: 'ok', model: null })
    expect((await fetch(`${base}/nothing`)).status).toBe(404)
    expect(await filesUnder(world.dataDir)).toContain('brindlemoor.sqlite')
    await running.saidOut('brindlemoor.sqlite')
    running.child.kill('SIGTERM')
    const { code, signal, err } = await running.done
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(err).not.toContain('Warning')
  })

  it('creates no demo when other sources exist', async () => {
    const configFile = join(world.folder, 'tutti.config.yaml')
    await writeFile(configFile, 'databases: [{ url: "sqlite:shop.sqlite" }]')
    const data = join(world.folder, 'own')
    const { out } = await world.run(['serve', '--port', '0', '--data', data]).finally(() => rm(configFile))
    expect(out).toContain('ask "…"')
    expect(out).not.toContain('brindlemoor')
    expect((await filesUnder(data)).filter((name) => name.includes('brindlemoor'))).toEqual([])
  })

  it('reports in one line that the port is in use', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as AddressInfo
    const { code, err } = await world.run(['serve', '--port', String(port)])
    await new Promise((resolve) => blocker.close(resolve))
    expect(code).toBe(3)
    expect(err).toBe(`tutti: Port ${port} on 127.0.0.1 is in use already; choose another with --port.\n`)
  })
})
