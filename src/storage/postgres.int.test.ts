import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/support/postgres.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { note, started } from '../../test/support/storage.ts'
import { systemClock } from '../shared/clock.ts'
import type { TuttiError } from '../domain/errors.ts'
import { openStorage } from './index.ts'
import { openPostgres } from './postgres-connection.ts'
import { openFeed } from './postgres-feed.ts'
import { PostgresStore } from './postgres-store.ts'

const postgresUrl = inject('postgresUrl')

/** A way to the server that can lose the answer to a statement: it is carried out, and nobody learns of it. */
async function createLossyProxy(target: string) {
  const { hostname, port } = new URL(target)
  const state = { loseAnswerTo: undefined as string | undefined, times: 1 }
  const sockets = new Set<Socket>()
  const server: Server = createServer((inside) => {
    const outside = connect(Number(port), hostname)
    for (const socket of [inside, outside]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    let lose = false
    inside.on('data', (chunk) => {
      lose ||= state.loseAnswerTo !== undefined && chunk.includes(state.loseAnswerTo)
      outside.write(chunk)
    })
    inside.on('end', () => outside.end())
    outside.on('data', (chunk) => {
      if (!lose) return void inside.write(chunk)
      state.times -= 1
      if (state.times === 0) state.loseAnswerTo = undefined
      inside.destroy()
      outside.destroy()
    })
    outside.on('end', () => inside.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: url.href, state, close }
}

describe('opening PostgreSQL', () => {
  const open = (databaseUrl: string) => openStorage({ databaseUrl, clock: new ManualClock(), onError: () => {} })

  it('refuses a URL of another kind', async () => {
    await expect(open('mysql://x')).rejects.toMatchObject({ code: 'ConfigurationError' })
    await expect(open('postgres://a b:c')).rejects.toMatchObject({ code: 'ConfigurationError' })
  })

  it('reports that nothing listens, without the password', async () => {
    await expect(open('postgres://me:secret@127.0.0.1:1/x')).rejects.toMatchObject({
      code: 'StorageError',
      message: expect.stringMatching(/^The connection to PostgreSQL at 127.0.0.1:1\/x failed \(.*ECONNREFUSED/),
      retryable: true,
    })
  })

  it.skipIf(postgresUrl === '')('reports a missing database (needs a local PostgreSQL)', async () => {
    const url = new URL(postgresUrl)
    url.pathname = '/nowhere'
    await expect(open(url.href)).rejects.toMatchObject({
      code: 'StorageError',
      message: `PostgreSQL at ${url.host}/nowhere reports: database "nowhere" does not exist.`,
    })
  })

  it.skipIf(postgresUrl === '')('refuses a schema from the future (needs a local PostgreSQL)', async () => {
    const url = await createTestDatabase(postgresUrl)
    const connection = await openPostgres(url, () => {})
    await connection.all({ sql: 'INSERT INTO tutti_schema (version) VALUES (99)', parameters: [] })
    await connection.close()
    await expect(open(url)).rejects.toThrow('The database has schema version 99')
  })
})

describe.skipIf(postgresUrl === '')('PostgreSQL connections that break (need a local installation)', () => {
  let url: string
  let proxy: Awaited<ReturnType<typeof createLossyProxy>>
  let store: PostgresStore
  const errors: TuttiError[] = []

  beforeEach(async () => {
    errors.length = 0
    url = await createTestDatabase(postgresUrl)
    proxy = await createLossyProxy(url)
    const onError = (error: TuttiError): unknown => errors.push(error)
    const feed = await openFeed(proxy.url, { clock: systemClock, onError })
    store = new PostgresStore(await openPostgres(proxy.url, onError), feed, async () => {})
    await store.append([{ runId: 'a', afterSeq: 0, events: [started()] }])
  })
  afterEach(async () => {
    await store.close()
    proxy.close()
  })

  it('recognises its own append when only the response was lost', async () => {
    proxy.state.loseAnswerTo = 'tutti_append'
    const appends = [
      { runId: 'a', afterSeq: 1, events: [note('once')] },
      { runId: 'b', afterSeq: 0, events: [started()] },
      { runId: 'a', afterSeq: 7, events: [note('never')] },
    ]
    const waves = [appends.slice(0, 2), appends.slice(2)]
    expect(await store.append(waves[0]!)).toEqual(['appended', 'appended'])
    expect(proxy.state.loseAnswerTo).toBeUndefined()
    expect(await store.append(waves[1]!)).toEqual(['conflict'])
    expect(await store.read('a')).toHaveLength(2)
  })

  it('does not confuse an equal append of another process with its own', async () => {
    await store.append([{ runId: 'a', afterSeq: 1, events: [note('theirs')] }])
    proxy.state.loseAnswerTo = 'tutti_append'
    expect(await store.append([{ runId: 'a', afterSeq: 1, events: [note('mine')] }])).toEqual(['conflict'])
  })

  it('recognises its own claim when only the response was lost', async () => {
    proxy.state.loseAnswerTo = 'UPDATE runs SET epoch'
    expect(await store.claim('a', 'w1', 9_000, 1_000)).toMatchObject({ worker: 'w1', epoch: 1 })
    expect(proxy.state.loseAnswerTo).toBeUndefined()
    expect(await store.claim('a', 'w2', 9_000, 1_000)).toBeUndefined()
  })

  it('returns one clear error when the server stays down', async () => {
    proxy.state.loseAnswerTo = ''
    proxy.state.times = 1_000
    await expect(store.read('a')).rejects.toMatchObject({ code: 'StorageError', retryable: true })
    proxy.state.loseAnswerTo = undefined
    expect(await store.read('a')).toHaveLength(1)
  })

  it('survives the server ending all connections, busy and idle', async () => {
    const client = new pg.Client({ connectionString: postgresUrl })
    await client.connect()
    const name = new URL(url).pathname.slice(1)
    const work = Array.from({ length: 20 }, (_, i) =>
      store.append([{ runId: `r${i}`, afterSeq: 0, events: [started()] }]),
    )
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    for (const outcome of await Promise.all(work)) expect(outcome).toEqual(['appended'])
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    await client.end()
    expect(await store.runs()).toHaveLength(21)
    for (const error of errors) expect(error.code).toBe('StorageError')
  })
})
