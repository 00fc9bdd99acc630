import { beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { startPeopleWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** Nothing listens there. */
const HOST = '127.0.0.1:9'
const SOURCES = ['database:shop', 'api:parcels', 'mcp:vault'] as const

const options = {
  config: {
    databases: [{ name: 'shop', url: `postgres://reader@${HOST}/shop` }],
    apis: [{ name: 'parcels', catalogue: `http://${HOST}/openapi.json` }],
    mcp: [{ name: 'vault', url: `http://${HOST}/mcp` }],
    http: { allowHosts: [HOST] },
  },
  onError: () => undefined,
}

const world = openForAll(() => startPeopleWorld({ root: 'admin', ben: 'member' }, options))
beforeAll(async () => {
  for (const source of SOURCES) await world.app.people.groups.setGrant('test', source, 'everyone', 'reader')
})

async function said(app: App, user: string): Promise<string> {
  const one = app.as(user)
  const answers = []
  for (const question of ['How many orders are there in the shop?', 'Which parcels are there?', 'Open the vault']) {
    const response = await one.ask({ question, interactive: false, memory: false, trace: true })
    answers.push(response, await one.runs.events(response.metadata.runId))
  }
  const team = (await one.team()).map(({ name, unavailable, lacking }) => ({ name, unavailable, lacking }))
  return JSON.stringify([team, answers])
}

it('the message about a broken source names the source, and no host', async () => {
  const told = await said(world.app, world.ids['ben']!)
  expect(told).not.toContain(HOST)
  expect(told).toContain('an admin can see why')
  for (const name of ['shop', 'parcels', 'vault']) expect(told).toContain(`“${name}” does not answer`)

  // The only user of a machine sees the host.
  const alone = await createApp(options)
  try {
    expect(await said(alone, 'local')).toContain(HOST)
  } finally {
    await alone.close()
  }
})
