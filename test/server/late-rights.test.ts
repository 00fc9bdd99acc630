import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'
import { rowsIn } from '../support/rows.ts'

/** Rights are checked again after the body has arrived, and again when accounts are changed, however long it takes. */

let folder: string
let world: HttpWorld
let root: string
/** Called for each request that was accepted by its headers. */
const letIn = new Map<string, () => void>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-late-'))
  world = await startHttpWorld({ storage: { folder }, cwd: folder, documents: [] }, (people) => {
    const authenticate = authenticateBy(people)
    return async (asking) => {
      const caller = await authenticate(asking)
      setImmediate(() => letIn.get(String(asking.headers['x-request-id']))?.())
      return caller
    }
  })
  root = (await world.app.people.accounts.add('', { username: 'root', role: 'admin' })).userId
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

interface Somebody {
  readonly userId: string
  readonly keyId: string
  readonly byKey: string
  readonly bySession: string
}

async function somebody(role: 'admin' | 'member' | 'viewer'): Promise<Somebody> {
  const { accounts, keys, signIn } = world.app.people
  const { userId } = await accounts.add(root, { username: `p-${randomUUID()}`, role })
  const { key, record } = await keys.create(userId, { name: 'k', scopes: SCOPES })
  const session = await signIn.begin(userId, 'here')
  return {
    userId,
    keyId: record.keyId,
    byKey: `Authorization: Bearer ${key}`,
    bySession: `Cookie: tutti_session=${session}`,
  }
}

interface Route {
  readonly method: string
  readonly path: string
}

/** All routes that change something and need rights, from the server's OpenAPI document. */
async function writingRoutes(): Promise<readonly Route[]> {
  const { paths } = await world.json<{ paths: Record<string, Record<string, { security?: unknown[] }>> }>(
    '/openapi.json',
  )
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
  const isPublic = ({ path }: Route): boolean => /^\/(?:hooks\/|session\/(?:register|reset)$|session$)/.test(path)
  return all.filter((route) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(route.method) && !isPublic(route))
}

const FORM = 'boundary=xx'
const file = '--xx\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\nwords\r\n--xx--\r\n'

/** The request body. Its first byte arrives long before the rest. */
function bodyOf({ method, path }: Route): { readonly type: string; readonly body: string } {
  if (method === 'PATCH' && path.startsWith('/uploads/'))
    return { type: 'application/offset+octet-stream', body: 'words' }
  if (method === 'POST' && /^\/(?:upload|attachments)$|\/documents$/.test(path))
    return { type: `multipart/form-data; ${FORM}`, body: file }
  return { type: 'application/json', body: '{"name":"late","role":"admin","question":"What is 2+3?","value":"x"}' }
}

