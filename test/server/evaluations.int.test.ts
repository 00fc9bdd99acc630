import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changesBetween, parseRun } from '../../src/evaluation/results.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** Evaluation cases over HTTP: on both databases, across a restart, and separate for each user. */

interface Told {
  readonly evaluationId: string
  readonly status: string
  readonly asked: number
  readonly totals: Readonly<Record<'cases' | 'right' | 'declined' | 'wrong' | 'failed', number>>
  readonly sets: readonly { readonly set: string; readonly totals: Told['totals'] }[]
}
interface Result {
  readonly id: string
  readonly set: string
  readonly verdict: string
  readonly error?: string
  readonly turns: readonly { readonly question: string; readonly answer: string; readonly runId?: string }[]
}

const CASES = [
  { id: 'six', set: 'sums', question: 'What is 6 * 7?', expect: { number: 42 } },
  { id: 'off', set: 'sums', question: 'What is 6 * 8?', expect: { number: 49 } },
  { id: 'none', set: 'sums', question: 'How many spaceships do we own?', expect: { number: 3 } },
  { id: 'refused', set: 'refusals', question: 'How many spaceships do we own?', expect: { refusal: true } },
  {
    id: 'talk',
    set: 'refusals',
    turns: [{ question: 'What is 3 * 3?' }, { question: 'What is 4 * 4?', expect: { number: 16 } }],
  },
  { id: 'plan', set: 'refusals', question: 'What is 1 + 1?', strategy: 'sideways', expect: { number: 2 } },
  { id: 'judged', question: 'What is 2 + 2?', expect: { judge: 'four' } },
]
const lines = (cases: readonly object[]): string => cases.map((one) => JSON.stringify(one)).join('\n')

const isMissing = inject('postgresUrl') === ''
const DATABASES = ['SQLite', ...(isMissing ? [] : ['PostgreSQL'])]

