import { beforeAll, expect, it } from 'vitest'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** Addresses name users and groups by ID or by name. */
const world = openForAll(() => startHttpWorld({}, (people) => async () => people.callerOf(ids['root']!)))
const ids: Record<string, string> = {}
beforeAll(async () => {
  const { accounts, groups } = world.app.people
  ids['root'] = (await accounts.add('test', { username: 'root', role: 'admin' })).userId
  ids['ben'] = (await accounts.add('test', { username: 'ben' })).userId
  ids['sales'] = await groups.create('test', 'sales')
})

it.each([
  ['PUT /groups/{sales}/members/{ben}'],
  ['GET /groups/{sales}/members'],
  ['GET /groups/{sales}/removal'],
  ['PATCH /people/{ben}'],
  ['GET /people/{ben}/access'],
  ['GET /executions/all?userId={ben}'],
])('%s finds them by ID and by name, and reports unknown ones', async (address) => {
  const status = async (fill: (name: string) => string) => {
    const [method, path] = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name)).split(' ')
    return (await world.fetch(path!, { method: method!, ...(method === 'PATCH' && { json: {} }) })).status
  }
  const [byId, byName] = [await status((name) => ids[name]!), await status((name) => name)]
  expect([byId, byName]).toEqual([byId, byId])
  expect(byId).toBeLessThan(300)
  expect(await status(() => 'nobody-here')).toBe(404)
})
