// Soak test: starts many processes on one data folder.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { sqlLoop, startModelServer } from '../support/model-server.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { createCliWorld, filesUnder, modelEnv } from './support.ts'
import { openForAll } from '../support/opened.ts'

const postgresUrl = inject('postgresUrl')

describe.skipIf(postgresUrl === '')('runs kept in PostgreSQL (needs PostgreSQL on this machine)', () => {
  const world = openForAll(() => createCliWorld())
  let DATABASE_URL: string
  beforeAll(async () => {
    DATABASE_URL = await createTestDatabase(postgresUrl)
    await writeFile(join(world.folder, 'tutti.config.yaml'), 'databases:\n  - url: sqlite:shop.sqlite\n')
  })

  it('are asked and listed, with nothing written to the data folder', async () => {
    const env = { DATABASE_URL }
    const asked = await world.run(['ask', 'How many customers are there?', '--json'], { env })
    expect(asked.code).toBe(0)
    expect(JSON.parse(asked.out)).toMatchObject({ data: { rows: [{ number_of_customers: 3 }] } })
    const { out } = await world.run(['runs', 'list'], { env })
    expect(out).toContain('How many customers')
    expect(await filesUnder(world.dataDir)).toEqual([])
    const doctor = await world.run(['doctor'], { env })
    expect(doctor.code).toBe(0)
    expect(doctor.out).toContain('storage PostgreSQL')
  })

  it('are finished by a server when the asking process was killed', async () => {
    const models = await startModelServer([{ reply: { fault: 'stall' } }])
    const env = { DATABASE_URL, ...modelEnv(models) }
    const asking = world.start(['ask', 'How many orders are there?'], { env })
    await models.arrived(1)
    await asking.kill()
    models.script(sqlLoop('SELECT count(*) AS orders FROM orders', 'There are 3 orders.'))

    const server = world.start(['serve', '--port', '0'], { env })
    await server.said('Continued 1 unfinished run')
    const { runs } = await world.json(['runs', 'list', '--limit', '1'], { env: { DATABASE_URL } })
    const { runId } = runs[0]
    const look = () => world.run(['runs', 'show', runId, '--json'], { env: { DATABASE_URL } })
    let end = await look()
    while (!end.out.includes('"status": "finished"')) end = await look()
    expect(JSON.parse(end.out)).toMatchObject({ response: { data: { rows: [{ orders: 3 }] } } })
    server.child.kill('SIGINT')
    expect((await server.done).code).toBe(0)
    await models.close()
  })

  it('are accepted by one process and executed by another, live', async () => {
    const env = { DATABASE_URL }
    const [api, worker] = ['api', 'worker'].map((role) =>
      world.start(['serve', '--port', '0', '--role', role], { env }),
    )
    const [at, health] = await Promise.all([api!.saidOut(/at (http:\S+):/), worker!.saidOut(/at (http:\S+)\/ready/)])
    const [url, ofWorker] = [at, health].map((said) => /http:\/\/127\.0\.0\.1:\d+/.exec(said)![0])
    expect((await fetch(`${ofWorker!}/ready`)).status).toBe(200)
    expect((await fetch(`${ofWorker!}/runs`)).status).toBe(404)
    const client = createClient({ url: url! })
    const { runId } = await client.call('POST /runs', { body: { question: 'How many customers are there?' } })
    const logOf = async (id: string) => (await fetch(`${url}/runs/${id}/events?format=log`)).text()
    expect(await logOf(runId)).toMatch(/is 3\..*answer\.composed/)
    // Without a worker the run waits and is not lost.
    worker!.child.kill('SIGTERM')
    await worker!.done
    const later = await client.call('POST /runs', { body: { question: 'How many orders are there?' } })
    const waiting = await client.call('GET /runs/{runId}', { path: { runId: later.runId } })
    expect(waiting.run.status).toBe('running')
    const next = world.start(['serve', '--port', '0', '--role', 'worker'], { env })
    expect(await logOf(later.runId)).toMatch(/orders.*answer\.composed/i)
    for (const { child } of [api!, next]) child.kill('SIGTERM')
    await Promise.all([api!.done, next.done])
  })
})
