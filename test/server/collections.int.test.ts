import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem } from '../../src/server/problems.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

const NAMES = ['root', 'ada', 'ben', 'vera'] as const
type Name = (typeof NAMES)[number]

let world: HttpWorld
const ids = new Map<string, string>()
beforeAll(async () => {
  world = await startHttpWorld({}, (people) => async ({ headers }) => {
    const name = headers['x-test-person']
    if (name === undefined) return undefined
    return people.callerOf(ids.get(String(name))!)
  })
  const { accounts, groups } = world.app.people
  for (const username of NAMES) {
    const role = username === 'root' ? 'admin' : username === 'vera' ? 'viewer' : 'member'
    ids.set(username, (await accounts.add('test', { username, role })).userId)
  }
  const sales = await groups.create('test', 'sales')
  await groups.addMember('test', sales, ids.get('vera')!)
})
afterAll(() => world.close())

interface Shown {
  readonly collectionId: string
  readonly name: string
  readonly documents: number
  readonly isOwn: boolean
  readonly ofInstallation: boolean
  readonly may: readonly string[]
}

const QUESTION = 'How many days of notice does the lease of the warehouse need?'
const lease = (days: number): string => `# Lease\n\nThe lease of the warehouse needs ${days} days of notice.\n`

const make = (name: string, as: Name, more: object = {}) =>
  world.json<Shown>('/collections', { as, json: { name, ...more } })
const listed = async (as: Name) => (await world.json<{ items: Shown[] }>('/collections', { as })).items
const give = async (to: string, level: string | undefined, { collectionId }: Shown, as: Name = 'ada') =>
  (await world.fetch(`/collections/${collectionId}/grants`, { as, method: 'PUT', json: { to, level } })).status
const groupOf = async (name: Name) => {
  const { groups } = world.app.people
  await groups.addMember('test', (await groups.find('sales')).groupId, ids.get(name)!)
}
const ask = (as: Name, more: object = {}) =>
  world.json<{ answer: string } & Problem>('/query', { as, json: { question: QUESTION, ...more } })

async function send({ collectionId }: Shown, name: string, text: string, as: Name): Promise<Response> {
  const body = new FormData()
  body.append('file', new Blob([text]), name)
  return world.fetch(`/collections/${collectionId}/documents`, { method: 'POST', body, as })
}

