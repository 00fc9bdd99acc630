import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { maskedExecutions } from '../../src/app/secrets.ts'
import { defineRole } from '../../src/domain/actor.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { responseOf } from '../../src/domain/response.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { traceOf } from '../../src/domain/trace.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { LiveItem } from '../../src/engine/readers/live.ts'
import { openStorage, type Storage } from '../../src/storage/index.ts'
import { lastingKey } from '../../src/storage/secret-key.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { agent, eventually, FakeModels, givenPlanner, request, say } from '../support/engine-world.ts'

/** One secret for each source of secrets. None is part of another. */
const PLANTED = {
  key: 'planted-Key-0001',
  nested: 'planted Nested 0002',
  number: 98_765_400_03,
  urlPassword: 'planted%40Url0004',
  urlKey: 'plantedQuery0005',
  bearer: 'plantedBearer0006',
  header: 'planted/Header+0007',
  field: 'planted-Field-0008',
  process: 'planted-Process-0009',
  question: 'plantedQuestion0010',
  shape: 'ghp_planted0123456789planted0011',
  dotted: 'plantedÜmlaut…0012',
} as const
const SECRETS = [...Object.values(PLANTED).map(String), 'planted@Url0004']

const context = {
  api_token: PLANTED.key,
  deep: [{ list: { clientSecret: PLANTED.nested } }],
  pin_key: PLANTED.number,
  api_base_url: `https://svc:${PLANTED.urlPassword}@shop.example/v1?api_key=${PLANTED.urlKey}&page=2`,
  api_headers: { Authorization: `Bearer ${PLANTED.bearer}`, 'X-Api-Key': PLANTED.header, Accept: 'a/b' },
  password: PLANTED.dotted,
  region: 'north',
}
const question = `Does postgres://ann:${PLANTED.question}@db.example/shop hold ${PLANTED.key}?`
/** All of them in one sentence, like the message of a careless service. */
const all = `Sent ${SECRETS.join(', then ')}; region north.`

const login = defineTool({
  name: 'login',
  description: 'Signs in.',
  input: z.object({ user: z.string(), code: z.string(), headers: z.record(z.string(), z.string()) }),
  effect: 'read',
  reach: 'inside',
  secretFields: ['code'],
  run: async ({ code }) => ({ echoed: code, [`for ${code}`]: all }),
})
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: login.input,
  effect: 'irreversible',
  secretFields: ['code'],
  run: async ({ code }) => ({ receipt: `paid with ${code}`, said: all }),
})

let folder: string
let storage: Storage | undefined
/** Inputs of jobs and tool calls. */
let seen: unknown[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-secrets-'))
  seen = []
})
afterEach(async () => {
  await storage?.close()
  storage = undefined
  await rm(folder, { recursive: true, force: true })
})

const leaky = agent(
  'leaky',
  async (_task, ctx) => {
    seen.push(ctx.request.context)
    // A secret that only a tool declares is not known before its first call.
    const before = all.replace(PLANTED.field, '')
    ctx.note('MESSAGE', `A note: ${before}`, { said: before, password: 'x', number: PLANTED.number })
    const headers = { 'X-Api-Key': PLANTED.header, accept: 'a/b' }
    const echoed = await ctx.call(login, { user: `ann ${PLANTED.key}`, code: PLANTED.field, headers })
    ctx.note('MESSAGE', `Another: ${all}`, { all })
    if (ctx.attempt === 1)
      throw new TuttiError('ToolError', `It broke: ${all}`, { retryable: true, details: { partial: all } })
    seen.push(echoed.echoed, await ctx.call(pay, { user: all, code: PLANTED.field, headers }))
    return {
      answer: all,
      data: { [all]: [all] },
      tabular: { columns: ['a'], rows: [{ a: all }, { a: PLANTED.number }], rowCount: 2 },
    }
  },
  { limits: { retries: 1 } },
)
const broken = agent('broken', async () => {
  throw new TuttiError('ToolError', `For good: ${all}`)
})

