import { beforeAll, expect, it } from 'vitest'
import { startPeopleWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** Addresses name users and groups by ID or by name. */
const world = openForAll(() => startPeopleWorld({ root: 'admin', ben: 'member' }))
const ids: Record<string, string> = {}
beforeAll(async () => {
  Object.assign(ids, world.ids, { sales: await world.app.people.groups.create('test', 'sales') })
})

it.each([
  ['PUT /groups/{sales}/members/{ben}'],
  ['GET /groups/{sales}/members'],
  ['PATCH /people/{ben}'],
  ['GET /people/{ben}/access'],
  ['GET /executions/all?userId={ben}'],
])('%s finds them by ID and by name, and reports unknown ones', async (address) => {
  const status = async (fill: (name: string) => string) => {
    const [method, path] = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name)).split(' ')
    return world.status(path!, { as: 'root', method: method!, ...(method === 'PATCH' && { json: {} }) })
  }
  const [byId, byName] = [await status((name) => ids[name]!), await status((name) => name)]
  expect([byId, byName]).toEqual([byId, byId])
  expect(byId).toBeLessThan(300)
  expect(await status(() => 'nobody-here')).toBe(404)
})
