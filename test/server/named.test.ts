import { expect, it } from 'vitest'
import { startHttpWorld, type Asking, type HttpWorld } from '../support/http-server.ts'

/**
 * A request names users, groups and collections by id or by name, with the same result. An unknown name is refused, changes nothing
 * and is not in the audit. Every address that names a group, person or collection is listed here.
 */
type Slot = 'group' | 'user' | 'collection'
type Request = readonly [address: string, json?: Readonly<Record<string, unknown>> | undefined]

const REQUESTS: readonly Request[] = [
  ['DELETE /groups/{group}'],
  ['GET /groups/{group}/removal'],
  ['GET /groups/{group}/members'],
  ['DELETE /groups/{group}/members/{user}'],
  ['PUT /groups/{group}/members/{user}'],
  ['PATCH /people/{user}', { role: 'viewer', isDisabled: true, hasSecondFactor: false }],
  ['PATCH /people/{user}', { hasSecondFactor: false }],
  ['PATCH /people/{user}', {}],
  ['POST /people/{user}/reset', {}],
  ['DELETE /people/{user}'],
  ['GET /people/{user}/export'],
  ['GET /people/{user}/access'],
  ['GET /executions/all?userId={user}'],
  ['PUT /grants', { source: 'database:shop', to: 'user:{user}', level: 'reader' }],
  ['PUT /grants', { source: 'database:shop', to: 'group:{group}', level: 'editor' }],
  ['PUT /grants', { source: 'database:shop', to: 'group:{group}' }],
  ['PUT /limits', { to: 'user:{user}', measure: 'runs', period: 'day', most: 3 }],
  ['PUT /limits', { to: 'group:{group}', measure: 'runs', period: 'day', most: 3 }],
  ['GET /collections/{collection}'],
  ['PATCH /collections/{collection}', { name: 'other' }],
  ['DELETE /collections/{collection}'],
  ['GET /collections/{collection}/grants'],
  ['PUT /collections/{collection}/grants', { to: 'user:{user}', level: 'reader' }],
  ['PUT /collections/{collection}/grants', { to: 'group:{group}', level: 'editor' }],
  ['PUT /collections/{collection}/grants', { to: 'group:{group}' }],
  ['GET /collections/{collection}/documents'],
  ['POST /collections/{collection}/documents', { file: 'more.md' }],
  ['DELETE /collections/{collection}/documents/{document}'],
  ['DELETE /collections/given/{collection}'],
  ['DELETE /collections/given/{collection}?to=user:{user}'],
  ['POST /query', { question: 'How many days of notice does the lease need?', collections: ['{collection}'] }],
]

interface Installation {
  readonly world: HttpWorld
  readonly ids: ReadonlyMap<string, string>
  /** The whole state, with names instead of ids. */
  state(): Promise<string>
  /** Replaces values that differ between installations by names. */
  plain(text: string): string
}

/** @param withDocument which takes a process that reads it */
async function install(withDocument = false): Promise<Installation> {
  const ids = new Map<string, string>()
  const world = await startHttpWorld(
    { databases: [{ name: 'shop', url: 'sqlite:/nowhere/shop.sqlite' }] },
    (people) => async () => people.callerOf(ids.get('root')!),
  )
  const { accounts, groups, collections, quotas } = world.app.people
  for (const [username, role] of Object.entries({ root: 'admin', ben: 'member', eva: 'member' } as const)) {
    ids.set(username, (await accounts.add('test', { username, role })).userId)
  }
  for (const name of ['sales', 'hr']) ids.set(name, await groups.create('test', name))
  await groups.addMember('test', ids.get('sales')!, ids.get('ben')!)
  const handbook = await collections.create('test', 'handbook')
  const lease = await collections.create('test', 'lease', ids.get('eva')!)
  await collections.give('test', lease, `user:${ids.get('ben')!}`, 'reader')
  for (const one of [handbook, lease]) ids.set(one.name, one.collectionId)
  await collections.give('test', handbook, `group:${ids.get('sales')!}`, 'reader')
  await groups.give('test', 'database:shop', `group:${ids.get('sales')!}`, 'reader')
  if (withDocument) {
    const sent = await send(world, `/collections/${handbook.collectionId}/documents`, 'notice.md')
    ids.set(
      'notice.md',
      ((await sent.json()) as { items: { document: { documentId: string } }[] }).items[0]!.document.documentId,
    )
  }
  const plain = (text: string): string => {
    let read = text
    for (const [name, id] of ids) read = read.replaceAll(id, name)
    return read
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'THEN')
      .replaceAll(/"token":"[\w-]+"/g, 'TOKEN')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{32,64}\b/g, 'ID')
  }
  const state = async (): Promise<string> => {
    const all = await groups.list()
    const found = {
      people: (await accounts.list()).map(({ username, role, isDisabled }) => [username, role, isDisabled]),
      groups: all.map(({ name, members }) => [name, Number(members)]),
      members: await Promise.all(all.map(({ groupId }) => groups.members(groupId))),
      ofEach: await Promise.all(['ben', 'eva'].map((name) => groups.of(ids.get(name)!))),
      grants: [...(await groups.grants())],
      collections: await collections.of((await world.app.people.callerOf(ids.get('root')!))!),
      given: await collections.given(),
      readers: await collections.grants(handbook),
      limits: await quotas.list(),
      audit: (await world.app.people.audit(1_000)).map(({ action, target, detail }) => [action, target, detail]),
    }
    return plain(JSON.stringify(found).replaceAll(/"createdAt":\d+/g, ''))
  }
  return { world, ids, state, plain }
}

