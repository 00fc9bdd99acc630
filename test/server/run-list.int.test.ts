import { beforeAll, describe, expect, it } from 'vitest'
import type { Operations, Schemas } from '../../src/client/api-types.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => startHttpWorld())
beforeAll(async () => {
  for (const question of ASKED) await world.json('/query', { json: { question } })
})

const RIGHT = 'What is 6 times 7?'
const WRONG = 'Who painted the ceiling of the chapel?'
const ASKED = [RIGHT, WRONG, RIGHT, RIGHT, WRONG]

type Listed = Operations['GET /runs']['answer']

interface Detail {
  readonly response: RunResponse
}

const list = (query: string, as = 'ada') => world.json<Listed>(`/runs?${query}`, { as })

describe('the list of runs', () => {
  it('returns the outcome of each', async () => {
    const { items } = await list('')
    expect(items.map(({ question, outcome }) => [question, outcome])).toEqual(
      ASKED.toReversed().map((question) => [question, question === RIGHT ? 'answered' : 'declined']),
    )
    expect(await list('', 'ben')).toEqual({ items: [] })
  })

  it('returns a summary line, the author and the usage of each answer', async () => {
    for (const { runId, gist, agents, workMs, tokens, costUsd } of (await list('')).items) {
      const { response } = await world.json<Detail>(`/runs/${runId}`)
      expect(response.answer.split('\n')[0]).toContain(gist)
      expect(agents).toEqual(response.metadata.agents)
      expect(workMs).toBe(response.metadata.latencyMs)
      const { inputTokens, outputTokens, costUsd: cost } = response.metadata.usage
      expect([tokens, costUsd]).toEqual([inputTokens + outputTokens, cost])
    }
  })

  it('returns those with an outcome, page by page, without duplicates or gaps', async () => {
    const all = (await list('')).items
    const answered = all.filter(({ outcome }) => outcome === 'answered')
    for (const [filter, expected] of [
      ['limit=2', all],
      ['outcome=answered&limit=1', answered],
    ] as const) {
      const found: string[] = []
      let cursor = ''
      do {
        const page = await list(`${filter}${cursor}`)
        found.push(...page.items.map(({ runId }) => runId))
        cursor = page.nextCursor === undefined ? '' : `&cursor=${page.nextCursor}`
      } while (cursor !== '')
      expect([filter, found]).toEqual([filter, expected.map(({ runId }) => runId)])
    }
    expect((await list('outcome=declined')).items).toHaveLength(2)
    expect(await list('outcome=partly')).toEqual({ items: [] })
    expect(await list('outcome=answered&status=failed')).toEqual({ items: [] })
    expect(await world.status('/runs?outcome=whatever')).toBe(400)
  })

  it('counts them by start time, matching the list', async () => {
    for (const filter of [
      '',
      'outcome=answered',
      'outcome=declined',
      'search=times',
      'agent=computation',
      'agent=rag&outcome=declined',
      'outcome=answered&status=failed',
    ]) {
      const { items } = await list(filter)
      const counts = await world.json<Schemas['RunCounts']>(`/runs/counts?${filter}`)
      const sum = (of: 'runs' | 'declined' | 'failed') => counts.items.reduce((all, one) => all + one[of], 0)
      const declined = items.filter(({ outcome }) => outcome === 'declined').length
      expect([sum('runs'), sum('declined'), sum('failed')]).toEqual([items.length, declined, 0])
      for (const { from, runs } of counts.items) {
        const until = new Date(Date.parse(from) + counts.stepMs).toISOString()
        const { items: there } = await list(`${filter}&from=${from}&until=${until}`)
        expect(there).toHaveLength(runs)
      }
    }
    expect((await world.json<Schemas['RunCounts']>('/runs/counts', { as: 'ben' })).items).toEqual([])
  })

  it('filters them by agent and model like the dashboard, without those of other users', async () => {
    const { items } = await world.json<{ items: readonly Schemas['RunUsage'][] }>(
      '/runs/usage?from=2020-01-01T00:00:00Z',
    )
    const parts = await world.json<Schemas['RunParts']>('/runs/parts')
    expect(parts).toEqual({ agents: [...new Set(items.flatMap((run) => run.agents))].toSorted(), models: [] })
    expect(parts.agents.length).toBeGreaterThan(1)
    const both = parts.agents.slice(0, 2)
    // A name with a comma is one name.
    for (const agents of [...parts.agents.map((one) => [one]), both, [both.join(',')], ['nobody']]) {
      const isMeant = (run: Schemas['RunUsage']) => run.agents.some((one) => agents.includes(one))
      const asked = agents.map((one) => `agent=${encodeURIComponent(one)}`).join('&')
      const { items: there } = await list(asked)
      expect(there.map(({ runId }) => runId)).toEqual(items.filter(isMeant).map(({ runId }) => runId))
      // Ben has no runs. He does not learn which agents take part in runs of other users, or whether they exist.
      expect(await list(asked, 'ben')).toEqual({ items: [] })
    }
    const twice = await world.fetch('/runs?agent=rag&agent=sql&model=a&model=b')
    expect(await twice.json()).toMatchObject({ detail: 'The query parameter model must not be repeated.' })
    expect(await list('model=tiny')).toEqual({ items: [] })
    expect(await world.json('/runs/parts', { as: 'ben' })).toEqual({ agents: [], models: [] })
  })

  it('returns the usage of the latest own runs, up to the limit', async () => {
    const took = (more: string, as?: string) =>
      world.json<{ items: readonly Schemas['RunUsage'][]; isCut: boolean }>(
        `/runs/usage?from=2020-01-01T00:00:00Z${more}`,
        as === undefined ? {} : { as },
      )
    const all = await took('')
    const two = await took('&limit=2')
    expect(all.items.length).toBeGreaterThan(2)
    expect(two).toEqual({ items: all.items.slice(0, 2), isCut: true })
    expect(all.isCut).toBe(false)
    const isRight = ASKED.toReversed().map((question) => question === RIGHT)
    expect(all.items.map(({ isAnswered }) => isAnswered)).toEqual(isRight)
    expect((await took('&limit=2', 'ben')).items).toEqual([])
  })
})
