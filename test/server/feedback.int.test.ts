import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifiedPair, writePair } from '../../src/app/verified-pairs.ts'
import { createApp } from '../../src/app/create-app.ts'
import { parseTerms } from '../../src/databases/glossary/terms.ts'
import { createFolder } from '../support/folder.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const COUNT = 'How many customers are there?'
const TERMS = '# What our people say\ntables:\n  customers:\n    called: [customer, client] # both\n'

const folder = openForAll(createFolder)
const fileOf = (name: string): string => join(folder.path, name)
const config = {
  databases: [{ name: 'shop', url: 'sqlite:shop.db', terms: 'shop.terms.yaml' }, { url: 'sqlite:bare.db' }],
}
beforeAll(async () => {
  for (const name of ['shop', 'bare']) {
    const db = new Database(fileOf(`${name}.db`))
    const [people, sales] = name === 'shop' ? ['customers', 'orders'] : ['planets', 'moons']
    db.exec(`CREATE TABLE ${people} (id integer PRIMARY KEY, name text);
      CREATE TABLE ${sales} (id integer PRIMARY KEY, order_date date);
      INSERT INTO ${people} VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO ${sales} VALUES (1, '2025-03-02')`)
    db.close()
  }
  await writeFile(fileOf('shop.terms.yaml'), TERMS)
})
const world = openForAll(() => startHttpWorld({ config, cwd: folder.path }))

async function asked(question: string, as = 'ada'): Promise<string> {
  const { metadata } = await world.json<{ metadata: { runId: string } }>('/query', { json: { question }, as })
  return metadata.runId
}
const judge = (runId: string, json: object, as = 'ada') => world.fetch(`/runs/${runId}/feedback`, { json, as })
async function pairOf(runId: string) {
  const { runs, response } = world.app.as('ada')
  return verifiedPair((await runs.state(runId)).request, await response(runId))
}

describe('feedback', () => {
  it('is refused for a run without an answer', async () => {
    const { runId } = await world.json<{ runId: string }>('/runs', { json: { question: COUNT, confirmPlan: true } })
    const waits = await judge(runId, { thumb: 'up' })
    await world.fetch(`/runs/${runId}/cancel`, { method: 'POST' })
    await expect.poll(async () => (await world.app.as('ada').runs.state(runId)).status).toBe('cancelled')
    const told = [waits, await judge(runId, { thumb: 'up' })]
    expect(told.map(({ status }) => status)).toEqual([409, 409])
    expect(await world.json(`/runs/${runId}/feedback`)).toEqual({})
  })

  it('is the user’s latest feedback on their run', async () => {
    const runId = await asked('What is 6 * 7?')
    expect(await world.json(`/runs/${runId}/feedback`)).toEqual({})
    await judge(runId, { thumb: 'up' })
    await judge(runId, { thumb: 'down', reason: 'Too short' })
    expect(await world.json(`/runs/${runId}/feedback`)).toMatchObject({
      feedback: { thumb: 'down', reason: 'Too short' },
    })
    expect((await judge(runId, { thumb: 'down', reason: 'a\0b' })).status).toBe(400)
    // The library accepts invalid text and stores it in a valid form.
    await world.app.feedback.give({ runId, owner: 'ada', thumb: 'down', reason: 'a\0b', givenAt: 1 })
    expect(await world.json(`/runs/${runId}/feedback`)).toMatchObject({
      feedback: { reason: 'a\uFFFDb' },
    })
    expect(await world.json(`/runs/${runId}/feedback`, { as: 'ben' })).toMatchObject({ code: 'RunNotFound' })
    const statuses = [
      await judge(runId, { thumb: 'up' }, 'ben'),
      await judge('nothing', { thumb: 'up' }),
      await judge(runId, { thumb: 'sideways' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 400])
  })

  it('is deleted with its run', async () => {
    const runId = await asked('What is 9 * 9?')
    await judge(runId, { thumb: 'down' })
    await world.fetch(`/runs/${runId}`, { method: 'DELETE' })
    expect(await world.app.feedback.get('ada', runId)).toBeUndefined()
  })
})

describe('a verified question', () => {
  it('is stored in addition to the terms of its database, and answers the same question', async () => {
    const runId = await asked(COUNT)
    const pair = await pairOf(runId)
    expect(pair).toMatchObject({ question: COUNT, database: 'shop', sql: expect.stringMatching(/count/i) })
    // It is stored once.
    for (const _ of [1, 2]) await writePair(world.app.databases, pair)
    const text = await readFile(fileOf('shop.terms.yaml'), 'utf8')
    expect(text).toContain('# What our people say')
    expect(text).toContain('# both')
    const { verified } = await parseTerms(text, 'shop.terms.yaml')
    expect(verified).toEqual([{ question: COUNT, sql: pair.sql }])
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.new'))).toEqual([])
    const later = await createApp({ config, cwd: folder.path })
    const { answer, agentResults } = await later.ask(COUNT)
    await later.close()
    expect(answer).toContain('2')
    expect(agentResults[0]?.sources[0]?.detail).toBe(pair.sql)
  })

  it.each([
    ['How many orders are there this month?', 'on another day it would be wrong'],
    ['What is 6 * 7?', 'one query alone'],
    ['How many unicorns are there?', 'did not answer'],
    ['How many planets are there?', 'has no terms file'],
  ])('is not created from %s', async (question, why) => {
    const created = pairOf(await asked(question)).then((pair) => writePair(world.app.databases, pair))
    await expect(created).rejects.toMatchObject({ code: 'InvalidRequest', message: expect.stringContaining(why) })
  })
})
