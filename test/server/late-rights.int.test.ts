import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { createFolder } from '../support/folder.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'
import { rowsIn } from '../support/rows.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'

/** Rights are checked again after the body has arrived, and again when accounts are changed, however long it takes. */

let root: string
/** Called for each request that was accepted by its headers. */
const letIn = new Map<string, () => void>()
const folder = openForAll(createFolder)
const world = openForAll(() =>
  startHttpWorld({ storage: { folder: folder.path }, cwd: folder.path, documents: [] }, (people) => {
    const authenticate = authenticateBy(people)
    return async (asking) => {
      const caller = await authenticate(asking)
      setImmediate(() => letIn.get(String(asking.headers['x-request-id']))?.())
      return caller
    }
  }),
)
beforeAll(async () => {
  root = (await world.app.people.accounts.add('', { username: 'root', role: 'admin' })).userId
})

interface Somebody {
  readonly userId: string
  readonly keyId: string
  readonly byKey: string
  readonly bySession: string
}

async function somebody(role: 'admin' | 'member'): Promise<Somebody> {
  const { accounts, keys, signIn } = world.app.people
  const { userId } = await accounts.add(root, { username: `p-${randomUUID()}`, role })
  const { key, record } = await keys.create(userId, { name: 'k', scopes: SCOPES })
  const session = await signIn.sessions.start(userId, 'here')
  return {
    userId,
    keyId: record.keyId,
    byKey: `Authorization: Bearer ${key}`,
    bySession: `Cookie: tutti_session=${session}`,
  }
}

interface Route {
  readonly method: string
  readonly type: string
  /** Its first byte arrives long before the rest. */
  readonly body: string
  readonly path: string
}

const FORM = '--xx\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\nwords\r\n--xx--\r\n'

/** The ways in which bodies are read. */
const ROUTES: Readonly<Record<string, Route>> = {
  JSON: {
    method: 'POST',
    type: 'application/json',
    body: '{"question":"What is 2+3?"}',
    path: '/query',
  },
  'a form': { method: 'POST', type: 'multipart/form-data; boundary=xx', body: FORM, path: '/upload' },
}

/** @returns a function that sends the rest and returns the status */
async function begin({ method, type, body, path }: Route, credential: string): Promise<() => Promise<number>> {
  const { port } = new URL(world.url)
  const socket: Socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => (answer += String(bytes)))
  const over = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => undefined)
  const requestId = randomUUID()
  const isIn = new Promise<void>((resolve) => letIn.set(requestId, resolve))
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    credential,
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 1)}`)
  await Promise.race([isIn, over])
  letIn.delete(requestId)
  return async () => {
    socket.write(body.slice(1))
    await over
    return Number(answer.split(' ', 2)[1])
  }
}

const WAYS: Readonly<Record<string, (who: Somebody) => Promise<unknown>>> = {
  'shut out': ({ userId }) => world.app.people.accounts.setDisabled(root, userId, true),
  'a viewer': ({ userId }) => world.app.people.accounts.setRole(root, userId, 'viewer'),
  'without the key': ({ userId, keyId }) => world.app.people.keys.revoke(userId, keyId),
  'without the session': ({ userId }) => world.app.people.signIn.sessions.end(userId, { except: undefined }),
  erased: ({ userId }) => world.app.erasePerson(root, userId),
}

describe.each(Object.entries(WAYS))('a user who is %s when the body arrives', (way, shutOut) => {
  it.each(Object.entries(ROUTES))('changes nothing with %s', async (_, route) => {
    const who = await somebody('admin')
    const credential = way === 'without the session' ? who.bySession : who.byKey
    const rest = await begin(route, credential)
    await shutOut(who)
    const before = await rowsIn(folder.path)
    expect(await rest()).toBe(way === 'a viewer' ? 403 : 401)
    expect(await rowsIn(folder.path)).toEqual(before)
  })
})

it('nothing is added by a user who was removed from the required group', async () => {
  const { collections, groups } = world.app.people
  const who = await somebody('member')
  const group = await groups.create(root, 'editors')
  await groups.addMember(root, group, who.userId)
  const made = await collections.create(root, 'shared')
  await collections.setGrant(root, made, `group:${group}`, 'editor')
  const path = `/collections/${made.collectionId}/documents`
  const [soon, late] = [
    await begin({ ...ROUTES['a form']!, path }, who.byKey),
    await begin({ ...ROUTES['a form']!, path }, who.byKey),
  ]
  expect(await soon()).toBe(201)
  await groups.removeMember(root, group, who.userId)
  const before = await rowsIn(folder.path)
  expect(await late()).toBe(404)
  expect(await rowsIn(folder.path)).toEqual(before)
})

it('a former admin changes no account, checked in the transaction of the change', async () => {
  const { accounts, groups, keys, quotas, collections } = world.app.people
  const who = await somebody('admin')
  const other = await somebody('member')
  const by = who.userId
  const changes = [
    () => accounts.createResetToken(by, root),
    () => accounts.add(by, { username: `q-${randomUUID()}`, role: 'admin' }),
    () => accounts.setRole(by, by, 'admin'),
    () => accounts.setRole(by, other.userId, 'admin'),
    () => accounts.setDisabled(by, other.userId, true),
    () => accounts.setDisabled(by, by, false),
    () => groups.create(by, 'late'),
    () => groups.setGrant(by, 'database:shop', `user:${by}`, 'editor'),
    () => quotas.set(by, { to: `user:${by}`, measure: 'runs', period: 'day', most: 9 }),
    () => collections.create(by, 'late'),
  ]
  await accounts.setRole(root, by, 'member')
  for (const change of changes) await expect(change()).rejects.toThrow('You no longer have permission to do this.')
  await accounts.setRole(root, by, 'admin')
  await accounts.setDisabled(root, by, true)
  const own = () => keys.create(by, { name: 'late', scopes: ['admin'] })
  for (const change of [...changes, own])
    await expect(change()).rejects.toThrow('You no longer have permission to do this.')
  await world.app.erasePerson(root, by)
  for (const change of [...changes, own])
    await expect(change()).rejects.toThrow('You no longer have permission to do this.')
})