/** @returns a function that sends the rest and returns the status */
async function begin(route: Route, address: string, credential: string): Promise<() => Promise<number>> {
  const { type, body } = bodyOf(route)
  const { port } = new URL(world.url)
  const socket: Socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => (answer += String(bytes)))
  const over = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => undefined)
  const requestId = randomUUID()
  const isIn = new Promise<void>((resolve) => letIn.set(requestId, resolve))
  const head = [
    `${route.method} ${address} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    credential,
    `X-Request-Id: ${requestId}`,
    'Tus-Resumable: 1.0.0',
    'Upload-Offset: 0',
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

/** An address of the route for a user, with ids of existing objects for its parameters. */
async function addressOf({ path }: Route, who: Somebody): Promise<string> {
  const { app } = world
  const ids: Record<string, () => Promise<string>> = {
    userId: async () => root,
    collectionId: async () =>
      (await app.people.collections.create(who.userId, `c ${randomUUID()}`, who.userId)).collectionId,
    uploadId: async () =>
      (await app.uploads.begin(who.userId, { uploadId: randomUUID(), name: 'a.md', bytes: 5 })).uploadId,
    field: async () => 'companyName',
    documents: async () => `documents-${'0'.repeat(32)}`,
  }
  const found = path.replaceAll(/[{:](\w+)\}?/g, '<$1>')
  let address = found
  for (const [mark, name] of found.matchAll(/<(\w+)>/g))
    address = address.replace(mark, await (ids[name!] ?? (async () => randomUUID()))())
  return address
}

const WAYS: Readonly<Record<string, (who: Somebody) => Promise<unknown>>> = {
  'shut out': ({ userId }) => world.app.people.accounts.setDisabled(root, userId, true),
  'a viewer': ({ userId }) => world.app.people.accounts.setRole(root, userId, 'viewer'),
  'without the key': ({ userId, keyId }) => world.app.people.keys.revoke(userId, keyId),
  'without the session': ({ userId }) => world.app.people.signIn.end(userId, { except: undefined }),
  erased: ({ userId }) => world.app.erasePerson(root, userId),
}

it.each(Object.keys(WAYS))(
  'nothing is done for a user who is %s when the body arrives',
  { timeout: 300_000 },
  async (way) => {
    const all = await writingRoutes()
    expect(all.length).toBeGreaterThan(55)
    // Every route is tried as a viewer. Each other way is tried on a quarter of the routes, because authentication is
    // the same for all.
    const routes = all.filter((_, place) => way === 'a viewer' || place % 4 === Object.keys(WAYS).indexOf(way) % 4)
    const viewer = await somebody('viewer')
    let refused = 0
    for (const route of routes) {
      if (way === 'a viewer') {
        const whole = await begin(route, await addressOf(route, await somebody('admin')), viewer.byKey)
        // Actions that viewers may take stay allowed.
        if ((await whole()) !== 403) continue
      }
      const who = await somebody('admin')
      const credential = way === 'without the session' ? who.bySession : who.byKey
      const rest = await begin(route, await addressOf(route, who), credential)
      await WAYS[way]!(who)
      const before = await rowsIn(folder)
      const status = await rest()
      expect.soft(status, `${route.method} ${route.path}`).toBe(way === 'a viewer' ? 403 : 401)
      expect.soft(await rowsIn(folder), `${route.method} ${route.path}`).toEqual(before)
      refused++
    }
    expect(refused).toBeGreaterThan(way === 'a viewer' ? 45 : 12)
  },
)

it('nothing is added by a user who was removed from the required group', async () => {
  const { collections, groups } = world.app.people
  const who = await somebody('member')
  const group = await groups.create(root, 'editors')
  await groups.addMember(root, group, who.userId)
  const made = await collections.create(root, 'shared')
  await collections.give(root, made, `group:${group}`, 'editor')
  const route = { method: 'POST', path: `/collections/${made.collectionId}/documents` }
  const [soon, late] = [await begin(route, route.path, who.byKey), await begin(route, route.path, who.byKey)]
  expect(await soon()).toBe(201)
  await groups.removeMember(root, group, who.userId)
  const before = await rowsIn(folder)
  expect(await late()).toBe(404)
  expect(await rowsIn(folder)).toEqual(before)
})

it('a former admin changes no account, checked in the transaction of the change', async () => {
  const { accounts, groups, keys, quotas, signIn, collections } = world.app.people
  const who = await somebody('admin')
  const other = await somebody('member')
  const by = who.userId
  const changes = [
    () => accounts.invite(by, 'admin'),
    () => accounts.resetToken(by, root),
    () => accounts.add(by, { username: `q-${randomUUID()}`, role: 'admin' }),
    () => accounts.setRole(by, by, 'admin'),
    () => accounts.setRole(by, other.userId, 'admin'),
    () => accounts.setDisabled(by, other.userId, true),
    () => accounts.setDisabled(by, by, false),
    () => groups.create(by, 'late'),
    () => groups.give(by, 'database:shop', `user:${by}`, 'editor'),
    () => quotas.set(by, { to: `user:${by}`, measure: 'runs', period: 'day', most: 9 }),
    () => signIn.clearSecondFactor(by, root),
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
