import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { startModelServer } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { createReader, createTestDatabase } from '../support/postgres.ts'
import { createDemoWorld, DEMO_ENV, modelEnv } from './support.ts'

/** Command line options of a run that another process resumes. */

const world = openForAll(createDemoWorld)

const env = DEMO_ENV
const ask = (question: string): string[] => ['ask', question, ...world.api]

describe('a change through an API, without a terminal', () => {
  it('waits through kill -9, is not resumed by a server, and is made once, once the API is named again', async () => {
    const running = world.start(ask('POST /orders/915/cancel'), { env })
    const id = await running.approvalId()
    await running.kill()
    expect(await world.statusOf(915)).toBe('open')

    for (const command of [
      ['approvals', 'approve', id],
      ['approvals', 'deny', id],
      ['runs', 'resume', id.split('.')[0]!],
    ]) {
      const unnamed = await world.run(command, { env })
      expect(unnamed).toMatchObject({ code: 3, out: '' })
      expect(unnamed.err).toContain('was started with other sources. Add its --db, --api, --mcp and --allow-host: ')
      expect(unnamed.err.trimEnd().split('\n')).toHaveLength(1)
    }
    expect(await world.statusOf(915)).toBe('open')

    const server = await world.run(['serve', '--port', '0'])
    expect(server.err).toMatch(new RegExp(`Did not continue run ${id.slice(0, 8)},.*runs resume \\w+`))
    expect(server.err).not.toContain('Continued')
    expect(await world.statusOf(915)).toBe('open')

    const approved = await world.run(['approvals', 'approve', id, ...world.api], { env })
    expect(approved.code).toBe(0)
    expect(approved.out).toContain('Done: POST /orders/915/cancel was answered with 200')
    expect(await world.statusOf(915)).toBe('cancelled')
    const again = await world.run(['approvals', 'approve', id, ...world.api], { env })
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('Too late') })
  })
})

describe('an internal host that a command line option allows', () => {
  it('is still allowed when another command continues the run', async () => {
    const document = await (await fetch(`${world.demo.url}/openapi.json`)).text()
    await writeFile(join(world.folder, 'inside.json'), document)
    const allowed = ['--allow-host', new URL(world.demo.url).host]
    const running = world.begin(['ask', 'POST /orders/947/cancel', '--api', 'inside.json', ...allowed], { env })
    const id = await running.approvalId()
    const approved = await world.run(['approvals', 'approve', id, '--api', 'inside.json', ...allowed], { env })
    expect(approved.code).toBe(0)
    expect(await world.statusOf(947)).toBe('cancelled')
    expect((await running.done).code).toBe(0)
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
  it('are named again to resume a run or to fork it', async () => {
    const runId = await killedRun(['--db', 'books=sqlite:shop.sqlite'])
    expect(await world.run(['runs', 'resume', runId, '--json'])).toMatchObject({ code: 3 })
    const wrong = await world.run(['runs', 'resume', runId, '--db', 'sqlite:brindlemoor.sqlite', '--json'])
    expect(wrong).toMatchObject({
      code: 3,
      err: expect.stringMatching(/shop\.sqlite\. Leave out .*brindlemoor\.sqlite/),
    })
    const resumed = await world.run(['runs', 'resume', runId, '--db', 'sqlite:shop.sqlite', '--json'])
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.out)).toMatchObject({ data: { rows: [{ number_of_customers: 3 }] } })
    const other = ['--db', 'sqlite:brindlemoor.sqlite', '--json']
    const moved = await world.run(['runs', 'fork', runId, '--from', 'sql', ...other])
    expect(JSON.parse(moved.out)).toMatchObject({ agentResults: [{ sources: [{ name: 'brindlemoor' }] }] })
  })

  it('are not needed for a finished run', async () => {
    const file = join(world.folder, 'gone.sqlite')
    await createDemoDatabase(file)
    const asked = await world.json(['ask', 'How many customers are there?', '--db', `sqlite:${file}`])
    await rm(file)
    const resumed = await world.run(['runs', 'resume', asked.metadata.runId])
    expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining('92') })
    expect(resumed.err).toContain('already finished')
  })

  const postgresUrl = inject('postgresUrl')
  describe.skipIf(postgresUrl === '')('with a password (needs PostgreSQL on this machine)', () => {
    it('are not stored with it', async () => {
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
      const named = await world.run(['runs', 'resume', runId, '--db', `crm=${url.href}`, '--json'])
      expect(named.code).toBe(0)
      expect(JSON.parse(named.out)).toMatchObject({ data: { rows: [{ number_of_customers: 2 }] } })
      const over = await world.run(['runs', 'resume', runId])
      expect(over).toMatchObject({ code: 0, err: expect.stringContaining('already finished') })
      expect(await inDataFolder('geheim-7731')).toBe(false)
    })
  })
})

/** A run over the sources that was killed while it asked a model. */
async function killedRun(sources: readonly string[]): Promise<string> {
  const models = await startModelServer([{ reply: { fault: 'stall' } }])
  const args = ['ask', 'How many customers are there?', '--strategy', 'pipeline', ...sources]
  const running = world.start(args, { env: modelEnv(models) })
  await models.arrived(1)
  await running.kill()
  await models.close()
  return world.newestRun()
}
