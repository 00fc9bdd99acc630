import { describe, expect, it } from 'vitest'
import { NOTHING_TO_REMEMBER } from '../e2e/support.ts'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { profileOf } from '../../src/domain/profile.ts'
import { startModelServer } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { createCliWorld, modelEnv } from './support.ts'

describe('memory on the command line', () => {
  const world = openForAll(() => createCliWorld())
  const models = openForAll(() => startModelServer())

  /** Says something to a model that takes these facts from it. */
  const say = (words: string, criticalFacts: object, ...options: string[]) => {
    const json = { ownWords: words, found: true, criticalFacts, preferences: {} }
    models.script([{ ...NOTHING_TO_REMEMBER, reply: { json } }, { reply: { text: 'Hello.' } }])
    return world.run(['ask', words, '--db', 'sqlite:shop.sqlite', ...options], { env: modelEnv(models) })
  }

  async function stored<T>(read: (app: App) => Promise<T>): Promise<T> {
    const app = await createApp({ storage: { folder: world.dataDir } })
    return read(app).finally(() => app.close())
  }
  const facts = () => stored(async ({ profiles }) => profileOf(await profiles.entries('local'))?.facts)
  const conversations = () => stored((app) => app.conversations.list('local'))

  it('keeps facts about the user from a question, with its run', async () => {
    const known = { userName: 'Vinay', companyName: 'Google' }
    const asked = await say('My name is Vinay. I work at Google.', known, '--json')
    const { metadata, notices } = JSON.parse(asked.out) as {
      metadata: { runId: string; conversationId: string }
      notices: readonly object[]
    }
    expect(notices).toContainEqual(expect.objectContaining({ code: 'remembered', params: known }))
    expect(await facts()).toEqual(known)
    const [entry] = await stored(({ profiles }) => profiles.entries('local'))
    expect(entry).toMatchObject({ field: 'userName', source: { by: 'run', runId: metadata.runId } })
    expect(await conversations()).toMatchObject([{ conversationId: metadata.conversationId, turns: 1 }])
  })

  it('continues a conversation, or runs without memory', async () => {
    const ask = (...options: string[]) =>
      world.run(['ask', 'How many customers are there?', '--db', 'sqlite:shop.sqlite', '--json', ...options])
    const on = JSON.parse((await ask('--conversation', 'last')).out) as { metadata: { conversationId: string } }
    const [conversation, ...others] = await conversations()
    expect(others).toEqual([])
    expect(conversation).toMatchObject({ conversationId: on.metadata.conversationId, turns: 2 })
    const off = JSON.parse((await ask('--no-memory')).out) as { metadata: object }
    expect(off.metadata).not.toHaveProperty('conversationId')
    expect(await conversations()).toHaveLength(1)
    expect((await ask('--conversation', 'nope')).err).toContain('There is no conversation "nope".')
    expect(await ask('--conversation', 'last', '--no-memory')).toMatchObject({ code: 2 })
  })

  it('reverts the facts that an answer lists as remembered', async () => {
    const { err } = await say('My name is Ravi.', { userName: 'Ravi' })
    const [, run] = /user-name “Ravi”.*tutti memory undo ([\da-f]+)/.exec(err)!
    expect((await world.run(['memory', 'undo', run!])).err).toContain('user-name')
    expect(await facts()).toMatchObject({ userName: 'Vinay' })
    expect((await world.run(['memory', 'undo', run!])).err).toContain('nothing')
  })
})