/** Writes the answer in pieces of three characters, which cuts every secret. */
const streaming = defineRole({
  name: 'composer',
  async run(ctx) {
    const { value = 'no model' } = await ctx.ask(say, all, { streamAnswer: true })
    ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
    return { answer: value }
  },
})

async function open(secretKey?: string): Promise<Engine> {
  const { process } = PLANTED
  const key = secretKey === undefined ? {} : { key: lastingKey(secretKey, join(folder, 'secret.key')) }
  storage = await openStorage({ dataDir: folder, clock: systemClock, secrets: [process], onError: fail, ...key })
  return new Engine({
    store: storage.store,
    models: new FakeModels((text) => ({ pieces: text.match(/.{1,3}/gs)! })),
    strategies: [pipeline],
    roles: [givenPlanner, streaming],
    agents: [leaky, broken],
    secrets: [process],
  })
}

function fail(error: Error): never {
  throw error
}

/** Starts the run and approves its call. Returns everything that its owner received. */
async function runIt(engine: Engine): Promise<{ runId: string; told: unknown[] }> {
  const runs = engine.as('ann')
  const runId = await runs.start(request(['leaky', 'broken'], { question, context }))
  const live: LiveItem[] = []
  const reading = (async () => {
    for await (const item of runs.stream(runId)) live.push(item)
  })()
  const [approval] = await eventually(async () => {
    const waiting = await runs.approvals({ status: 'pending' })
    return waiting.length > 0 && waiting
  })
  await runs.decide(approval!.approvalId, 'approved', 'ann', undefined)
  await reading
  return { runId, told: [live, approval] }
}

async function waysOut(engine: Engine, runId: string): Promise<unknown[]> {
  const runs = engine.as('ann')
  const events = await runs.events(runId)
  const later = await Promise.all(
    events.map(async ({ seq }) => {
      const items: LiveItem[] = []
      for await (const item of runs.stream(runId, { afterSeq: seq })) items.push(item)
      return items
    }),
  )
  const state = await runs.state(runId)
  return [
    events,
    events.flatMap((event) => (event.type === 'answer.delta' ? event.text : [])).join(''),
    ...later,
    ...later.map((items) => items.flatMap((item) => ('text' in item ? item.text : [])).join('')),
    state.request,
    [...state.jobs.values()],
    state.answerText,
    responseOf(events),
    traceOf(events),
    await runs.outcome(runId).then(({ jobs, answer }) => [[...jobs.values()], answer]),
    await runs.runs(),
    await runs.run(runId),
    await runs.approvals(),
    await maskedExecutions(storage!.executions, [PLANTED.process]).executions('ann'),
  ]
}

function inClear(text: string): string[] {
  return SECRETS.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)))
}

