import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import type { Operations } from '../../src/client/api-types.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { sharedOwner } from '../../src/documents/collections.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { documentOf } from '../documents/support/stored-document.ts'
import { createFolder } from '../support/folder.ts'
import { startHttpWorld, startModelWorld } from '../support/http-server.ts'
import { askingTwice } from '../support/one-role.ts'
import { toolCall, type ModelRequest } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { Visitor } from '../support/visitor.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

const DAY_MS = 86_400_000

const CHART = { type: 'bar', title: 'Sales', x: 'month', series: ['sales'], rows: [{ month: 'May', sales: 7 }] }

const folder = openForAll(createFolder)
const shop = (): string => `sqlite:${join(folder.path, 'shop.sqlite')}`
beforeAll(() => createDemoDatabase(join(folder.path, 'shop.sqlite')))
const clock = new ManualClock(Date.UTC(2026, 4, 2, 12))

type Shared = Operations['GET /shared/{token}']['answer']
type Link = Operations['POST /conversations/{conversationId}/shares']['answer']

describe('conversations that are shared', () => {
  const world = openForAll(() => startHttpWorld({ clock, databases: [{ url: shop() }] }))
  let conversationId: string
  const ask = async (question: string): Promise<void> => {
    const about = conversationId === undefined ? {} : { conversationId }
    const { metadata } = await world.json<RunResponse>('/query', { json: { question, ...about } })
    conversationId = metadata.conversationId!
  }
  const share = (json: object = {}, as = 'ada') =>
    world.json<Link>(`/conversations/${conversationId}/shares`, { as, json })
  const open = (path: string) => world.json<Shared>(path, { as: null })
  const status = (path: string) => world.status(path, { as: null })

  beforeAll(() => ask('How many customers are there?'))

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
    for (const [path, asking] of [
      [at, {}],
      [at, { json: {} }],
      [`${at}/${shareId}`, { method: 'DELETE' }],
    ] as const)
      expect(await world.status(path, { as: 'ben', ...asking })).toBe(404)
    expect(await world.status(`${at}/${shareId}`, { method: 'DELETE' })).toBe(204)
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
    const made = (as: string) => world.status(`/conversations/${conversationId}/shares`, { as, json: {} })
    expect([await made('key-ask'), await made('ada')]).toEqual([403, 201])
  })
})

describe('a shared answer with a chart', () => {
  const drawn = [
    { times: 1, when: ({ body }: ModelRequest) => 'tools' in body, reply: toolCall('chart', CHART) },
    { reply: { text: 'Sales by month.' } },
  ]
  const world = openForAll(() => startModelWorld(drawn))

  it('includes the chart', async () => {
    const { metadata } = await world.json<RunResponse>('/query', { json: { question: 'Draw them.' } })
    const link = await world.json<Link>(`/conversations/${metadata.conversationId}/shares`, { json: {} })
    const { messages } = await world.json<Shared>(link.path, { as: null })
    expect(messages[1]!.charts).toEqual([CHART])
  })
})

describe('links to answers from a revoked source', () => {
  it('are closed until it is granted again; a removed source closes nothing', async () => {
    const databases = ['shop', 'other'].map((name) => ({ name, url: shop() }))
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
      const rules = documentOf('rules.md', ['Employees get 28 days of holiday.'])
      await own.app.knowledge.store.put(sharedOwner(collection.collectionId), rules)
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
    }
  })
})

describe('usage', () => {
  const world = openForAll(() => startModelWorld([{ reply: { text: 'Once.' } }], { clock, strategies: [askingTwice] }))

  it('is shown by day and model, users see their own and admins all of it, including deleted runs', async () => {
    type Items = { readonly items: readonly object[] }
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    const ask = (as: string) =>
      world.json<RunResponse>('/query', { as, json: { question: 'x', strategy: 'two-asks', memory: false } })
    const { metadata } = await ask('ada')
    const { calls, inputTokens, outputTokens } = metadata.usage
    expect(calls).toBe(2)
    await ask('ben')
    await ask('ada')
    await world.fetch(`/runs/${metadata.runId}`, { method: 'DELETE' })
    const model = 'compatible:scripted'
    const once = { day, model, calls, inputTokens, outputTokens }
    const twice = { runs: 2, calls: 4, inputTokens: 2 * inputTokens, outputTokens: 2 * outputTokens }
    await vi.waitFor(async () =>
      expect((await world.json<Items>('/usage/all', { as: 'root' })).items).toMatchObject([
        { userId: 'ada', ...once, ...twice },
        { userId: 'ben', ...once, runs: 1 },
      ]),
    )
    expect((await world.json<Items>('/usage/all?until=2026-01-31', { as: 'root' })).items).toEqual([])
    expect(await world.status('/usage/all?from=yesterday', { as: 'root' })).toBe(400)
  })

  it('excludes models that never answered, in lists, sums and filters', async () => {
    world.models.script([{ reply: { status: 401 } }])
    const { answer } = await world.json<RunResponse>('/query', {
      as: 'root',
      json: { question: 'x', strategy: 'two-asks', memory: false },
    })
    const seen = async (path: string) => world.json<{ readonly items: readonly object[] }>(path, { as: 'root' })
    await vi.waitFor(async () =>
      expect((await seen('/usage/all')).items).toContainEqual(
        expect.objectContaining({ userId: 'root', model: 'none', runs: 1 }),
      ),
    )
    expect((await seen('/runs/usage?from=2020-01-01T00:00:00Z')).items).toMatchObject([{ models: [] }])
    expect(await seen('/runs/parts')).toMatchObject({ models: [] })
    expect((await seen('/runs?model=compatible:scripted')).items).toEqual([])
    expect(answer).not.toBe('Once.')
  })
})