describe('collections', () => {
  it('are searched and opened only by users with access; a revocation applies at once', async () => {
    const contracts = await make('Contracts', 'ada')
    expect(contracts).toMatchObject({ isOwn: true, ofInstallation: false, may: ['use', 'edit', 'share'], documents: 0 })
    const sent = await send(contracts, 'lease.md', lease(42), 'ada')
    expect(sent.status).toBe(201)
    const { items } = (await sent.json()) as { items: { document: { documentId: string } }[] }
    const { documentId } = items[0]!.document
    expect((await ask('ada')).answer).toContain('42 days')
    expect((await listed('ada')).map(({ documents }) => documents)).toEqual([1])
    const own = await world.json<{ items: { collection?: object }[] }>('/documents/search?q=lease', { as: 'ada' })
    expect(own.items.map(({ collection }) => collection)).toEqual([
      { collectionId: contracts.collectionId, name: 'Contracts' },
    ])

    const path = `/documents/${documentId}`
    const passage = `${path}/passage?start=0&end=5`
    const inIt = `/collections/${contracts.collectionId}/documents`
    for (const as of ['ben', 'vera', 'root'] as const) {
      expect(await listed(as)).toEqual([])
      for (const address of [path, passage, inIt, `/collections/${contracts.collectionId}`]) {
        expect([as, address, (await world.fetch(address, { as })).status]).toEqual([as, address, 404])
      }
      const found = await world.json<{ items: unknown[] }>('/documents/search?q=lease', { as })
      expect(found.items).toEqual([])
      expect((await ask(as)).answer ?? '').not.toContain('42')
    }

    expect(await give('user:ben', 'reader', contracts)).toBe(204)
    await groupOf('ada')
    expect(await give('group:sales', 'reader', contracts)).toBe(204)
    for (const as of ['ben', 'vera'] as const) {
      expect(await listed(as)).toMatchObject([{ name: 'Contracts', isOwn: false, may: ['use'], documents: 1 }])
      expect((await world.fetch(passage, { as })).status).toBe(200)
      const found = await world.json<{ items: { name: string }[] }>('/documents/search?q=lease', { as })
      const collection = { collectionId: contracts.collectionId, name: 'Contracts', owner: 'ada' }
      expect(found.items).toMatchObject([{ name: 'lease.md', collection }])
    }
    const answered = await ask('ben')
    expect(answered.answer).toContain('42 days')
    expect((await world.json<{ documents: number }>('/sources', { as: 'ben' })).documents).toBe(1)

    expect(await give('user:ben', undefined, contracts)).toBe(204)
    expect((await ask('ben')).answer).not.toContain('42')
    for (const address of [path, passage, inIt]) expect((await world.fetch(address, { as: 'ben' })).status).toBe(404)
    expect((await world.json<{ documents: number }>('/sources', { as: 'ben' })).documents).toBe(0)
  })

  it('are changed by editors, and shared and removed by their owner', async () => {
    const plans = await make('Plans', 'ada')
    await send(plans, 'a.md', lease(11), 'ada')
    await give('user:ben', 'reader', plans)
    expect((await send(plans, 'b.md', lease(12), 'ben')).status).toBe(403)
    expect(await give('everyone', 'reader', plans, 'ben')).toBe(403)
    expect((await world.fetch(`/collections/${plans.collectionId}`, { as: 'ben', method: 'DELETE' })).status).toBe(403)
    await give('user:ben', 'editor', plans)
    const sent = await send(plans, 'b.md', lease(12), 'ben')
    expect(sent.status).toBe(201)
    expect(await give('everyone', 'reader', plans, 'ben'), 'an editor gives nothing on').toBe(403)
    const { items } = (await sent.json()) as { items: { document: { documentId: string } }[] }
    const document = `/collections/${plans.collectionId}/documents/${items[0]!.document.documentId}`
    expect((await world.fetch(document, { as: 'vera', method: 'DELETE' })).status).toBe(403)
    expect((await world.fetch(document, { as: 'root', method: 'DELETE' })).status).toBe(404)
    expect((await world.fetch(document, { as: 'ben', method: 'DELETE' })).status).toBe(204)
    expect((await world.fetch(document, { as: 'ben', method: 'DELETE' })).status).toBe(404)
    const grants = `/collections/${plans.collectionId}/grants`
    expect(await world.json(grants)).toEqual({
      items: [{ to: `user:${ids.get('ben')}`, name: 'ben', level: 'editor' }],
    })
    expect((await world.fetch(grants, { as: 'ben' })).status).toBe(403)
    const renamed = await world.json<Shown>(`/collections/${plans.collectionId}`, {
      method: 'PATCH',
      json: { name: 'Old plans' },
    })
    expect(renamed.name).toBe('Old plans')
    expect((await world.fetch(`/collections/${plans.collectionId}`, { method: 'DELETE' })).status).toBe(204)
    expect((await listed('ben')).map(({ name }) => name)).not.toContain('Old plans')
    expect((await ask('ada', { question: 'How many days of notice? 11 or 12?' })).answer).not.toMatch(/1[12] days/)
  })

  it('of the installation are created and managed by admins', async () => {
    expect((await world.fetch('/collections', { json: { name: 'House rules', ofInstallation: true } })).status).toBe(
      403,
    )
    const rules = await make('House rules', 'root', { ofInstallation: true })
    expect(rules).toMatchObject({ isOwn: false, ofInstallation: true, may: ['use', 'edit', 'share'] })
    expect(await give('everyone', 'reader', rules, 'root')).toBe(204)
    for (const as of ['ada', 'ben', 'vera'] as const) {
      expect((await listed(as)).find(({ name }) => name === 'House rules')).toMatchObject({ may: ['use'] })
    }
    const { items } = await world.json<{ items: { action: string; detail: { name: string } }[] }>('/audit', {
      as: 'root',
    })
    const lines = items.filter(({ action, detail }) => action.endsWith('collection') && detail.name === 'House rules')
    expect(lines.map(({ action, detail }) => `${action} ${detail.name}`)).toEqual([
      'give collection House rules',
      'create collection House rules',
    ])
    expect(JSON.stringify(items), 'what people do with their own is theirs').not.toContain('Old plans')
    const given = await world.json<{ items: { source: string }[] }>('/grants', { as: 'root' })
    expect(given.items.map(({ source }) => source)).not.toContainEqual(expect.stringMatching(/^collection:/))
    const taken = await world.fetch('/grants', {
      as: 'root',
      method: 'PUT',
      json: { source: `collection:${rules.collectionId}`, to: 'everyone' },
    })
    expect(taken.status).toBe(400)
  })

  it('can be chosen for a question, which then searches no other document; a collection without access is reported as missing', async () => {
    const [mine, other] = [await make('Leases', 'ada'), await make('Drafts', 'ada')]
    await send(mine, 'one.md', lease(91), 'ada')
    await send(other, 'two.md', lease(92), 'ada')
    const chosen = await ask('ada', { collections: ['Drafts'] })
    expect(chosen.answer).toContain('92 days')
    expect(chosen.answer).not.toMatch(/91|42/)
    expect((await ask('ada', { collections: [mine.collectionId] })).answer).toContain('91 days')
    const problems = await Promise.all(
      ['Leases', 'No such', mine.collectionId].map(async (name) => {
        const { requestId: _requestId, ...problem } = (await ask('ben', { collections: [name] })) as Problem
        return JSON.stringify(problem).replaceAll(name, 'NAME')
      }),
    )
    expect(new Set(problems).size).toBe(1)
    expect(problems[0]).toContain('NotFound')
    const empty = await world.fetch('/query', { json: { question: QUESTION, collections: [] } })
    expect(empty.status).toBe(400)
  })

  it('count for their owner, including documents that others add', async () => {
    const { quotas } = world.app.people
    const full = await make('Full', 'ben')
    await quotas.set('test', { to: `user:${ids.get('ben')!}`, measure: 'storage', period: 'ever', most: 100 })
    expect(await give('user:ada', 'editor', full, 'ben')).toBe(204)
    expect((await send(full, 'small.md', lease(1), 'ada')).status).toBe(201)
    const refused = await send(full, 'large.md', lease(2), 'ada')
    expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([429, 'LimitReached'])
    await quotas.set('test', { to: `user:${ids.get('ben')!}`, measure: 'storage', period: 'ever', most: undefined })
  })

  it('of a user are shared with users and own groups; admins see and revoke shares; shares of disabled users are inactive', async () => {
    const gift = await make('Gift', 'ben')
    await send(gift, 'gift.md', lease(77), 'ben')
    const { groups, accounts } = world.app.people
    await groups.create('test', 'board')
    for (const to of ['everyone', 'group:board']) {
      const path = `/collections/${gift.collectionId}/grants`
      const refused = await world.fetch(path, { as: 'ben', method: 'PUT', json: { to, level: 'reader' } })
      expect(refused.status, to).toBe(403)
      expect(((await refused.json()) as Problem).detail).toContain('Ask an admin')
    }
    expect(await give('user:ada', 'reader', gift, 'ben')).toBe(204)
    expect((await listed('ada')).find(({ name }) => name === 'Gift')).toMatchObject({ owner: 'ben', isOwn: false })
    await accounts.setDisabled('test', ids.get('ben')!, true)
    expect((await listed('ada')).map(({ name }) => name)).not.toContain('Gift')
    expect((await ask('ada')).answer).not.toContain('77')
    await accounts.setDisabled('test', ids.get('ben')!, false)
    expect((await listed('ada')).map(({ name }) => name)).toContain('Gift')

    type Given = { items: { name: string; owner: string; grants: { name: string }[] }[] }
    const given = await world.json<Given>('/collections/given', { as: 'root' })
    expect(given.items.find(({ name }) => name === 'Gift')).toMatchObject({ owner: 'ben', grants: [{ name: 'ada' }] })
    expect((await world.fetch('/collections/given', { as: 'ada' })).status).toBe(403)
    const withdrawn = `/collections/given/${gift.collectionId}`
    expect((await world.fetch(`${withdrawn}?to=user:vera`, { as: 'root', method: 'DELETE' })).status).toBe(404)
    expect((await world.fetch(withdrawn, { as: 'root', method: 'DELETE' })).status).toBe(204)
    expect((await world.fetch(withdrawn, { as: 'root', method: 'DELETE' })).status).toBe(404)
    expect((await listed('ada')).map(({ name }) => name)).not.toContain('Gift')
    const audit = await world.json<{ items: { action: string; changedBy: string; target: string }[] }>('/audit', {
      as: 'root',
    })
    const lines = audit.items.filter(({ target }) => target === gift.collectionId)
    expect(lines.map(({ action, changedBy }) => [action, changedBy])).toEqual([
      ['take collection', ids.get('root')],
      ['give collection', ids.get('ben')],
    ])
    await world.fetch(`/collections/${gift.collectionId}`, { as: 'ben', method: 'DELETE' })
  })

  it('of one name resolve to the installation’s, else the user’s own, else need the owner’s name', async () => {
    const { collections } = world.app.people
    const caller = (await world.app.people.callerOf(ids.get('ada')!))!
    const found = async () => (await collections.find(caller, 'Twin')).collectionId
    const of = []
    for (const as of ['ben', 'root'] as const) {
      const twin = await make('Twin', as)
      await give('user:ada', 'reader', twin, as)
      of.push(twin)
    }
    await expect(found()).rejects.toMatchObject({ code: 'InvalidRequest', message: expect.stringMatching(/of ben/) })
    of.push(await make('Twin', 'ada'))
    expect(await found()).toBe(of[2]!.collectionId)
    of.push(await make('Twin', 'root', { ofInstallation: true }))
    await give('user:ada', 'reader', of[3]!, 'root')
    expect(await found()).toBe(of[3]!.collectionId)
    for (const [at, as] of (['ben', 'root', 'ada', 'root'] as const).entries()) {
      await world.fetch(`/collections/${of[at]!.collectionId}`, { as, method: 'DELETE' })
    }
  })

  it('are at most 100 per user, in pages', async () => {
    for (let i = 0; i < 100; i++) expect((await make(`v${i % 10} ${i}`, 'root')).name).toBe(`v${i % 10} ${i}`)
    const more = await world.fetch('/collections', { as: 'root', json: { name: 'v one more' } })
    expect([more.status, ((await more.json()) as Problem).code]).toEqual([429, 'LimitReached'])
    const all = (await world.json<{ items: Shown[] }>('/collections?limit=200', { as: 'root' })).items
    const paged: Shown[] = []
    for (let cursor = ''; ;) {
      const at = await world.json<{ items: Shown[]; nextCursor?: string }>(`/collections?limit=30${cursor}`, {
        as: 'root',
      })
      paged.push(...at.items)
      if (at.nextCursor === undefined) break
      cursor = `&cursor=${at.nextCursor}`
    }
    expect(paged).toEqual(all)
    expect(all.length).toBeGreaterThanOrEqual(100)
  })

  it('and all named objects refuse names with control or bidi characters', async () => {
    interface Body {
      readonly properties?: Readonly<Record<string, unknown>>
    }
    type Operation = { requestBody?: { content?: Record<string, { schema: Body }> } }
    const { paths } = await world.json<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json', {
      as: 'root',
    })
    const asked: string[] = []
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const properties = requestBody?.content?.['application/json']?.schema.properties ?? {}
        for (const field of ['name', 'username', 'displayName', 'to', 'source'].filter((one) => one in properties)) {
          for (const bad of ['\0', '\u0007', '\u202E', '\u2066', '\u2028']) {
            const answer = await world.fetch(path.replaceAll(/\{[^}]+\}/g, 'x'), {
              as: 'root',
              method: method.toUpperCase(),
              json: { [field]: field === 'to' ? `user:a${bad}b` : `a${bad}b` },
            })
            const place = `${method} ${path} ${field}`
            expect([place, answer.status]).toEqual([place, 400])
            // Names of teams are more restricted.
            const refused = new RegExp(`${field}: must be (?:without|2 to 40 small letters)`)
            expect(((await answer.json()) as Problem).detail, place).toMatch(refused)
            asked.push(place)
          }
        }
      }
    }
    expect(new Set(asked).size, 'all of them').toBeGreaterThan(7)
  })

  it('are deleted with their owner', async () => {
    const { app } = world
    await app.erasePerson('test', ids.get('ada')!)
    expect((await listed('ben')).map(({ name }) => name)).toEqual(['Full', 'House rules'])
    expect((await listed('vera')).map(({ name }) => name)).toEqual(['House rules'])
    const left = await app.knowledge.shared.all()
    expect(left).toHaveLength(1)
  })
})
