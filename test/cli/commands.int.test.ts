import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { createCliWorld, filesUnder } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())

const SHOP = ['--db', 'sqlite:shop.sqlite']

describe('tutti --version and --help', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect(await world.run(['--version'])).toMatchObject({ code: 0, out: `${version}\n`, err: '' })
  })

  it('explains every command, with examples and exit codes', async () => {
    const { code, out } = await world.run(['--help'])
    expect(code).toBe(0)
    for (const command of ['ask', 'runs', 'db', 'api', 'python', 'agents', 'doctor', 'demo', 'serve'])
      expect(out).toContain(`  ${command}`)
    expect(out).toContain('Examples:')
    expect(out).toContain('Exit codes:')
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
    ['SELECT 1; DROP TABLE orders', /refused/],
  ])('refuses %s with the reason', async (sql, reason) => {
    const { code, out } = await world.run(['db', 'check', sql, ...SHOP])
    expect(code).toBe(1)
    expect(out).toMatch(reason)
    const json = await world.run(['db', 'check', sql, ...SHOP, '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ allowed: false, checks: [{ database: 'shop', allowed: false }] })
  })

  it('reads the query from a pipe, and lists tables', async () => {
    const piped = await world.run(['db', 'check', '-', ...SHOP], { input: 'SELECT name FROM customers' })
    expect(piped.code).toBe(0)
    const { out } = await world.run(['db', 'tables', ...SHOP])
    expect(out).toMatch(/^orders +order_id, customer_id, total$/m)
  })
})

describe('tutti agents', () => {
  it('names the capabilities of each agent, and the effects of its tools', async () => {
    const { out } = await world.run(['agents', '--json'])
    const { agents } = JSON.parse(out) as { agents: { name: string; tools: { effect: string }[] }[] }
    expect(agents.map(({ name, tools }) => [name, tools.map(({ effect }) => effect)])).toEqual([
      ['rag', ['read', 'read', 'read']],
      ['api', ['read', 'read', 'irreversible']],
      ['sql', ['read', 'read']],
      ['computation', ['read', 'read', 'read']],
      ['code', ['irreversible', 'read']],
      ['web', ['read']],
      ['mail', []],
      ['architect', ['irreversible']],
    ])
    expect((await world.run(['agents'])).out).toContain('mcp_db_query (read)')
  })
})

