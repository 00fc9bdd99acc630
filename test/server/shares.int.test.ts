import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { defineRole } from '../../src/domain/actor.ts'
import type { Schemas } from '../../src/client/api-types.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import type { RegisteredStrategy } from '../../src/domain/strategy.ts'
import { sharedOwner } from '../../src/documents/collections.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { say } from '../support/engine-world.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'
import { Visitor } from '../support/visitor.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

const DAY_MS = 86_400_000

/** Asks the model twice. */
const teller: RegisteredStrategy = {
  strategy: {
    name: 'story',
    next: ({ jobs }) =>
      jobs.get('tell')?.result === undefined
        ? [{ key: 'tell', actor: 'teller', input: undefined }]
        : { finish: 'answered' },
  },
  roles: [
    defineRole({
      name: 'teller',
      async run(ctx) {
        await ctx.ask(say, 'a beginning')
        const { value = 'no model' } = await ctx.ask(say, 'an end')
        ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
        return {}
      },
    }),
  ],
}

let world: HttpWorld
let folder: string
const clock = new ManualClock(Date.UTC(2026, 4, 2, 12))

interface Shared {
  readonly title: string
  readonly messages: readonly { role: string; text: string; data?: { rows: object[] }; sources: { query?: string }[] }[]
}
interface Link {
  readonly shareId: string
  readonly path: string
}

describe('conversations that are shared', () => {
  let conversationId: string
  const ask = async (question: string): Promise<void> => {
    const about = conversationId === undefined ? {} : { conversationId }
    const { metadata } = await world.json<RunResponse>('/query', { json: { question, ...about } })
    conversationId = metadata.conversationId!
  }
  const share = (json: object = {}, as = 'ada') =>
    world.json<Link>(`/conversations/${conversationId}/shares`, { as, json })
  const open = (path: string) => world.json<Shared>(path, { as: null })
  const status = async (path: string) => (await world.fetch(path, { as: null })).status

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-shares-'))
    await createDemoDatabase(join(folder, 'shop.sqlite'))
    world = await startHttpWorld({ clock, databases: [{ url: `sqlite:${join(folder, 'shop.sqlite')}` }] })
    await ask('How many customers are there?')
  })
  afterAll(async () => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are readable with the link: texts, tables and titles at the time of sharing, and nothing else', async () => {
    const { path } = await share()
    await ask('What is 6 times 7?')
    const shared = await open(path)
    expect(shared.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(shared).toMatchObject({
      title: 'How many customers are there?',
      messages: [{ author: 'user' }, { author: 'own', data: { rowCount: 1 }, sources: [{ kind: 'database' }] }],
    })
    await world.json(`/conversations/${conversationId}`, { method: 'PATCH', json: { title: 'Of nobody else' } })
    expect(await open(path)).toEqual(shared)
    expect(await open((await share()).path)).toMatchObject({ title: 'Of nobody else' })
    const runs = await world.json<{ items: { runId: string }[] }>('/runs')
    const told = JSON.stringify(shared)
    for (const { runId } of runs.items) expect(told).not.toContain(runId)
    expect(told).not.toMatch(/select|conversationId|trace|agent|ada/i)
    const withQueries = await open((await share({ withQueries: true })).path)
    expect(JSON.stringify(withQueries)).toMatch(/select count/i)
  })

  it('exist until the link is withdrawn, has expired, or the conversation is deleted', async () => {
    const { shareId, path } = await share()
    const short = await share({ days: 2 })
    expect(await status(path)).toBe(200)
    // The response does not name the reason.
    expect([await status(`${path}x`), await status('/shared/nothing')]).toEqual([404, 404])
    const at = `/conversations/${conversationId}/shares`
    const { items } = await world.json<{ items: Link[] }>(at)
    expect(items.map((one) => one.shareId)).toContain(shareId)
    expect(JSON.stringify(items)).not.toContain(path.slice(-20))
    for (const method of ['GET', 'POST']) {
      const theirs = await world.fetch(at, { as: 'ben', method, ...(method === 'POST' ? { json: {} } : {}) })
      expect(theirs.status).toBe(404)
    }
    expect((await world.fetch(`${at}/${shareId}`, { as: 'ben', method: 'DELETE' })).status).toBe(404)
    expect((await world.fetch(`${at}/${shareId}`, { method: 'DELETE' })).status).toBe(204)
    expect([await status(path), await status(short.path)]).toEqual([404, 200])
    await clock.advance(2 * DAY_MS)
    expect(await status(short.path)).toBe(404)
    const last = await share()
    await world.fetch(`/conversations/${conversationId}`, { method: 'DELETE' })
    expect(await status(last.path)).toBe(404)
  })

  it('cannot be guessed', async () => {
    const tries = await Promise.all(Array.from({ length: 40 }, (_, i) => status(`/shared/try${i}`)))
    expect(new Set(tries)).toEqual(new Set([404, 429]))
    await clock.advance(60_000)
    conversationId = undefined!
    await ask('What is 6 * 7?')
    const { path } = await share()
    const reads = await Promise.all(Array.from({ length: 40 }, () => status(path)))
    expect(new Set(reads)).toEqual(new Set([200]))
  })

  it('are created by users, not by keys, which they would outlive', async () => {
    const made = (as: string) =>
      world.fetch(`/conversations/${conversationId}/shares`, { as, json: {} }).then((one) => one.status)
    expect([await made('key-ask'), await made('ada')]).toEqual([403, 201])
  })
})

