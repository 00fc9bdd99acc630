import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

let folder: string
let world: HttpWorld
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-server-'))
  const file = join(folder, 'shop.sqlite')
  await createDemoDatabase(file)
  world = await startHttpWorld({ databases: [{ url: `sqlite:${file}` }] })
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

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
    const { items } = await world.json<{ items: readonly object[] }>('/memory/history')
    expect(items).toMatchObject([{ field: 'tone', source: { by: 'user' } }, { field: 'recentProjects' }])
    expect(await world.json('/memory/tone', { method: 'DELETE' })).toMatchObject({ preferences: {} })
    expect(await world.json('/memory', { method: 'DELETE' })).toEqual({ facts: {}, preferences: {}, entries: [] })
  })
})

describe('available sources', () => {
  it('are listed by name, without addresses', async () => {
    const { items } = await world.json<{ items: readonly { name: string; unavailable?: string }[] }>('/agents')
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['rag', 'sql', 'mail']))
    expect(items.find(({ name }) => name === 'rag')?.unavailable).toContain('No documents')
    const sources = await world.json('/sources')
    expect(sources).toMatchObject({ databases: [{ name: 'shop' }], documents: 0, hasMail: false })
    expect(await world.json('/strategies')).toMatchObject({ items: expect.arrayContaining([{ name: 'auto' }]) })
    const settings = await world.json('/settings', { as: 'root' })
    expect(settings).toMatchObject({ storage: 'memory, gone with the process', providers: [] })
    expect(JSON.stringify([sources, settings])).not.toContain(folder)
  })
})

describe('tables', () => {
  const json = <T>(path: string) => world.json<T>(`/databases/shop/tables${path}`, { as: 'root' })
  interface Rows {
    readonly columns: readonly string[]
    readonly rows: readonly (readonly unknown[])[]
    readonly hasMore: boolean
  }

  it('are read page by page, and by a value', async () => {
    const { items } = await json<{ items: readonly { name: string; columns: readonly { name: string }[] }[] }>('')
    expect(items.find(({ name }) => name === 'customers')?.columns.map(({ name }) => name)).toContain('company_name')
    const first = await json<Rows>('/customers/rows?limit=2')
    const next = await json<Rows>('/customers/rows?limit=2&offset=2')
    expect([first.rows.length, first.hasMore]).toEqual([2, true])
    expect(next.rows).not.toEqual(first.rows)
    const name = String(first.rows[1]![first.columns.indexOf('company_name')])
    const found = await json<Rows>(`/customers/rows?filter=${encodeURIComponent(`company_name:is:${name}`)}`)
    expect(found.rows).toContainEqual(first.rows[1])
  })

  it('search for the value as plain text', async () => {
    for (const value of ["' OR 1=1 --", "'; DROP TABLE customers; --", '\\', '\u0000', '%']) {
      const found = await json<Partial<Rows>>(
        `/customers/rows?filter=${encodeURIComponent(`company_name:is:${value}`)}`,
      )
      expect([value, found.rows ?? []]).toEqual([value, []])
    }
    expect(await json('/customers/rows?filter=name%22:is:x')).toMatchObject({ code: 'InvalidRequest' })
    expect(await json('/sqlite_master/rows')).toMatchObject({ code: 'NotFound' })
  })

  it('report a query that takes too long', async () => {
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
      const response = await world.fetch('/databases/shop/query', { as: 'root', json: { sql: endless } })
      expect(response.status).toBe(504)
      expect(await response.json()).toMatchObject({
        code: 'Timeout',
        detail: 'shop did not answer within 30 s; ask for less (a filter, fewer joins), or try again later.',
      })
    } finally {
      patience.mockRestore()
      asked.mockRestore()
    }
  })
})

describe('executions and metrics', () => {
  it('show executions, and request metrics', async () => {
    await world.json('/query', { json: { question: 'How many customers are there?' } })
    const { items } = await world.json<{ items: readonly object[] }>('/executions?actor=sql')
    expect(items).toMatchObject([{ actor: 'sql', status: 'succeeded' }])
    expect(await world.json('/executions', { as: 'ben' })).toEqual({ items: [] })
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
    expect((await world.fetch('/executions/all')).status).toBe(403)
    const text = await (await world.fetch('/metrics', { as: 'root' })).text()
    expect(text).toMatch(/tutti_http_request_duration_seconds_count\{method="POST",route="\/query",status="200"\} 1\n/)
    expect(text).not.toContain('customers are')
  })
})
