import { randomInt } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Operations, Schemas } from '../../src/client/api-types.ts'
import type { Level } from '../../src/accounts/permissions.ts'
import { startPeopleWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

type Access = Schemas['PersonAccess']
type Effect = Operations['POST /grants/preview']['answer']['items'][number]

const ROLES = { root: 'admin', ada: 'member', ben: 'member', vera: 'viewer', gil: 'member' } as const
const NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[]
const world = openForAll(() =>
  startPeopleWorld(ROLES, {
    databases: ['shop', 'stock'].map((name) => ({ name, url: `sqlite:/nowhere/${name}.sqlite` })),
  }),
)
let ids: Readonly<Record<string, string>>
let collection: string
beforeAll(async () => {
  ;({ ids } = world)
  const { accounts, groups } = world.app.people
  for (const name of ['sales', 'leads']) await groups.create('test', name)
  const groupOf = async (name: string) => (await groups.find(name)).groupId
  await groups.addMember('test', await groupOf('sales'), ids['ada']!)
  await groups.addMember('test', await groupOf('sales'), ids['vera']!)
  await groups.addMember('test', await groupOf('leads'), ids['ada']!)
  await accounts.setDisabled('test', ids['gil']!, true)
  const made = await world.json<{ collectionId: string }>('/collections', {
    as: 'root',
    json: { name: 'Contracts', ofInstallation: true },
  })
  collection = `collection:${made.collectionId}`
})

const accessOf = (name: string): Promise<Access> => world.json(`/people/${ids[name]}/access`, { as: 'root' })

/** The rights of each user on each source and collection, from the user's access page. */
async function all(): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {}
  for (const name of NAMES) {
    const { sources, collections } = await accessOf(name)
    for (const { source, may } of sources) found[`${source} ${ids[name]}`] = may
    for (const one of collections) found[`collection:${one.collectionId} ${ids[name]}`] = one.may
  }
  return found
}

describe('who may use what', () => {
  it('is previewed exactly for any change', async () => {
    const pick = <T>(from: readonly T[]): T => from[randomInt(from.length)]!
    const sources = ['database:shop', 'database:stock', collection]
    let before = await all()
    for (let round = 0; round < 25; round++) {
      const changes = Array.from({ length: 1 + randomInt(4) }, () => ({
        source: pick(sources),
        to: pick(['everyone', 'group:sales', 'group:leads', 'user:ben', 'user:vera', 'user:root', 'user:gil']),
        ...pick<{ level?: Level }>([{}, { level: 'reader' }, { level: 'editor' }]),
      }))
      const { items } = await world.json<{ items: Effect[] }>('/grants/preview', { as: 'root', json: { changes } })
      for (const { source, ...json } of changes) {
        const path = source === collection ? `/collections/${source.slice('collection:'.length)}/grants` : '/grants'
        const body = source === collection ? json : { source, ...json }
        const { status } = await world.fetch(path, { as: 'root', method: 'PUT', json: body })
        // Revoked from a user without a grant.
        expect(status === 204 || (status === 404 && json.level === undefined)).toBe(true)
      }
      const after = await all()
      const happened = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
        const [had = [], has = []] = [before[key], after[key]]
        const [gains, loses] = [has.filter((one) => !had.includes(one)), had.filter((one) => !has.includes(one))]
        return gains.length + loses.length === 0 ? [] : [`${key} +${gains.join()} -${loses.join()}`]
      })
      const told = items.map(
        ({ source, userId, gains, loses }) => `${source} ${userId} +${gains.join()} -${loses.join()}`,
      )
      expect(told.toSorted(), JSON.stringify(changes)).toEqual(happened.toSorted())
      // Viewers may not ask; the web app derives this from their role.
      for (const { userId, role } of items) {
        expect(role).toBe(ROLES[NAMES.find((one) => ids[one] === userId)!])
      }
      // The agents of a user are built from the sources on their page.
      for (const name of ['ada', 'ben', 'vera']) {
        const isGiven = await world.app.as(ids[name]!).isGiven()
        for (const source of ['database:shop', 'database:stock'] as const) {
          expect(isGiven(source)).toBe(after[`${source} ${ids[name]}`]!.includes('use'))
        }
      }
      before = after
    }
  })

  it('reveals nothing private, and is in the audit once', async () => {
    const { groups } = world.app.people
    for (const [source, given] of await groups.grants()) {
      for (const { to } of given) await groups.setGrant('test', source, to, undefined)
    }
    await groups.setGrant('test', 'database:shop', `group:${(await groups.find('sales')).groupId}`, 'reader')
    await groups.setGrant('test', 'database:shop', 'everyone', 'reader')
    await world.fetch('/collections', { as: 'ada', json: { name: 'My secret plans' } })
    const told = await accessOf('ada')
    expect(told.groups.map(({ name }) => name)).toEqual(['leads', 'sales'])
    const [shop, stock] = ['shop', 'stock'].map((name) =>
      told.sources.find(({ source }) => source === `database:${name}`)!,
    )
    expect(shop).toEqual({ source: 'database:shop', may: ['use'] })
    expect(stock).toEqual({ source: 'database:stock', may: [] })
    expect(told.ownCollections).toBe(1)
    expect(JSON.stringify(told)).not.toContain('secret')
    expect(told.agents.map(({ name }) => name)).toEqual(
      (await world.app.as(ids['ada']!).team()).map(({ name }) => name),
    )
    const out = await accessOf('gil')
    expect(out).toMatchObject({ isDisabled: true, agents: [], collections: [] })
    expect(out.sources.flatMap(({ may }) => may)).toEqual([])
    const looks = await world.app.people.audit(500, { action: 'read access', target: ids['ada']! })
    expect(looks.map(({ changedBy }) => changedBy)).toEqual([ids['root']])
    expect(await world.status('/people/nobody/access', { as: 'root' })).toBe(404)
  })

  it('is shown to members for their own groups and collections only', async () => {
    const mine = async (as: string) =>
      (await world.json<{ items: { name: string; members: number }[] }>('/groups/mine', { as })).items.map(
        ({ name, members }) => [name, members],
      )
    expect(await mine('ada')).toEqual([
      ['leads', 1],
      ['sales', 2],
    ])
    expect(await mine('ben')).toEqual([])
    type List = { items: Schemas['Collection'][] }
    await world.fetch(`/collections/${collection.slice('collection:'.length)}/grants`, {
      as: 'root',
      method: 'PUT',
      json: { to: 'user:ben', level: 'editor' },
    })
    const told = async (as: string) =>
      (await world.json<List>('/collections', { as })).items.find(({ name }) => name === 'Contracts')?.grants
    expect(await told('root')).toContainEqual({ to: `user:${ids['ben']}`, name: 'ben', level: 'editor' })
    expect(await told('ben')).toBe(undefined)
  })
})
