import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { DEMO_API_KEY, startDemoApi, type DemoApi } from '../../src/demo/api/server.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { startModelServer } from '../support/model-server.ts'
import { createReader, createTestDatabase } from '../support/postgres.ts'
import { createCliWorld, type CliWorld, type Running } from './support.ts'

/** Command line options of a run that another process resumes. */

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

const env = { TUTTI_API_KEY: DEMO_API_KEY }
const ask = (question: string): string[] => ['ask', question, '--api', `${demo.url}/openapi.json`]

async function get(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(demo.url + path, { headers: { 'x-api-key': DEMO_API_KEY } })
  return (await response.json()) as Record<string, unknown>
}

const statusOf = async (order: number): Promise<unknown> => (await get(`/orders/${order}`))['status']

/** The id of the approval that a command waits for. */
async function waitsFor(running: Running): Promise<string> {
  return /tutti approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
}

async function kill(running: Running): Promise<void> {
  running.child.kill('SIGKILL')
  await running.done
}

const newestRun = async (): Promise<string> => {
  const { out } = await world.run(['runs', 'list', '--json', '--limit', '1'])
  return (JSON.parse(out) as { runs: { runId: string }[] }).runs[0]!.runId
}

describe('a change through an API, without a terminal', () => {
  it('waits through kill -9, and is made once, without naming the API again', async () => {
    const running = world.start(ask('POST /orders/915/cancel'), { env })
    const id = await waitsFor(running)
    await kill(running)
    expect(await statusOf(915)).toBe('open')

    for (const decision of ['approve', 'deny']) {
      const keyless = await world.run(['approvals', decision, id])
      expect(keyless).toMatchObject({ code: 3, out: '' })
      expect(keyless.err).toMatch(/with a key, which is not stored; pass it again in TUTTI_API_KEY or with --api-key/)
      expect(keyless.err.trimEnd().split('\n')).toHaveLength(1)
    }
    expect(await statusOf(915)).toBe('open')

    const approved = await world.run(['approvals', 'approve', id], { env })
    expect(approved.code).toBe(0)
    expect(approved.out).toContain('Done: POST /orders/915/cancel was answered with 200')
    expect(await statusOf(915)).toBe('cancelled')
    const again = await world.run(['approvals', 'approve', id], { env })
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('Too late') })
  })

  it('is not resumed by a server without the API', async () => {
    const running = world.start(ask('POST /orders/909/cancel'), { env })
    const id = await waitsFor(running)
    await kill(running)
    const server = world.start(['serve', '--port', '0'])
    expect(await server.said(/runs resume \w+/)).toMatch(new RegExp(`Did not continue run ${id.slice(0, 8)},`))
    server.child.kill('SIGTERM')
    expect((await server.done).err).not.toContain('Continued')
    const approved = await world.run(['approvals', 'approve', id], { env })
    expect(approved.code).toBe(0)
    expect(await statusOf(909)).toBe('cancelled')
  })
})

describe('an internal host that a command line option allows', () => {
  it('is still allowed when the run is resumed', async () => {
    const document = await (await fetch(`${demo.url}/openapi.json`)).text()
    await writeFile(join(world.folder, 'inside.json'), document)
    const allowed = ['--allow-host', new URL(demo.url).host]
    const running = world.start(['ask', 'POST /orders/947/cancel', '--api', 'inside.json', ...allowed], { env })
    const id = await waitsFor(running)
    await kill(running)
    const approved = await world.run(['approvals', 'approve', id], { env })
    expect(approved.code).toBe(0)
    expect(await statusOf(947)).toBe('cancelled')
  })
})

/** Whether any file of the data folder contains the text. */
async function inDataFolder(text: string): Promise<boolean> {
  const files = (await readdir(world.dataDir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  const contents = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name))))
  expect(contents.some((content) => content.includes('run.started'))).toBe(true)
  return contents.some((content) => content.includes(text))
}

describe('databases and hosts of command line options', () => {
  it('apply to a resumed run and a fork; repeated options replace them', async () => {
    const runId = await killedRun(['--db', 'books=sqlite:shop.sqlite'])
    const resumed = await world.run(['runs', 'resume', runId, '--json'])
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.out)).toMatchObject({ data: { rows: [{ number_of_customers: 3 }] } })
    const forked = await world.run(['runs', 'fork', runId, '--from', 'sql', '--json'])
    expect(JSON.parse(forked.out)).toMatchObject({ agentResults: [{ sources: [{ name: 'books' }] }] })
    const other = ['--db', 'sqlite:brindlemoor.sqlite', '--json']
    const moved = await world.run(['runs', 'fork', runId, '--from', 'sql', ...other])
    expect(JSON.parse(moved.out)).toMatchObject({ agentResults: [{ sources: [{ name: 'brindlemoor' }] }] })
  })

  it('are not needed for a finished run', async () => {
    const file = join(world.folder, 'gone.sqlite')
    await createDemoDatabase(file)
    const asked = await world.run(['ask', 'How many customers are there?', '--db', `sqlite:${file}`, '--json'])
    const { runId } = (JSON.parse(asked.out) as { metadata: { runId: string } }).metadata
    await rm(file)
    const { code, out, err } = await world.run(['runs', 'resume', runId])
    expect(code).toBe(0)
    expect(out).toContain('92')
    expect(err).toContain('already finished')
  })

  const postgresUrl = inject('postgresUrl')
  describe.skipIf(postgresUrl === '')('with a password (needs PostgreSQL on this machine)', () => {
    it('are not stored with it, and requested again in one clear sentence', async () => {
      const base = await createTestDatabase(postgresUrl)
      const { Client } = await import('pg')
      const client = new Client({ connectionString: base })
      await client.connect()
      await client.query('CREATE TABLE customers (customer_id int PRIMARY KEY); INSERT INTO customers VALUES (1), (2)')
      await client.end()
      const url = new URL(await createReader(base))
      url.password = 'geheim-7731'

      const runId = await killedRun(['--db', `crm=${url.href}`])
      expect(await inDataFolder('geheim-7731')).toBe(false)
      const resumed = await world.run(['runs', 'resume', runId])
      expect(resumed).toMatchObject({ code: 3, out: '' })
      expect(resumed.err).toContain(
        `postgres://${url.username}@${url.host}${url.pathname}, whose password is not stored`,
      )
      expect(resumed.err).toContain('pass it again with --db')
      expect(resumed.err.trimEnd().split('\n')).toHaveLength(1)

      const named = await world.run(['runs', 'resume', runId, '--db', `crm=${url.href}`, '--json'])
      expect(named.code).toBe(0)
      expect(JSON.parse(named.out)).toMatchObject({ data: { rows: [{ number_of_customers: 2 }] } })
      const forked = await world.run(['runs', 'fork', runId, '--from', 'sql'])
      expect(forked).toMatchObject({ code: 3, err: expect.stringContaining('password is not stored') })
      const over = await world.run(['runs', 'resume', runId])
      expect(over).toMatchObject({ code: 0, err: expect.stringContaining('already finished') })
      expect(await inDataFolder('geheim-7731')).toBe(false)
    })
  })
})

/** A run over the sources that was killed while it asked a model. */
async function killedRun(sources: readonly string[]): Promise<string> {
  const models = await startModelServer([{ reply: { fault: 'stall' } }])
  const model = { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }
  const running = world.start(['ask', 'How many customers are there?', '--strategy', 'pipeline', ...sources], {
    env: model,
  })
  await models.arrived(1)
  await kill(running)
  await models.close()
  return newestRun()
}
