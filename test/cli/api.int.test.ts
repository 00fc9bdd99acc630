import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_API_KEY, startDemoApi, type DemoApi } from '../../src/demo/api/server.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { startApiServer, type ApiServer } from '../support/api-server.ts'
import { createCliWorld, type CliWorld } from './support.ts'

let world: CliWorld
let demo: DemoApi
beforeAll(async () => {
  world = await createCliWorld()
  const databasePath = join(world.folder, 'brindlemoor.sqlite')
  await createDemoDatabase(databasePath)
  demo = await startDemoApi({ databasePath, port: 0 })
})
afterAll(async () => {
  await demo.close()
  await world.close()
})

const DB = ['--db', 'sqlite:brindlemoor.sqlite']
const api = (): string[] => ['--api', `${demo.url}/openapi.json`]
const env = { TUTTI_API_KEY: DEMO_API_KEY }

interface Answer {
  readonly agentResults: {
    agent: string
    status: string
    tabular: { rows: Record<string, unknown>[] }
    sources: { name: string; detail: string }[]
  }[]
}

describe('a question that needs an API and a database', () => {
  const QUESTION = 'List orders with status=open and min_total=500, and how many orders are in each status?'

  it('is answered by both without a model, each with its source', async () => {
    const { code, out } = await world.run(['ask', QUESTION, ...DB, ...api(), '--json'], { env })
    expect(code).toBe(0)
    const { agentResults } = JSON.parse(out) as Answer
    expect(agentResults.map(({ agent, status }) => [agent, status])).toEqual([
      ['api', 'succeeded'],
      ['sql', 'succeeded'],
    ])
    const orders = agentResults[0]!.tabular.rows.map((row) => row['order_id'])
    expect(orders.sort()).toEqual([884, 891, 909, 915, 947, 951, 952])
    expect(agentResults.map(({ sources }) => sources[0])).toMatchObject([
      { kind: 'api', name: 'Brindlemoor Coffee', detail: 'GET /orders?status=open&min_total=500' },
      { kind: 'database', name: 'brindlemoor', detail: expect.stringContaining('COUNT(*)') },
    ])
  })
})

describe('a key', () => {
  it.each([
    ['that is wrong', { TUTTI_API_KEY: 'a-wrong-key' }, /The sign-in "apiKey" was not accepted/],
    ['that is missing', {}, /No sign-in was sent \(apiKey\)/],
  ])('%s is reported in one clear sentence', async (_name, given, detail) => {
    const { code, out, err } = await world.run(['ask', 'List orders with status=open', ...api()], { env: given })
    expect(code).toBe(1)
    expect(out.split('\n', 1)).toEqual([
      'This could not be answered: the service did not accept the sign-in; check its key or token.',
    ])
    expect(err).toMatch(detail)
    expect(err).not.toContain('a-wrong-key')
  })
})

describe('tutti api', () => {
  it('lists operations, and shows one by id, path, or method and path', async () => {
    const url = `${demo.url}/openapi.json`
    const list = await world.run(['api', 'list', url])
    expect(list.code).toBe(0)
    expect(list.out).toMatch(/^POST +\/orders\/\{orderId\}\/cancel +Cancel an order$/m)
    expect(list.err).toBe('Brindlemoor Coffee: 11 operations.\n')
    const json = JSON.parse((await world.run(['api', 'list', url, '--json'])).out) as { endpoints: unknown[] }
    expect(json).toMatchObject({ name: 'Brindlemoor Coffee', servers: [`${demo.url}/`] })
    expect(json.endpoints).toHaveLength(11)

    const byId = await world.run(['api', 'show', url, 'createTicket'])
    expect(byId.out).toMatch(/^method: POST\npath: \/tickets$/m)
    expect(byId.out).toContain('effect: irreversible')
    expect((await world.run(['api', 'show', url, 'post /tickets'])).out).toBe(byId.out)
    const both = JSON.parse((await world.run(['api', 'show', url, '/tickets', '--json'])).out) as { method: string }[]
    expect(both.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  const bad: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['a missing file', ['list', 'gone.yaml'], 2, /gone\.yaml cannot be used.*there is no such file/],
    ['a catalogue without endpoints', ['show', 'empty.yaml', 'x'], 3, /must hold at least one endpoint/],
    ['an unknown operation', ['show', 'shop.yaml', 'GET /nothing'], 2, /"shop" has no operation "GET \/nothing"/],
    ['an address that nobody serves', ['list', 'http://127.0.0.1:1/openapi.json'], 1, /nothing listens there/],
    ['no file', ['list', ''], 2, /Write a file or URL/],
  ]

  beforeAll(async () => {
    const files = {
      'empty.yaml': 'endpoints: []',
      'shop.yaml': 'endpoints: [{ method: GET, path: /orders }]',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(world.folder, name), text)
  })

  it.each(bad)('reports the fault of %s in one line', async (_name, args, expected, message) => {
    const { code, out, err } = await world.run(['api', ...args])
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(out).toBe('')
    expect(code).toBe(expected)
  })

  it('does not start a run with an unreadable API, or with two of one name', async () => {
    const gone = await world.run(['ask', 'x', '--api', 'gone.yaml'])
    expect(gone).toMatchObject({ code: 2, out: '' })
    const twice = await world.run(['ask', 'x', '--api', 'shop.yaml', '--api', 'shop.yaml'])
    expect(twice).toMatchObject({ code: 3, err: expect.stringContaining('Two APIs are named "shop"') })
    const named = await world.run(['api', 'show', 'books=shop.yaml', 'x'])
    expect(named.err).toContain('"books" has no operation')
    expect((await world.run(['runs', 'list', '--json'])).out).not.toContain('"question": "x"')
  })
})

describe('an internal host', () => {
  let server: ApiServer
  beforeAll(async () => {
    server = await startApiServer()
    const endpoint = '{ method: GET, path: /orders, summary: List orders }'
    await writeFile(join(world.folder, 'inside.yaml'), `base_url: ${server.url}\nendpoints:\n  - ${endpoint}\n`)
  })
  afterAll(() => server.close())

  it('is refused when a file names it, and allowed by the operator', async () => {
    const ask = ['ask', 'List all orders', '--api', 'inside.yaml']
    const refused = await world.run(ask)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      /127\.0\.0\.1 is not an address of the public internet \(loopback\).*list of allowed hosts/,
    )
    expect(server.requests).toHaveLength(0)
    const other = await world.run([...ask, '--allow-host', '127.0.0.1:1'])
    expect(other.code).toBe(1)
    expect(server.requests).toHaveLength(0)
    const reached = await world.run([...ask, '--allow-host', server.host])
    expect(reached.code).toBe(0)
    expect(reached.out).toContain('GET /orders')
    expect(server.requests.length).toBeGreaterThan(0)
  })
})