describe.each(DATABASES)('evaluations on %s', (database) => {
  let folder: string
  let storage: { folder: string; databaseUrl?: string }
  let world: HttpWorld

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-evaluations-'))
    storage =
      database === 'SQLite'
        ? { folder: join(folder, 'data') }
        : { databaseUrl: await createTestDatabase(inject('postgresUrl')), folder: join(folder, 'data') }
    world = await startHttpWorld({ storage, cwd: folder })
  })
  afterAll(async () => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  const keep = (cases: string, more: object = {}, as = 'ada') =>
    world.fetch('/evaluations/cases', { method: 'POST', as, json: { cases, ...more } })
  const begin = (json: object = {}, as = 'ada') => world.fetch('/evaluations', { method: 'POST', as, json })
  const get = (id: string) => world.json<Told & { cases: readonly Result[] }>(`/evaluations/${id}`)
  const ended = async (id: string): Promise<Told & { cases: readonly Result[] }> => {
    for (;;) {
      const told = await get(id)
      if (told.status !== 'running') return told
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const put = async (json: object = {}): Promise<Told & { cases: readonly Result[] }> => {
    const begun = await begin(json)
    expect(begun.status).toBe(202)
    return ended(((await begun.json()) as Told).evaluationId)
  }

  it('reports invalid cases, and explains what to do without any', async () => {
    expect(await world.json('/evaluations', { method: 'POST', json: {} })).toMatchObject({
      detail: 'There are no cases yet. Add a file with cases, or make a case from an answer.',
    })
    const refused: [string, RegExp][] = [
      ['{"question": "Which?"}', /line 1: the case: set expect next to/],
      ['nonsense', /line 1: no JSON/],
      ['', /There is no case/],
      [`{"set":"${'x'.repeat(200)}","question":"How many?","expect":{"number":1}}`, /at most 100 plain characters/],
    ]
    for (const [text, why] of refused) {
      const response = await keep(text)
      expect(response.status, text).toBe(400)
      expect(((await response.json()) as { detail: string }).detail).toMatch(why)
    }
    expect(await world.json('/evaluations/cases')).toEqual({ items: [] })
  })

  it('runs cases also after a restart, and distinguishes right, declined, wrong and failed', async () => {
    expect((await keep(lines(CASES), { set: 'mine' })).status).toBe(201)
    expect(await world.json('/evaluations', { method: 'POST', json: { strategy: 'sideways' } })).toMatchObject({
      code: 'InvalidRequest',
    })
    expect(await world.json('/evaluations', { method: 'POST', json: { sets: ['nothing'] } })).toMatchObject({
      detail: 'There is no set nothing.',
    })
    // No case has run yet.
    const begun = (await (await begin()).json()) as Told
    expect(begun).toMatchObject({ status: 'running', asked: 7, totals: { cases: 0 } })
    const second = await begin()
    expect([second.status, await second.json()]).toMatchObject([429, { code: 'LimitReached' }])
    await world.close()
    world = await startHttpWorld({ storage, cwd: folder })
    world.app.evaluations.work()
    const told = await ended(begun.evaluationId)
    expect(told).toMatchObject({
      status: 'done',
      asked: 7,
      totals: { cases: 7, right: 3, declined: 1, wrong: 1, failed: 2 },
      sets: [
        { set: 'mine', totals: { failed: 1 } },
        { set: 'refusals', totals: { right: 2, failed: 1 } },
        { set: 'sums', totals: { right: 1, declined: 1, wrong: 1 } },
      ],
    })
    expect(told.cases.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['off', 'wrong'],
      ['judged', 'failed'],
      ['plan', 'failed'],
      ['none', 'declined'],
      ...['refused', 'talk', 'six'].map((id) => [id, 'right']),
    ])
    expect(told.cases.find(({ id }) => id === 'plan')!.error).toContain('sideways')
    const [wrong] = told.cases
    expect(wrong!.turns[0]!.answer).toContain('48')
    // The run of a turn can be read, and started no conversation.
    expect((await world.fetch(`/runs/${wrong!.turns[0]!.runId}`)).status).toBe(200)
    expect(await world.json('/conversations')).toMatchObject({ items: [] })
    // `tutti eval --compare` reads it.
    const run = parseRun(JSON.stringify(told), 'told')
    expect(changesBetween(run, run)).toEqual([])
  })

  it('compares two, with changed cases first, the worst at the top', async () => {
    const [first] = (await world.json<{ items: Told[] }>('/evaluations')).items
    await keep(
      lines([
        { ...CASES[0], expect: { number: 41 } },
        { ...CASES[1], expect: { number: 48 } },
      ]),
    )
    await world.fetch('/evaluations/cases?set=refusals&id=plan', { method: 'DELETE' })
    const after = await put({ sets: ['sums', 'refusals'] })
    const compared = await world.json<{ cases: { id: string }[] }>(
      `/evaluations/compare?before=${first!.evaluationId}&after=${after.evaluationId}`,
    )
    expect(compared.cases.map(({ id }) => id)).toEqual(['six', 'judged', 'plan', 'off', 'none', 'refused', 'talk'])
    const nobodys = await world.fetch(`/evaluations/compare?before=${first!.evaluationId}&after=nothing`)
    expect(nobodys.status).toBe(404)
  })

  it('is cancelled, and finished results stay', async () => {
    await keep(
      lines(
        Array.from({ length: 30 }, (_, i) => ({
          id: `m${i}`,
          question: `What is ${i} * 2?`,
          expect: { number: i * 2 },
        })),
      ),
      { set: 'many' },
    )
    const { evaluationId } = (await (await begin({ sets: ['many'] })).json()) as Told
    while ((await get(evaluationId)).totals.cases === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    const removed = await world.fetch(`/evaluations/${evaluationId}`, { method: 'DELETE' })
    expect(removed.status).toBe(409)
    expect(await world.json(`/evaluations/${evaluationId}/cancel`, { method: 'POST' })).toMatchObject({
      status: 'cancelled',
    })
    const { totals, asked } = await get(evaluationId)
    expect(totals.cases).toBeLessThan(asked)
    expect((await world.fetch(`/evaluations/${evaluationId}/cancel`, { method: 'POST' })).status).toBe(409)
    // Active runs end, and no further run starts.
    const open = async () => (await world.app.as('ada').runs.runs({ status: ['running', 'waiting'] })).length
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await world.fetch(`/evaluations/${evaluationId}`, { method: 'DELETE' })).status).toBe(204)
    expect((await world.fetch(`/evaluations/${evaluationId}`)).status).toBe(404)
  })

  it('a run becomes a private case', async () => {
    const { metadata } = await world.json<{ metadata: { runId: string } }>('/query', {
      method: 'POST',
      json: { question: 'What is 9 * 9?' },
    })
    const path = `/runs/${metadata.runId}/case`
    const made = await world.fetch(path, { method: 'POST', json: { set: 'from chats', number: [81] } })
    expect([made.status, await made.json()]).toMatchObject([
      201,
      { set: 'from chats', turns: [{ question: 'What is 9 * 9?', expect: [{ number: [81] }] }] },
    ])
    const empty = await world.fetch(path, { method: 'POST', json: { set: 'from chats' } })
    expect([empty.status, ((await empty.json()) as { detail: string }).detail]).toMatchObject([
      400,
      expect.stringContaining('at least one expectation'),
    ])
    expect((await world.fetch(path, { method: 'POST', as: 'ben', json: { number: [81] } })).status).toBe(404)
    expect(await put({ sets: ['from chats'] })).toMatchObject({ totals: { cases: 1, right: 1 } })
    expect(await world.json('/evaluations', { as: 'ben' })).toEqual({ items: [] })
    expect(await world.json('/evaluations/cases', { as: 'ben' })).toEqual({ items: [] })
  })
})
