import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { parseTerms } from '../../src/databases/glossary/terms.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

const COUNT = 'How many customers are there?'
const TERMS = '# What our people say\ntables:\n  customers:\n    called: [customer, client] # both\n'

interface Listed {
  readonly items: readonly {
    readonly runId: string
    readonly owner: string
    readonly question: string
    readonly pair?: { readonly question: string; readonly sql: string; readonly database: string }
    readonly case?: { readonly question: string; readonly expect: unknown }
  }[]
  readonly nextCursor?: string
}

let folder: string
let world: HttpWorld
const config = {
  databases: [{ name: 'shop', url: 'sqlite:shop.db', terms: 'shop.terms.yaml' }, { url: 'sqlite:bare.db' }],
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-feedback-'))
  for (const name of ['shop', 'bare']) {
    const db = new Database(join(folder, `${name}.db`))
    const [people, sales] = name === 'shop' ? ['customers', 'orders'] : ['planets', 'moons']
    db.exec(`CREATE TABLE ${people} (id integer PRIMARY KEY, name text);
      CREATE TABLE ${sales} (id integer PRIMARY KEY, order_date date);
      INSERT INTO ${people} VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO ${sales} VALUES (1, '2025-03-02')`)
    db.close()
  }
  await writeFile(join(folder, 'shop.terms.yaml'), TERMS)
  world = await startHttpWorld({ config, cwd: folder })
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function asked(question: string, as = 'ada'): Promise<string> {
  const { metadata } = await world.json<{ metadata: { runId: string } }>('/query', { json: { question }, as })
  return metadata.runId
}
const judge = (runId: string, json: object, as = 'ada') => world.fetch(`/runs/${runId}/feedback`, { json, as })
const listed = (query = '') => world.json<Listed>(`/feedback${query}`, { as: 'root' })
const verify = (runId: string, as: string) => world.fetch(`/runs/${runId}/verified`, { method: 'POST', as })

describe('feedback', () => {
  it('of a missing run, or another user’s, is not found', async () => {
    const { metadata } = await world.json<{ metadata: { runId: string } }>('/query', { json: { question: COUNT } })
    const place = `/runs/${metadata.runId}/feedback`
    const statuses = [await world.fetch(place), await world.fetch(place, { as: 'ben' })].map(({ status }) => status)
    expect([...statuses, (await world.fetch('/runs/nope/feedback')).status]).toEqual([200, 404, 404])
  })

  it('is refused for a run without an answer', async () => {
    const { runId } = await world.json<{ runId: string }>('/runs', { json: { question: COUNT, confirmPlan: true } })
    const waits = await judge(runId, { thumb: 'up' })
    await world.fetch(`/runs/${runId}/cancel`, { method: 'POST' })
    await expect.poll(async () => (await world.app.as('ada').runs.state(runId)).status).toBe('cancelled')
    const told = [waits, await judge(runId, { thumb: 'up' })]
    expect(told.map(({ status }) => status)).toEqual([409, 409])
    const details = await Promise.all(told.map(async (one) => ((await one.json()) as { detail: string }).detail))
    expect(details).toEqual([
      expect.stringContaining('wait for its answer'),
      expect.stringContaining('without an answer'),
    ])
    expect(await world.json(`/runs/${runId}/feedback`)).toEqual({})
  })

  it('is the user’s latest feedback on their run', async () => {
    const runId = await asked('What is 6 * 7?')
    expect(await world.json(`/runs/${runId}/feedback`)).toEqual({})
    await judge(runId, { thumb: 'up' })
    await judge(runId, { thumb: 'down', reason: 'Too short', correction: 'Forty-two.' })
    expect(await world.json(`/runs/${runId}/feedback`)).toMatchObject({
      feedback: { thumb: 'down', reason: 'Too short', correction: 'Forty-two.' },
    })
    expect((await judge(runId, { thumb: 'down', reason: 'a\0b' })).status).toBe(400)
    // The library accepts invalid text and stores it in a valid form.
    const odd = { reason: 'a\0b', correction: 'c\0d' }
    await world.app.feedback.give({ runId, owner: 'ada', thumb: 'down', ...odd, givenAt: 1 })
    expect(await world.json(`/runs/${runId}/feedback`)).toMatchObject({
      feedback: { reason: 'a\uFFFDb', correction: 'c\uFFFDd' },
    })
    expect(await world.json(`/runs/${runId}/feedback`, { as: 'ben' })).toMatchObject({ code: 'RunNotFound' })
    const statuses = [
      await judge(runId, { thumb: 'up' }, 'ben'),
      await judge('nothing', { thumb: 'up' }),
      await judge(runId, { thumb: 'sideways' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 400])
  })

  it('of a wrong answer is offered as a case', async () => {
    const runId = await asked('What is 9 * 9?')
    await judge(runId, { thumb: 'down', correction: 'It is 81.' })
    const made = { question: 'What is 9 * 9?', expect: { judge: 'It is 81.' } }
    expect(await world.json(`/runs/${runId}/case`)).toMatchObject(made)
    const { items } = await listed('?thumb=down&limit=1')
    expect(items).toMatchObject([{ runId, owner: 'ada', question: 'What is 9 * 9?', case: made }])
    expect((await world.fetch(`/runs/${runId}/case`, { as: 'ben' })).status).toBe(404)
  })

  it('is listed for admins page by page, and deleted with its run', async () => {
    const first = await listed('?limit=1')
    const second = await listed(`?limit=1&cursor=${first.nextCursor}`)
    expect(second.items[0]!.runId).not.toBe(first.items[0]!.runId)
    const { runId } = first.items[0]!
    await world.fetch(`/runs/${runId}`, { method: 'DELETE' })
    expect((await listed()).items.find((one) => one.runId === runId)?.case).toBeUndefined()
  })
})

describe('a verified question', () => {
  it('is stored by editors of the database, in addition to its terms, and answers the same question', async () => {
    const runId = await asked(COUNT)
    await judge(runId, { thumb: 'up' })
    const [{ pair } = {}] = (await listed('?thumb=up&limit=1')).items
    expect(pair).toMatchObject({ question: COUNT, database: 'shop', sql: expect.stringMatching(/count/i) })
    expect([await verify(runId, 'ada'), await verify(runId, 'ben')].map(({ status }) => status)).toEqual([403, 404])
    expect(await readFile(join(folder, 'shop.terms.yaml'), 'utf8')).toBe(TERMS)
    await world.app.people.groups.setGrant('test', 'database:shop', 'everyone', 'editor')
    for (const as of ['ada', 'root']) {
      expect((await verify(runId, as)).status, as).toBe(201)
      const [last] = await world.app.people.audit(1)
      expect(last).toMatchObject({ changedBy: as, action: 'keep verified question', detail: { runId } })
    }
    const text = await readFile(join(folder, 'shop.terms.yaml'), 'utf8')
    expect(text).toContain('# What our people say')
    expect(text).toContain('# both')
    const { verified } = await parseTerms(text, 'shop.terms.yaml')
    expect(verified).toEqual([{ question: COUNT, sql: pair!.sql }])
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([])
    const later = await createApp({ config, cwd: folder })
    const { answer, agentResults } = await later.ask(COUNT)
    await later.close()
    expect(answer).toContain('2')
    expect(agentResults[0]?.sources[0]?.detail).toBe(pair!.sql)
  })

  it('is not lost when several are stored in parallel', async () => {
    const ids = []
    const questions = [COUNT, 'How many orders are there?', 'List all customers.', 'How many clients are there?']
    for (const question of questions) ids.push(await asked(question, 'root'))
    const statuses = await Promise.all(ids.map(async (runId) => (await verify(runId, 'root')).status))
    const { verified } = await parseTerms(await readFile(join(folder, 'shop.terms.yaml'), 'utf8'), 'shop.terms.yaml')
    expect([statuses, verified?.map(({ question }) => question)]).toEqual([[201, 201, 201, 201], questions])
  })

  it.each([
    ['How many orders are there this month?', 'on another day it would be wrong'],
    ['What is 6 * 7?', 'one query alone'],
    ['How many unicorns are there?', 'did not answer'],
    ['How many planets are there?', 'has no terms yet'],
  ])('is not created from %s', async (question, why) => {
    const runId = await asked(question, 'root')
    const refused = await verify(runId, 'root')
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      400,
      expect.stringContaining(why) as string,
    ])
  })
})
