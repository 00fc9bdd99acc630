import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOTHING_TO_REMEMBER } from '../e2e/support.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { createCliWorld, type CliWorld } from './support.ts'

describe('tutti memory', () => {
  let world: CliWorld
  let models: ModelServer
  beforeAll(async () => {
    world = await createCliWorld()
    models = await startModelServer()
  })
  afterAll(async () => {
    await world.close()
    await models.close()
  })

  /** Says something to a model that takes these facts from it. */
  const say = (words: string, criticalFacts: object, ...options: string[]) => {
    const json = { ownWords: words, found: true, criticalFacts, preferences: {} }
    models.script([{ ...NOTHING_TO_REMEMBER, reply: { json } }, { reply: { text: 'Hello.' } }])
    const env = { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }
    return world.run(['ask', words, '--db', 'sqlite:shop.sqlite', ...options], { env })
  }

  const show = async () => JSON.parse((await world.run(['memory', 'show', '--json'])).out) as ShownMemory

  it('shows facts about the user from a question, with its run', async () => {
    const empty = await world.run(['memory', 'show'])
    expect(empty).toMatchObject({ code: 0, out: '' })
    expect(empty.err).toContain('Nothing is stored about you.')

    const known = { userName: 'Vinay', companyName: 'Google' }
    const asked = await say('My name is Vinay. I work at Google.', known, '--json')
    const { metadata, notices } = JSON.parse(asked.out) as {
      metadata: { runId: string; conversationId: string }
      notices: readonly object[]
    }
    expect(notices).toContainEqual(expect.objectContaining({ code: 'remembered', params: known }))
    const memory = await show()
    expect(memory.facts).toEqual(known)
    expect(memory.entries[0]).toMatchObject({ field: 'userName', source: { by: 'run', runId: metadata.runId } })
    expect(memory.conversations).toMatchObject([{ conversationId: metadata.conversationId, turns: 1 }])
    const { out } = await world.run(['memory', 'show'])
    expect(out).toMatch(/user-name +Vinay +said in run [\da-f]{8} +just now/)
  })

  it('edits a field by any of its names, and lists the changes', async () => {
    expect((await world.run(['memory', 'edit', 'company', 'Acme', 'Corp'])).err).toContain('company-name: Acme Corp')
    await world.run(['memory', 'edit', 'recent-projects', 'RAGA, Beta'])
    const memory = await show()
    expect(memory.facts).toMatchObject({ companyName: 'Acme Corp', recentProjects: ['RAGA', 'Beta'] })
    const { out } = await world.run(['memory', 'history'])
    expect(out).toMatch(/company-name +Google +Acme Corp +edited by you/)
    const wrong = await world.run(['memory', 'edit', 'shoe-size', '43'])
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.err).toContain('There is no field "shoe-size". There are: user-name,')
    expect((await world.run(['memory', 'edit', 'tone', ' '])).err).toContain('tutti memory forget tone')
  })

  it('continues a conversation, or runs without memory', async () => {
    const ask = (...options: string[]) =>
      world.run(['ask', 'How many customers are there?', '--db', 'sqlite:shop.sqlite', '--json', ...options])
    const on = JSON.parse((await ask('--conversation', 'last')).out) as { metadata: { conversationId: string } }
    const [conversation, ...others] = (await show()).conversations
    expect(others).toEqual([])
    expect(conversation).toMatchObject({ conversationId: on.metadata.conversationId, turns: 2 })
    const off = JSON.parse((await ask('--no-memory')).out) as { metadata: object }
    expect(off.metadata).not.toHaveProperty('conversationId')
    expect((await show()).conversations).toHaveLength(1)
    expect((await ask('--conversation', 'nope')).err).toContain('There is no conversation "nope".')
    expect(await ask('--conversation', 'last', '--no-memory')).toMatchObject({ code: 2 })
  })

  it('erases a named fact with its history, or everything', async () => {
    const careless = await world.run(['memory', 'forget', 'name'])
    expect(careless).toMatchObject({ code: 2 })
    expect(careless.err).toContain('Add --yes')
    expect((await show()).facts).toHaveProperty('userName')
    await world.run(['memory', 'forget', 'name', '--yes'])
    expect((await show()).facts).not.toHaveProperty('userName')
    expect((await world.run(['memory', 'history'])).out).not.toContain('Vinay')
    expect(await world.run(['memory', 'forget'])).toMatchObject({ code: 2 })
    expect(await world.run(['memory', 'forget', 'tone', '--all', '--yes'])).toMatchObject({ code: 2 })
    const { err } = await world.run(['memory', 'forget', '--all', '--yes'])
    expect(err).toContain('Erased: company-name, recent-projects, 1 conversation')
    expect(await show()).toMatchObject({ facts: {}, preferences: {}, entries: [], conversations: [] })
    expect((await world.run(['memory', 'history'])).out).toBe('')
  })

  it('reverts the facts that an answer lists as remembered', async () => {
    await world.run(['memory', 'edit', 'name', 'Vinay'])
    const { err } = await say('My name is Ravi.', { userName: 'Ravi' })
    const [, run] = /user-name “Ravi”.*tutti memory undo ([\da-f]+)/.exec(err)!
    expect((await world.run(['memory', 'undo', run!])).err).toContain('user-name')
    expect((await show()).facts).toEqual({ userName: 'Vinay' })
    expect((await world.run(['memory', 'undo', run!])).err).toContain('nothing')
  })
})

interface ShownMemory {
  readonly facts: object
  readonly entries: readonly object[]
  readonly conversations: readonly object[]
}