// Each run prepares Python again, which takes long on a busy machine.
describe('tutti doctor', { timeout: 180_000 }, () => {
  it('reports no problem on a fresh machine, and creates nothing', async () => {
    const data = join(world.folder, 'untouched')
    const { code, out } = await world.run(['doctor', ...SHOP, '--data', data])
    expect(code).toBe(0)
    expect(out).toContain('shop: sqlite, 2 tables')
    expect(out).toContain("protections in place: gate, SQLite's reading, read-only file handle")
    expect(out).toMatch(/What would leave this machine\n {2}nothing/)
    expect(await filesUnder(data)).toEqual([])
  })

  it('lists where data would be sent, without keys and passwords', async () => {
    const env = { OPENAI_API_KEY: 'sk-verysecret', ANTHROPIC_API_KEY: 'sk-alsosecret', TUTTI_MODEL: 'anthropic' }
    const args = ['doctor', '--json', '--db', 'postgres://u:topsecret@127.0.0.1:1/x']
    const { code, out, err } = await world.run(args, { env })
    expect(code).toBe(3)
    expect(out + err).not.toMatch(/verysecret|alsosecret|topsecret/)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      parts: {
        models: { default: expect.stringMatching(/^anthropic:/) },
        leaving: [
          { host: 'api.openai.com', because: expect.stringContaining('only when a request names it') },
          { host: 'api.anthropic.com', because: expect.stringContaining('used by default') },
        ],
        databases: [{ name: 'x', ok: false }],
      },
      problems: [expect.stringContaining('nothing listens there')],
    })
  })

  it('calls the models only with --check', async () => {
    const models = await startModelServer([{ reply: { status: 401, text: 'bad key' } }])
    const env = { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }
    try {
      expect((await world.run(['doctor'], { env })).code).toBe(0)
      expect(models.requests).toHaveLength(0)
      const { code, out } = await world.run(['doctor', '--check'], { env })
      expect(code).toBe(3)
      expect(out).toContain('✗ Model compatible:scripted')
    } finally {
      await models.close()
    }
  })

  it.each([
    ['a wrong configuration', ['--config', 'wrong.yaml'], /wrong.yaml is not valid/],
    ['an API that cannot be read', ['--config', 'no-api.yaml'], /✗ .*gone\.yaml cannot be used.*no such file/],
    ['a key that is not set', ['--config', 'no-key.yaml'], /✗ .*apis\.0\..*needs the environment variable SHOP_KEY/],
  ])('reports %s', async (_name, args, problem) => {
    const api = '{ catalogue: shop.yaml, credentials: { any: { key: "${SHOP_KEY}" } } }'
    const files = {
      'wrong.yaml': 'modells: {}\n',
      'shop.yaml': 'endpoints: [{ method: GET, path: /orders }]\n',
      'no-api.yaml': 'apis: [{ catalogue: gone.yaml }]\n',
      'no-key.yaml': `apis: [${api}]\n`,
    }
    for (const [file, text] of Object.entries(files)) await writeFile(join(world.folder, file), text)
    const { code, out } = await world.run(['doctor', ...args])
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

  it('serves the API of the business, with commands that work', async () => {
    const running = world.start(['demo', 'served', '--serve', '--port', '0'])
    const err = await running.said(/its key is \S+\. Try:/)
    const out = await running.saidOut(/--api-key .*\n.*--api-key .*\n.*--api-key .* --db \S+\n/)
    const commands = out.split('\n').filter((line) => line.includes('--api '))
    const api = / --api (\S+)/.exec(commands[0]!)![1]!
    const rows = []
    for (const command of commands) {
      const [, question, options] = /^tutti ask "([^"]+)" (.*)$/.exec(command)!
      const asked = await world.run(['ask', question!, ...options!.split(' '), '--json'])
      expect(asked.code).toBe(0)
      expect(asked.out).not.toContain('"status": "failed"')
      rows.push((JSON.parse(asked.out) as { data: { rowCount: number } }).data.rowCount)
    }
    expect(rows).toEqual([7, 96, 4])
    expect(err).toContain('its key is brindlemoor-demo-key')
    const doctor = await world.run(['doctor', '--config', await configWith(api)])
    expect(doctor.out).toMatch(/APIs\n {2}Brindlemoor Coffee: 11 operations at 127\.0\.0\.1:\d+/)
    expect(doctor.out).toMatch(/What would leave this machine\n {2}nothing/)
    expect(doctor.out).toMatch(/Python \(pyodide, (?:strong|weak)\): a process for each job, no network/)
    running.child.kill('SIGINT')
    expect(await running.done).toMatchObject({ code: 0, signal: null })
  })

  async function configWith(catalogue: string): Promise<string> {
    const file = join(world.folder, 'with-api.json')
    await writeFile(file, JSON.stringify({ apis: [{ catalogue }] }))
    return file
  }
})

describe('tutti serve', () => {
  const url = /http:\/\/127\.0\.0\.1:\d+/

  it('serves health and a page, writes the demo database, resumes runs, and stops cleanly', async () => {
    const models = await startModelServer([{ reply: { fault: 'stall' } }])
    const env = { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }
    const asking = world.start(['ask', 'How many customers are there?'], { env })
    await models.arrived(1)
    asking.child.kill('SIGKILL')
    await asking.done
    await models.close()

    const running = world.start(['serve', '--port', '0'])
    await running.said('Continued 1 unfinished run')
    const [base] = url.exec(await running.saidOut(url))!
    expect(await (await fetch(`${base}/healthz`)).json()).toMatchObject({ status: 'ok', model: null })
    const page = await fetch(base)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await page.text()).replaceAll(/<[^>]*>|\s+/g, ' ').trim()).toMatch(/^Tutti +Tutti +Version [\d.]+\S*$/)
    expect((await fetch(`${base}/nothing`)).status).toBe(404)
    expect((await fetch(base, { method: 'POST' })).status).toBe(405)
    expect(await filesUnder(world.dataDir)).toContain('brindlemoor.sqlite')
    const [, document] = /--api (\S+)/.exec(await running.saidOut('--api-key'))!
    const api: unknown = await (await fetch(document!)).json()
    running.child.kill('SIGTERM')
    const { code, signal, err } = await running.done
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(api).toMatchObject({ info: { title: 'Brindlemoor Coffee' } })
    expect(err).not.toContain('Warning')
  })

  it('creates no demo when other sources exist', async () => {
    const configFile = join(world.folder, 'tutti.config.yaml')
    await writeFile(configFile, 'databases: [{ url: "sqlite:shop.sqlite" }]')
    const data = join(world.folder, 'own')
    const running = world.start(['serve', '--port', '0', '--data', data])
    expect(await running.saidOut('ask "…"')).not.toContain('--api')
    running.child.kill('SIGTERM')
    await running.done
    await rm(configFile)
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
