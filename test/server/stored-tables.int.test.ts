import { beforeAll, expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import { describeAppStorages } from '../support/app-storage.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** Tutti's own tables as admins see them. */

const PASSWORD = 'a long enough sentence'
const SECRET = 'Zq7-configured-secret-81'

type Tables = Operations['GET /storage/tables']['answer']
type Rows = Operations['GET /storage/tables/{table}/rows']['answer']

describeAppStorages('stored tables', (place) => {
  const world = openForAll(() => startHttpWorld({ storage: place.storage, secrets: [SECRET] }))
  let key: string
  beforeAll(async () => {
    const ada = await world.app.people.accounts.add('test', { username: 'ada', password: PASSWORD })
    key = (await world.app.people.keys.create(ada.userId, { name: 'script', scopes: ['read'] })).key
    await world.json('/query', { json: { question: `What is 6 * 7? The code is ${SECRET}.` } })
  })
  const rowsOf = (table: string, look = '') => world.json<Rows>(`/storage/tables/${table}/rows${look}`, { as: 'root' })

  it('show stored data, without secrets, hashes and the logs of runs', async () => {
    const { items } = await world.json<Tables>('/storage/tables', { as: 'root' })
    const names = items.map(({ name }) => name)
    const shown = ['users', 'sessions', 'conversations', 'messages', 'agent_executions', 'approvals', 'runs']
    expect(names).toEqual(expect.arrayContaining(shown))
    expect(names).not.toContain('events')
    expect(names).not.toContain('mailboxes')
    const all = await Promise.all(names.map((name) => rowsOf(name)))
    const text = JSON.stringify(all)
    expect(text).toContain('What is 6 * 7?')
    for (const secret of [PASSWORD, SECRET, key, '$argon2', '"hash"', '"password"', '"sealed"']) {
      expect(text).not.toContain(secret)
    }
  })

  it('are filtered by day, with times in ISO 8601', async () => {
    const { rows, columns } = await rowsOf('runs', '?filter=created_at:ge:2020-01-01')
    expect(rows).toHaveLength(1)
    expect(Date.parse(String(rows[0]![columns.indexOf('created_at')]))).toBeGreaterThan(Date.now() - 600_000)
    expect((await rowsOf('runs', '?filter=created_at:lt:2020-01-01')).rows).toEqual([])
    const users = await rowsOf('users', '?filter=username:is:ada')
    expect(users.rows[0]![users.columns.indexOf('username')]).toBe('ada')
  })

  it('are for admins; hidden tables are not found, and the audit records each read', async () => {
    expect(await world.status('/storage/tables')).toBe(403)
    expect(await world.status('/storage/tables/users/rows')).toBe(403)
    expect(await rowsOf('events')).toMatchObject({ code: 'NotFound' })
    expect(await rowsOf('users', '?filter=password:has:a')).toMatchObject({ code: 'InvalidRequest' })
    const targets = (await world.app.people.audit()).filter(({ action }) => action === 'read stored table')
    expect(targets.map(({ target }) => target)).toContain('users')
  })
})

it('tables kept in memory cannot be shown', async () => {
  const world = await startHttpWorld()
  expect(await world.json('/storage/tables', { as: 'root' })).toMatchObject({ code: 'NotFound' })
  await world.close()
})
