import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { agent, textTool } from '../support/engine-world.ts'
import { createFolder } from '../support/folder.ts'
import { openForAll } from '../support/opened.ts'

/** Rights that change during a run, between two calls of an agent. */

/** Calls that were made, by owner. */
const made = new Map<string, number>()
/** Runs wait here between two calls. */
const between: { owner: string; goOn: () => void }[] = []

const look = textTool('look_up', 'read', async (owner) => void made.set(owner, (made.get(owner) ?? 0) + 1))
const looker = agent(
  'looker',
  async (_task, ctx) => {
    const { owner } = ctx
    await ctx.call(look, owner)
    await new Promise<void>((resolve) => between.push({ owner, goOn: resolve }))
    await ctx.call(look, owner)
    return { answer: 'Looked twice.' }
  },
  { keywords: ['look'] },
)

const folder = openForAll(createFolder)
const app = openForAll(() => {
  const databases = ['shop', 'other'].map((name) => ({ name, url: `sqlite:${join(folder.path, 'shop.sqlite')}` }))
  return createApp({ databases, agents: [looker], onError: ({ message }) => expect.fail(message) })
})
beforeAll(async () => {
  await createDemoDatabase(join(folder.path, 'shop.sqlite'))
  await app.people.accounts.add('', { username: 'root', role: 'admin' })
})

let persons = 0
/** A user with one database through a group, and another one by a direct grant. */
async function person() {
  const { accounts, groups } = app.people
  const { userId } = await accounts.add('', { username: `p${++persons}`, role: 'member' })
  const group = await groups.create('', `g${persons}`)
  await groups.addMember('', group, userId)
  await groups.setGrant('', 'database:shop', `group:${group}`, 'reader')
  await groups.setGrant('', 'database:other', `user:${userId}`, 'reader')
  return { userId, group }
}
type Someone = Awaited<ReturnType<typeof person>>

const start = ({ userId }: Someone) =>
  app.as(userId).start({ question: 'look', preferAgents: ['looker'], strategy: 'pipeline', memory: false, maxTurns: 1 })
const isBetween = async ({ userId }: Someone): Promise<() => void> => {
  await expect.poll(() => between.some(({ owner }) => owner === userId)).toBe(true)
  return between.find(({ owner }) => owner === userId)!.goOn
}

type Change = (one: Someone) => Promise<unknown>
const groups = () => app.people.groups
const TAKEN: Readonly<Record<string, Change>> = {
  'its group': ({ group }) => groups().setGrant('', 'database:shop', `group:${group}`, undefined),
  'the person': ({ userId }) => groups().setGrant('', 'database:other', `user:${userId}`, undefined),
  'a user who leaves the group': ({ group, userId }) => groups().removeMember('', group, userId),
  'a group that is removed': ({ group }) => groups().remove('', group),
  'a disabled user': ({ userId }) => app.people.accounts.setDisabled('', userId, true),
}
const KEPT: Readonly<Record<string, Change>> = {
  nobody: async () => undefined,
  'somebody else': async () => {
    const other = await person()
    await groups().removeMember('', other.group, other.userId)
  },
  'a group by which it is given twice': async ({ group, userId }) => {
    await groups().setGrant('', 'database:shop', `user:${userId}`, 'reader')
    await groups().remove('', group)
  },
}

/** The outcome of a run during which the rights change. */
async function outcomeOf(change: Change) {
  const one = await person()
  const mine = app.as(one.userId)
  const runId = await start(one)
  const goOn = await isBetween(one)
  await change(one)
  goOn()
  await mine.runs.outcome(runId)
  return { calls: made.get(one.userId), response: await mine.response(runId) }
}

describe('a source that is revoked during a run', () => {
  it.each(Object.entries(TAKEN))('from %s is unavailable from the next call', async (_, take) => {
    const { calls, response } = await outcomeOf(take)
    expect(calls).toBe(1)
    expect(response.agentResults).toMatchObject([
      { status: 'failed', error: { type: 'NotAllowed', message: expect.stringContaining('was taken away from you') } },
    ])
  })

  it.each(Object.entries(KEPT))('from %s does not affect other runs', async (_, change) => {
    const { calls, response } = await outcomeOf(change)
    expect(calls).toBe(2)
    expect(response.answer).toContain('Looked twice.')
  })
})
