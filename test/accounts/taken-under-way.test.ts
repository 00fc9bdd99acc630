import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { defineAgent } from '../../src/domain/actor.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'

/** Rights that change during a run, between two calls of an agent. */

let folder: string
let app: App
/** Calls that were made, by owner. */
const made = new Map<string, number>()
/** Runs wait here between two calls. */
const between: { owner: string; goOn: () => void }[] = []

const look = defineTool({
  name: 'look_up',
  description: 'Counts its calls.',
  effect: 'read',
  input: z.object({ owner: z.string() }),
  provenance: BY_USER,
  run: async ({ owner }) => {
    made.set(owner, (made.get(owner) ?? 0) + 1)
    return { made: true }
  },
})

const looker = defineAgent({
  name: 'looker',
  description: 'Looks twice.',
  capabilities: ['looking'],
  useCases: ['looking'],
  keywords: ['look'],
  async run(_task, ctx) {
    const { owner } = ctx
    await ctx.call(look, { owner })
    await new Promise<void>((resolve) => between.push({ owner, goOn: resolve }))
    await ctx.call(look, { owner })
    return { answer: 'Looked twice.' }
  },
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-taken-'))
  await createDemoDatabase(join(folder, 'shop.sqlite'))
  const databases = ['shop', 'other'].map((name) => ({ name, url: `sqlite:${join(folder, 'shop.sqlite')}` }))
  app = await createApp({
    databases,
    agents: [looker],
    onTrouble: ({ message }) => expect.fail(message),
  })
  await app.people.accounts.add('', { username: 'root', role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
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

describe('a source that is revoked during a run', () => {
  it.each(Object.entries(TAKEN))('from %s is unavailable from the next call', async (_, take) => {
    const one = await person()
    const runId = await start(one)
    const goOn = await isBetween(one)
    await take(one)
    goOn()
    await app.as(one.userId).runs.outcome(runId)
    expect(made.get(one.userId)).toBe(1)
    const { agentResults } = await app.as(one.userId).response(runId)
    expect(agentResults).toMatchObject([
      { status: 'failed', error: { type: 'NotAllowed', message: expect.stringContaining('was taken away from you') } },
    ])
  })

  it.each(Object.entries(KEPT))('from %s does not affect other runs', async (_, change) => {
    const one = await person()
    const runId = await start(one)
    const goOn = await isBetween(one)
    await change(one)
    goOn()
    await app.as(one.userId).runs.outcome(runId)
    expect(made.get(one.userId)).toBe(2)
    expect((await app.as(one.userId).response(runId)).answer).toContain('Looked twice.')
  })
})
