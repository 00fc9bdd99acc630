import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

/** What members and outsiders can find out, store and hide with their rights. */

interface Somebody {
  readonly userId: string
  readonly headers: Readonly<Record<string, string>>
}

const world = openForAll(() => startHttpWorld({}, authenticateBy))
let ann: Somebody
let ben: Somebody

async function somebody(role: 'admin' | 'member'): Promise<Somebody> {
  const { accounts, keys } = world.app.people
  const { userId } = await accounts.add('', { username: `p-${randomUUID()}`, role })
  const { key } = await keys.create(userId, { name: 'k', scopes: SCOPES })
  return { userId, headers: { authorization: `Bearer ${key}` } }
}

async function send(who: Somebody | undefined, method: string, path: string, body?: unknown, more = {}) {
  const response = await fetch(`${world.url}${path}`, {
    method,
    headers: { ...who?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

beforeAll(async () => {
  ann = await somebody('admin')
  ben = await somebody('member')
})

it('a member gets the same answer for an existing and a missing group', async () => {
  const { collections, groups } = world.app.people
  const secret = await groups.create(ann.userId, 'layoffs')
  const own = await groups.create(ann.userId, 'choir')
  await groups.addMember(ann.userId, own, ben.userId)
  const { collectionId } = await collections.create(ben.userId, 'songs', ben.userId)
  const give = (to: string, level?: string, who = ben) =>
    send(who, 'PUT', `/collections/${collectionId}/grants`, { to, ...(level && { level }) })
  for (const level of ['reader', undefined]) {
    const [there, byId, not] = [
      await give('group:layoffs', level),
      await give(`group:${secret}`, level),
      await give('group:nope', level),
    ]
    expect(there).toMatchObject({ status: 403, body: { code: 'NotAllowed' } })
    for (const other of [byId, not]) expect({ ...other.body, requestId: '' }).toEqual({ ...there.body, requestId: '' })
  }
  expect((await give('group:choir', 'reader')).status).toBe(204)
  await groups.removeMember(ann.userId, own, ben.userId)
  // They may revoke their own grant although they left the group.
  expect((await give('group:choir')).status).toBe(204)
  expect((await give('group:choir')).status).toBe(403)
})

it('the audit is paged and searchable, however many entries a member adds', async () => {
  const { collectionId } = await world.app.people.collections.create(ben.userId, 'piles', ben.userId)
  const path = `/collections/${collectionId}/grants`
  const before = (await send(ann, 'GET', '/audit?limit=1000')).body.items
  for (let i = 0; i < 5; i++) expect((await send(ben, 'PUT', path, { to: `user:${ann.userId}` })).status).toBe(404)
  expect((await send(ann, 'GET', '/audit?limit=1000')).body.items).toEqual(before)
  for (let i = 0; i < 4; i++) await send(ben, 'PUT', path, { to: `user:${ann.userId}`, level: 'reader' })
  const all = (await send(ann, 'GET', '/audit?limit=1000')).body.items as {
    id: number
    changedBy: string
    action: string
    target: string
  }[]
  const paged: unknown[] = []
  let cursor: string | undefined
  do {
    const { body } = await send(ann, 'GET', `/audit?limit=3${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    paged.push(...body.items)
    cursor = body.nextCursor
  } while (cursor !== undefined)
  expect(paged).toEqual(all)
  const [one] = all
  for (const field of ['changedBy', 'action', 'target'] as const) {
    const { body } = await send(ann, 'GET', `/audit?limit=1000&${field}=${encodeURIComponent(one![field])}`)
    expect(body.items).toEqual(all.filter((entry) => entry[field] === one![field]))
  }
  expect(all.some(({ changedBy }) => changedBy !== one!.changedBy)).toBe(true)
  const forged = Buffer.from('1 x').toString('base64url')
  expect((await send(ann, 'GET', `/audit?cursor=${forged}`)).status).toBe(400)
})

it('an export of a user by an admin is in the audit', async () => {
  expect((await send(ann, 'GET', `/people/${ben.userId}/export`)).status).toBe(200)
  const [last] = await world.app.people.audit(1)
  expect(last).toMatchObject({ changedBy: ann.userId, action: 'export person', target: ben.userId })
  expect((await send(ann, 'GET', '/people/nobody/export')).status).toBe(404)
  expect((await world.app.people.audit(1))[0]!.id).toBe(last!.id)
})

it('the health endpoints name the model to signed-in users only', async () => {
  for (const path of ['/health', '/ready']) {
    expect((await send(undefined, 'GET', path)).body).toEqual({ status: 'ok', version: expect.any(String) })
    expect((await send(ben, 'GET', path)).body).toHaveProperty('model')
  }
})