async function send(world: HttpWorld, path: string, name: string): Promise<Response> {
  const body = new FormData()
  body.append('file', new Blob(['The lease needs 42 days of notice.\n']), name)
  return world.fetch(path, { method: 'POST', body })
}

/** The targets of a request. */
function meant(address: string): Readonly<Record<Slot | 'document', string>> {
  const adds = address.startsWith('PUT /groups')
  const collection = address.includes('/given/') ? 'lease' : 'handbook'
  return { group: adds ? 'hr' : 'sales', user: adds ? 'eva' : 'ben', collection, document: 'notice.md' }
}

type Way = Partial<Record<Slot, string>>

/** Sends the request in each of these ways in one installation, and returns the results. */
async function done([address, json]: Request, ...several: readonly Way[]) {
  const { world, ids, state, plain } = await install(/document\}|query/i.test(address))
  const names = meant(address)
  const seen: { way: Way; status: number; text: string; isChanged: boolean; after: string }[] = []
  try {
    let before = await state()
    for (const way of several) {
      const filled = (text: string): string =>
        text.replaceAll(/\{(\w+)\}/g, (_, slot: Slot | 'document') => {
          const id = ids.get(names[slot])!
          if (slot === 'document' || way[slot] === 'id') return id
          return way[slot] === 'name' ? names[slot] : 'nobody-here'
        })
      const [method, path] = filled(address).split(' ') as [string, string]
      const asking: Asking = { method, ...(json && { json: JSON.parse(filled(JSON.stringify(json))) as unknown }) }
      const answer = await ('file' in (json ?? {}) ? send(world, path, 'more.md') : world.fetch(path, asking))
      const isText = answer.headers.get('content-type') !== 'application/gzip'
      const text = isText ? plain(await answer.text()) : String((await answer.arrayBuffer()).byteLength > 0)
      const after = await state()
      const told = text.replaceAll(/"(?:\w*[lL]atencyMs|durationMs|requestId)":[^,}]+/g, '')
      seen.push({ way, status: answer.status, text: told, isChanged: after !== before, after })
      before = after
    }
    return seen
  } finally {
    await world.close()
  }
}

function ways(slots: readonly Slot[], of: readonly string[]): Way[] {
  const [slot, ...rest] = slots
  if (slot === undefined) return [{}]
  return of.flatMap((way) => ways(rest, of).map((others) => ({ [slot]: way, ...others })))
}

it.each(REQUESTS.map(([address, json]) => ({ address, json })))(
  '$address $json does the same by id and by name, and nothing for an unknown name',
  async ({ address, json }) => {
    const request: Request = [address, json]
    const slots = [
      ...new Set(
        [...`${address} ${JSON.stringify(json)}`.matchAll(/\{(group|user|collection)\}/g)].map(
          ([, slot]) => slot as Slot,
        ),
      ),
    ]
    const all = ways(slots, ['id', 'name', 'nobody'])
    const [known, unknown] = [false, true].map((isUnknown) =>
      all.filter((way) => Object.values(way).includes('nobody') === isUnknown),
    )
    const [first, ...others] = known!
    const seen = await done(request, ...unknown!, first!)
    const byId = seen.pop()!
    for (const { way, status, isChanged } of seen)
      expect({ way, status, isChanged }).toEqual({ way, status: 404, isChanged: false })
    expect(byId).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) as number })
    for (const way of others) {
      const [named] = await done(request, way)
      expect(named).toEqual({ ...byId, way })
    }
  },
)

it('covers every address that names a group, a user or a collection', async () => {
  const { world } = await install()
  const addresses = world.routes.filter((route) => /:(?:groupId|userId|collectionId)\b/.test(route))
  await world.close()
  const known = new Set(REQUESTS.map(([address]) => address.split('?')[0]))
  const inWords = (route: string): string => route.replaceAll(/:(\w+?)Id/g, '{$1}')
  expect(addresses.map(inWords).filter((address) => !known.has(address))).toEqual([])
})
