import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApiServer } from '../support/api-server.ts'
import { openForAll } from '../support/opened.ts'
import { createDemoWorld, DEMO_ENV } from './support.ts'

const world = openForAll(createDemoWorld)

const DB = ['--db', 'sqlite:brindlemoor.sqlite']
const env = DEMO_ENV

interface Answer {
  readonly agentResults: {
    agent: string
    status: string
    tabular: { rows: Record<string, unknown>[] }
    sources: { name: string; detail: string }[]
  }[]
}

describe('a question that needs an API and a database', () => {
  const QUESTION = 'GET /orders with status=open and min_total=500, and how many orders are in each status?'

  it('is answered by both without a model, each with its source', async () => {
    const { code, out } = await world.run(['ask', QUESTION, ...DB, ...world.api, '--json'], { env })
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
    const { code, out, err } = await world.run(['ask', 'GET /orders with status=open', ...world.api], { env: given })
    expect(code).toBe(1)
    expect(out.split('\n', 1)).toEqual([
      'This could not be answered: the service did not accept the sign-in; check its key or token.',
    ])
    expect(err).toMatch(detail)
    expect(err).not.toContain('a-wrong-key')
  })
})

describe('an API of the command line', () => {
  const bad: readonly (readonly [string, string, number, RegExp])[] = [
    ['a missing file', 'gone.yaml', 2, /gone\.yaml cannot be used.*there is no such file/],
    ['a catalogue without endpoints', 'empty.yaml', 3, /must hold at least one endpoint/],
    ['an address that nobody serves', 'http://127.0.0.1:1/openapi.json', 1, /nothing listens there/],
    ['no file', '', 2, /Write a file or URL/],
  ]

  beforeAll(async () => {
    const files = {
      'empty.yaml': 'endpoints: []',
      'shop.yaml': 'endpoints: [{ method: GET, path: /orders }]',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(world.folder, name), text)
  })

  it.each(bad)('reports the fault of %s in one line, and starts no run', async (_name, file, expected, message) => {
    const { code, out, err } = await world.run(['ask', 'x', '--api', file])
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(out).toBe('')
    expect(code).toBe(expected)
    expect((await world.run(['runs', 'list', '--json'])).out).not.toContain('"question": "x"')
  })

  it('has a name of its own', async () => {
    const twice = await world.run(['ask', 'x', '--api', 'shop.yaml', '--api', 'shop.yaml'])
    expect(twice).toMatchObject({ code: 3, err: expect.stringContaining('Two APIs are named "shop"') })
  })
})

describe('an internal host', () => {
  const server = openForAll(startApiServer)
  beforeAll(async () => {
    const endpoint = '{ method: GET, path: /orders, summary: List orders }'
    await writeFile(join(world.folder, 'inside.yaml'), `base_url: ${server.url}\nendpoints:\n  - ${endpoint}\n`)
  })

  it('is refused when a file names it, and allowed by the operator', async () => {
    const ask = ['ask', 'GET /orders', '--api', 'inside.yaml']
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