describe('links to answers from a revoked source', () => {
  it('are closed until it is granted again; a removed source closes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-taken-'))
    await createDemoDatabase(join(folder, 'shop.sqlite'))
    const databases = ['shop', 'other'].map((name) => ({ name, url: `sqlite:${join(folder, 'shop.sqlite')}` }))
    const own = await startHttpWorld({ databases }, authenticateBy)
    try {
      const { accounts, groups, collections } = own.app.people
      await accounts.add('', { username: 'root', role: 'admin' })
      const { userId } = await accounts.add('', { username: 'dora', role: 'member' })
      const dora = new Visitor((path, asking) => own.fetch(path, asking))
      dora.cookies.set('tutti_session', await own.app.people.signIn.sessions.start(userId, 'test'))
      const crew = await groups.create('', 'crew')
      await groups.addMember('', crew, userId)
      const give = (source: string, isGiven: boolean) =>
        groups.setGrant('', source, `group:${crew}`, isGiven ? 'reader' : undefined)
      await give('database:shop', true)
      await give('database:other', true)
      const collection = await collections.create('', 'rules')
      const note = join(folder, 'rules.md')
      await writeFile(note, '# Rules\n\nEmployees get 28 days of holiday.\n')
      await own.app.knowledge.ingest.addPaths(sharedOwner(collection.collectionId), [note], { cwd: folder })
      await collections.setGrant('', collection, `group:${crew}`, 'reader')
      const share = async (question: string): Promise<string> => {
        const { metadata } = await dora.json<RunResponse>('/query', { json: { question } })
        return (await dora.json<Link>(`/conversations/${metadata.conversationId}/shares`, { json: {} })).path
      }
      const read = async (path: string): Promise<[number, string]> => {
        const answer = await own.fetch(path, { as: null })
        return [answer.status, await answer.text()]
      }
      const ofData = await share('How many customers are there in shop?')
      const ofRules = await share('How many days of holiday do employees get?')
      const ofNone = await share('What is 6 times 7?')
      const all = async () => (await Promise.all([ofData, ofRules, ofNone].map(read))).map(([status]) => status)
      expect((await read(ofRules))[1]).toContain('28 days')
      expect(await all()).toEqual([200, 200, 200])
      // The source of the answer, not another one.
      await give('database:other', false)
      expect(await all()).toEqual([200, 200, 200])
      await give('database:shop', false)
      expect(await all()).toEqual([404, 200, 200])
      expect((await read(ofData))[1]).toContain('This link is closed')
      await groups.setGrant('', 'database:shop', `user:${userId}`, 'reader')
      expect(await all()).toEqual([200, 200, 200])
      await groups.removeMember('', crew, userId)
      expect(await all()).toEqual([200, 404, 200])
      expect((await read(ofRules))[1]).not.toContain('28 days')
      for (const { documentId } of await own.app.knowledge.store.documents(sharedOwner(collection.collectionId)))
        await own.app.knowledge.store.remove(sharedOwner(collection.collectionId), documentId)
      expect(await all()).toEqual([200, 200, 200])
    } finally {
      await own.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('usage', () => {
  let models: ModelServer
  beforeAll(async () => {
    models = await startModelServer([{ reply: { text: 'Once.' } }])
    const providers = [{ kind: 'compatible' as const, baseUrl: models.url, defaultModel: 'scripted' }]
    world = await startHttpWorld({ clock, strategies: [teller], models: { providers } })
  })
  afterAll(async () => {
    await world.close()
    await models.close()
  })

  it('is shown by day and model, users see their own and admins all of it, including deleted runs', async () => {
    type Items = { readonly items: readonly object[] }
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    const ask = (as: string) =>
      world.json<RunResponse>('/query', { as, json: { question: 'x', strategy: 'story', memory: false } })
    const isTried = async () =>
      (await world.json<{ items: readonly Schemas['SetUpSource'][] }>('/setup', { as: 'root' })).items.map(
        (one) => one.isTried,
      )
    expect(await isTried()).toEqual([false])
    const { metadata } = await ask('ada')
    expect(await isTried()).toEqual([true])
    const { calls, inputTokens, outputTokens } = metadata.usage
    expect(calls).toBe(2)
    await ask('ben')
    await ask('ada')
    await world.fetch(`/runs/${metadata.runId}`, { method: 'DELETE' })
    const model = 'compatible:scripted'
    const once = { day, model, calls, inputTokens, outputTokens }
    await vi.waitFor(async () =>
      expect((await world.json<Items>('/usage')).items).toMatchObject([
        { ...once, runs: 2, calls: 4, inputTokens: 2 * inputTokens, outputTokens: 2 * outputTokens },
      ]),
    )
    expect((await world.json<Items>('/usage/all', { as: 'root' })).items).toMatchObject([
      { userId: 'ada', runs: 2 },
      { userId: 'ben', runs: 1, ...once },
    ])
    expect((await world.json<Items>('/usage', { as: 'pia' })).items).toEqual([])
    expect((await world.json<Items>('/usage?until=2026-01-31')).items).toEqual([])
    expect((await world.fetch('/usage?from=yesterday')).status).toBe(400)
  })

  it('excludes models that never answered, in lists, sums and filters', async () => {
    models.script([{ reply: { status: 401 } }])
    const { answer } = await world.json<RunResponse>('/query', {
      as: 'root',
      json: { question: 'x', strategy: 'story', memory: false },
    })
    const seen = async (path: string) => world.json<{ readonly items: readonly object[] }>(path, { as: 'root' })
    await vi.waitFor(async () => expect((await seen('/usage')).items).toMatchObject([{ model: 'none', runs: 1 }]))
    expect((await seen('/runs/usage?from=2020-01-01T00:00:00Z')).items).toMatchObject([{ models: [] }])
    expect(await seen('/runs/parts')).toMatchObject({ models: [] })
    expect((await seen('/runs?model=compatible:scripted')).items).toEqual([])
    expect(answer).not.toBe('Once.')
  })
})