async function bytesOf(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

describe('secrets of a run', () => {
  it('are in no output and no file, while jobs use them', async () => {
    const engine = await open()
    const { runId, told } = await runIt(engine)
    expect(seen[0]).toMatchObject(context)
    expect(seen).toContain(PLANTED.field)
    expect(JSON.stringify(seen)).toContain('paid with')
    expect((await engine.state(runId)).request.context).toMatchObject(context)

    for (const way of [...told, ...(await waysOut(engine, runId))]) {
      expect(inClear(JSON.stringify(way))).toEqual([])
      expect(JSON.stringify(way)).not.toContain('sealed:')
    }
    expect(await engine.as('ann').state(runId)).toMatchObject({
      status: 'finished',
      request: { context: { region: 'north' } },
    })
    const { answer } = responseOf(await engine.as('ann').events(runId))
    expect(answer).toMatch(/^Sent \*\*\*, then .*; region north\.$/)

    // Written to the write-ahead log only, then to the file.
    expect(inClear(await bytesOf(folder))).toEqual([])
    await engine.close()
    await storage!.close()
    expect(inClear(await bytesOf(folder))).toEqual([])
  })

  it('are available after a restart, for a resume and a fork', async () => {
    let engine = await open()
    const runs = engine.as('ann')
    const runId = await runs.start(request(['leaky'], { question, context }))
    await eventually(async () => (await runs.run(runId))!.status === 'waiting')
    const before = await engine.events(runId)
    await engine.close()
    await storage!.close()

    engine = await open()
    expect(await engine.events(runId)).toEqual(before)
    const [approval] = await engine.as('ann').approvals({ status: 'pending' })
    await engine.as('ann').decide(approval!.approvalId, 'approved', 'ann')
    expect((await engine.as('ann').outcome(runId)).status).toBe('finished')

    const forkId = await engine.as('ann').fork(runId, 'compose:1', { context: { api_token: 'another-Key-1' } })
    await engine.outcome(forkId)
    expect((await engine.state(forkId)).request.context).toMatchObject({ ...context, api_token: 'another-Key-1' })
    // The fork shares events that were made with the old secret.
    expect(inClear(JSON.stringify(await waysOut(engine, forkId)))).toEqual([])
    await engine.close()
    await storage!.close()
    expect(inClear(await bytesOf(folder))).toEqual([])
  })

  it('prevent work on a run whose key is missing, without losing it', async () => {
    const [key, other] = ['a'.repeat(64), 'b'.repeat(64)]
    let engine = await open(key)
    const runId = await engine.as('ann').start(request(['leaky'], { question, context }))
    await eventually(async () => (await engine.as('ann').run(runId))!.status === 'waiting')
    const calls = seen.length
    await engine.close()
    await storage!.close()

    for (const wrong of [other, '']) {
      engine = await open(wrong)
      const message = /encrypted with another key \([0-9a-f]{8}\)\. Set TUTTI_SECRET_KEY .* secret\.key/
      await expect(engine.resume(runId)).rejects.toMatchObject({ code: 'ConfigurationError', message })
      await expect(engine.as('ann').fork(runId, 'leaky')).rejects.toMatchObject({ code: 'ConfigurationError', message })
      expect(inClear(JSON.stringify(await waysOutUnfinished(engine, runId)))).toEqual([])
      await engine.close()
      await storage!.close()
    }
    await writeFile(join(folder, 'secret.key'), 'no key\n')
    engine = await open('')
    await expect(engine.resume(runId)).rejects.toThrow('64 hexadecimal digits')
    await engine.close()
    await storage!.close()
    await rm(join(folder, 'secret.key'))

    engine = await open(key)
    const [approval] = await engine.as('ann').approvals({ status: 'pending' })
    await engine.as('ann').decide(approval!.approvalId, 'approved', 'ann')
    expect((await engine.as('ann').outcome(runId)).status).toBe('finished')
    expect(seen.length).toBeGreaterThan(calls)
    await engine.close()
  })

  it('of logs from before encryption are read and masked, too', async () => {
    const engine = await open()
    const { runId } = await runIt(engine)
    const events = (await engine.events(runId)).map(({ runId: _run, seq: _seq, v: _v, ...event }) => event)
    await engine.close()
    await storage!.close()
    const { openSqlite } = await import('../../src/storage/sqlite-connection.ts')
    const { SqliteStore } = await import('../../src/storage/sqlite-store.ts')
    const connection = await openSqlite(join(folder, 'tutti.db'))
    const bare = new SqliteStore(connection, () => undefined)
    const status = 'finished'
    await bare.append([
      { runId: 'old', afterSeq: 0, status, events: events.map(({ secrets: _none, ...event }) => event) },
    ])
    await bare.close()
    const again = await open()
    expect((await again.state('old')).request.context).toMatchObject(context)
    const shown = JSON.stringify([await again.as('ann').events('old'), responseOf(await again.as('ann').events('old'))])
    // The tool's own events declared this one.
    expect(inClear(shown).filter((secret) => secret !== PLANTED.field)).toEqual([])
    await again.close()
  })
})

async function waysOutUnfinished(engine: Engine, runId: string): Promise<unknown[]> {
  const runs = engine.as('ann')
  return [await runs.events(runId), (await runs.state(runId)).request, await runs.runs(), await runs.approvals()]
}
