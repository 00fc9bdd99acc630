import { beforeAll, describe, expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import type { Problem } from '../../src/server/problems.ts'
import { sharedOwner } from '../../src/documents/collections.ts'
import { documentOf } from '../documents/support/stored-document.ts'
import { filesForm, startPeopleWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

type Name = 'root' | 'ada' | 'ben' | 'vera'
const world = openForAll(() => startPeopleWorld({ root: 'admin', ada: 'member', ben: 'member', vera: 'viewer' }))
beforeAll(async () => {
  await world.app.people.groups.create('test', 'sales')
  await groupOf('vera')
})

type Shown = Operations['POST /collections']['answer']

const QUESTION = 'How many days of notice does the lease of the warehouse need?'
const lease = (days: number): string => `# Lease\n\nThe lease of the warehouse needs ${days} days of notice.\n`

const make = (name: string, as: Name, more: object = {}) =>
  world.json<Shown>('/collections', { as, json: { name, ...more } })
const listed = async (as: Name) => (await world.json<{ items: Shown[] }>('/collections', { as })).items
const give = async (to: string, level: string | undefined, { collectionId }: Shown, as: Name = 'ada') =>
  await world.status(`/collections/${collectionId}/grants`, { as, method: 'PUT', json: { to, level } })
const groupOf = async (name: Name) => {
  const { groups } = world.app.people
  await groups.addMember('test', (await groups.find('sales')).groupId, world.ids[name]!)
}
const ask = (as: Name, more: object = {}) =>
  world.json<{ answer: string } & Problem>('/query', { as, json: { question: QUESTION, ...more } })

const send = ({ collectionId }: Shown, name: string, text: string, as: Name) =>
  world.fetch(`/collections/${collectionId}/documents`, { method: 'POST', body: filesForm({ [name]: text }), as })

/** Stores a document without the process that reads files. */
const put = ({ collectionId }: Shown, name: string, text: string) =>
  world.app.knowledge.store.put(sharedOwner(collectionId), documentOf(name, [text]))

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
    const path = `/documents/${documentId}`
    const passage = `${path}/passage?start=0&end=5`
    const inIt = `/collections/${contracts.collectionId}/documents`
    for (const as of ['ben', 'vera', 'root'] as const) {
      expect(await listed(as)).toEqual([])
      for (const address of [path, passage, inIt, `/collections/${contracts.collectionId}`]) {
        expect([as, address, await world.status(address, { as })]).toEqual([as, address, 404])
      }
      expect((await ask(as)).answer ?? '').not.toContain('42')
    }

    expect(await give('user:ben', 'reader', contracts)).toBe(204)
    await groupOf('ada')
    expect(await give('group:sales', 'reader', contracts)).toBe(204)
    for (const as of ['ben', 'vera'] as const) {
      expect(await listed(as)).toMatchObject([{ name: 'Contracts', isOwn: false, may: ['use'], documents: 1 }])
      expect(await world.status(passage, { as })).toBe(200)
    }
    const answered = await ask('ben')
    expect(answered.answer).toContain('42 days')
    const sources = async () => (await world.json<{ sources: object[] }>('/about', { as: 'ben' })).sources
    expect(await sources()).toMatchObject([{ kind: 'documents', count: 1 }])

    expect(await give('user:ben', undefined, contracts)).toBe(204)
    expect((await ask('ben')).answer).not.toContain('42')
    for (const address of [path, passage, inIt]) expect(await world.status(address, { as: 'ben' })).toBe(404)
    expect(await sources()).toEqual([])
  })

  it('are changed by editors, and shared and removed by their owner', async () => {
    const plans = await make('Plans', 'ada')
    await put(plans, 'a.md', lease(11))
    await give('user:ben', 'reader', plans)
    expect((await send(plans, 'b.md', lease(12), 'ben')).status).toBe(403)
    expect(await give('everyone', 'reader', plans, 'ben')).toBe(403)
    expect(await world.status(`/collections/${plans.collectionId}`, { as: 'ben', method: 'DELETE' })).toBe(403)
    await give('user:ben', 'editor', plans)
    const sent = await send(plans, 'b.md', lease(12), 'ben')
    expect(sent.status).toBe(201)
    expect(await give('everyone', 'reader', plans, 'ben'), 'an editor gives nothing on').toBe(403)
    const { items } = (await sent.json()) as { items: { document: { documentId: string } }[] }
    const document = `/collections/${plans.collectionId}/documents/${items[0]!.document.documentId}`
    expect(await world.status(document, { as: 'vera', method: 'DELETE' })).toBe(403)
    expect(await world.status(document, { as: 'root', method: 'DELETE' })).toBe(404)
    expect(await world.status(document, { as: 'ben', method: 'DELETE' })).toBe(204)
    expect(await world.status(document, { as: 'ben', method: 'DELETE' })).toBe(404)
    const path = `/collections/${plans.collectionId}`
    expect((await world.json<Shown>(path)).grants).toEqual([
      { to: `user:${world.ids['ben']}`, name: 'ben', level: 'editor' },
    ])
    expect(await world.json(path, { as: 'ben' })).not.toHaveProperty('grants')
    const renamed = await world.json<Shown>(`/collections/${plans.collectionId}`, {
      method: 'PATCH',
      json: { name: 'Old plans' },
    })
    expect(renamed.name).toBe('Old plans')
    expect(await world.status(`/collections/${plans.collectionId}`, { method: 'DELETE' })).toBe(204)
    expect((await listed('ben')).map(({ name }) => name)).not.toContain('Old plans')
    expect((await ask('ada', { question: 'How many days of notice? 11 or 12?' })).answer).not.toMatch(/1[12] days/)
  })

  it('of the installation are created and managed by admins', async () => {
    expect(await world.status('/collections', { json: { name: 'House rules', ofInstallation: true } })).toBe(403)
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
    await put(mine, 'one.md', lease(91))
    await put(other, 'two.md', lease(92))
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

  it('of a user are shared with users and own groups; shares of disabled users are inactive', async () => {
    const gift = await make('Gift', 'ben')
    await put(gift, 'gift.md', lease(77))
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
    await accounts.setDisabled('test', world.ids['ben']!, true)
    expect((await listed('ada')).map(({ name }) => name)).not.toContain('Gift')
    expect((await ask('ada')).answer).not.toContain('77')
    await accounts.setDisabled('test', world.ids['ben']!, false)
    expect((await listed('ada')).map(({ name }) => name)).toContain('Gift')

    expect(await give('user:vera', undefined, gift, 'ben')).toBe(404)
    expect(await give('user:ada', undefined, gift, 'ben')).toBe(204)
    expect((await listed('ada')).map(({ name }) => name)).not.toContain('Gift')
    const audit = await world.json<{ items: { action: string; changedBy: string; target: string }[] }>('/audit', {
      as: 'root',
    })
    const lines = audit.items.filter(({ target }) => target === gift.collectionId)
    expect(lines.map(({ action, changedBy }) => [action, changedBy])).toEqual([
      ['take collection', world.ids['ben']],
      ['give collection', world.ids['ben']],
    ])
    await world.fetch(`/collections/${gift.collectionId}`, { as: 'ben', method: 'DELETE' })
  })

  it('of one name resolve to the installation’s, else the user’s own, else need the owner’s name', async () => {
    const { collections } = world.app.people
    const caller = (await world.app.people.callerOf(world.ids['ada']!))!
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
    const { collections } = world.app.people
    for (let i = 0; i < 100; i++) await collections.create('test', `v${i % 10} ${i}`, world.ids['root'])
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
            const refused = new RegExp(`${field}: must (?:not contain|be 2 to 40 small letters)`)
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
    await put(await make('Full', 'ben'), 'small.md', lease(1))
    await app.erasePerson('test', world.ids['ada']!)
    expect((await listed('ben')).map(({ name }) => name)).toEqual(['Full', 'House rules'])
    expect((await listed('vera')).map(({ name }) => name)).toEqual(['House rules'])
    const left = await app.knowledge.shared.all()
    expect(left).toHaveLength(1)
  })
})
