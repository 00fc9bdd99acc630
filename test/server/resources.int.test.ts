import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { createFolder } from '../support/folder.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const folder = openForAll(createFolder)
const file = (): string => join(folder.path, 'shop.sqlite')
beforeAll(() => createDemoDatabase(file()))
const world = openForAll(() => startHttpWorld({ databases: [{ url: `sqlite:${file()}` }] }))

describe('memory', () => {
  it('is read, corrected and erased by its user', async () => {
    const put = (field: string, value: unknown) => world.json(`/memory/${field}`, { method: 'PUT', json: { value } })
    expect(await put('tone', 'short\nand casual')).toMatchObject({ preferences: { tone: 'short and casual' } })
    expect(await put('recentProjects', ['Atlas', 'Beta'])).toMatchObject({
      facts: { recentProjects: ['Atlas', 'Beta'] },
    })
    expect(await put('tone', ' ')).toMatchObject({ code: 'InvalidRequest' })
    expect(await put('shoeSize', '42')).toMatchObject({ code: 'InvalidRequest' })
    expect(await world.json('/memory', { as: 'ben' })).toEqual({ facts: {}, preferences: {}, entries: [] })
    expect(await world.json('/memory/tone', { method: 'DELETE' })).toMatchObject({ preferences: {} })
    expect(await world.json('/memory', { method: 'DELETE' })).toEqual({ facts: {}, preferences: {}, entries: [] })
  })
})

describe('available sources', () => {
  it('are listed by name, without addresses', async () => {
    const { items } = await world.json<{ items: readonly { name: string; unavailable?: string }[] }>('/agents')
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['rag', 'sql', 'mail']))
    expect(items.find(({ name }) => name === 'rag')?.unavailable).toContain('No documents')
    const { sources } = await world.json<{ sources: object[] }>('/about')
    expect(sources).toMatchObject([{ kind: 'database', name: 'shop' }])
    expect(JSON.stringify(sources)).not.toContain(folder.path)
  })
})

describe('a query', () => {
  it('that takes too long is reported', async () => {
    const soon = new AbortController()
    const patience = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(soon.signal)
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
    const source = world.app.databases[0]!
    const query = source.query.bind(source)
    // The time limit expires while the query runs.
    const asked = vi.spyOn(source, 'query').mockImplementation((sql, signal) => {
      setImmediate(() => soon.abort())
      return query(sql, signal)
    })
    try {
      const answer = await world.json('/databases/shop/query', { as: 'root', json: { sql: endless } })
      expect(answer).toMatchObject({ status: 504, code: 'Timeout', detail: expect.stringContaining('within 30 s') })
    } finally {
      patience.mockRestore()
      asked.mockRestore()
    }
  })
})

describe('executions', () => {
  it('are listed for admins', async () => {
    await world.json('/query', { json: { question: 'How many customers are there?' } })
    const { accounts } = world.app.people
    const ben = await accounts.add('test', { username: 'ben', password: 'a long enough sentence' })
    const all = (query: string) => world.json<{ items: readonly object[] }>(`/executions/all${query}`, { as: 'root' })
    expect((await all('?actor=sql')).items).toMatchObject([{ actor: 'sql', status: 'succeeded', userId: 'ada' }])
    expect((await all('?userId=ben')).items).toEqual([])
    expect(await all('?userId=benn')).toMatchObject({ code: 'NotFound' })
    const looks = (await world.app.people.audit()).filter(({ action }) => action === 'read executions')
    expect(looks.map(({ changedBy, target }) => [changedBy, target])).toEqual([
      ['root', ben.userId],
      ['root', 'everyone'],
    ])
    expect((await all('?status=failed')).items).toEqual([])
    expect(await world.status('/executions/all')).toBe(403)
  })
})
