import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineRole } from '../../src/domain/actor.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import type { RegisteredStrategy } from '../../src/domain/strategy.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { say } from '../support/engine-world.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'

/** Compares the Prometheus metrics of runs with the runs. */

const letter = defineTool({
  name: 'send_letter',
  description: 'Sends a letter.',
  effect: 'irreversible',
  provenance: BY_USER,
  input: z.object({ to: z.string() }),
  run: async () => undefined,
})
/** One job of one role. */
const alone = (name: string, run: Parameters<typeof defineRole>[0]['run']): RegisteredStrategy => ({
  strategy: {
    name,
    next: ({ jobs }) =>
      jobs.get(name)?.result === undefined ? [{ key: name, actor: name, input: undefined }] : { finish: 'answered' },
  },
  roles: [defineRole({ name, run })],
})
const teller = alone('teller', async (ctx) => {
  await ctx.ask(say, 'a beginning')
  const { value = 'no model' } = await ctx.ask(say, 'an end')
  ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
  return {}
})
const writer = alone('writer', async (ctx) => {
  await ctx.call(letter, { to: 'Kim' })
  return {}
})

const clock = new ManualClock(Date.UTC(2026, 4, 2, 12))
let models: ModelServer
let world: HttpWorld
beforeAll(async () => {
  models = await startModelServer([{ reply: { text: 'Once.' } }])
  const providers = [{ kind: 'compatible' as const, baseUrl: models.url, defaultModel: 'scripted' }]
  world = await startHttpWorld({ clock, strategies: [teller, writer], models: { providers } })
})
afterAll(async () => {
  await world.close()
  await models.close()
})

/** Values by names with their labels. */
async function scraped(of: HttpWorld): Promise<Readonly<Record<string, number>>> {
  const text = await (await of.fetch('/metrics', { as: 'root' })).text()
  const lines = text.split('\n').filter((line) => line.startsWith('tutti_') && !line.startsWith('tutti_http'))
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

it('counts results of runs, usage of models, and waiting runs', async () => {
  const open = { 'tutti_open_runs{state="queued"}': 0, 'tutti_open_runs{state="working"}': 0 }
  expect(await scraped(world)).toMatchObject({ ...open, 'tutti_open_runs{state="waiting"}': 0 })
  const ask = (json: object) => world.json<RunResponse>('/query', { json })
  const told = await ask({ question: 'x', strategy: 'teller', memory: false })
  await ask({ question: 'x', strategy: 'teller', memory: false })
  const { runId } = await world.json<{ runId: string }>('/runs', {
    json: { question: 'x', strategy: 'writer', memory: false },
  })
  await vi.waitFor(async () => expect((await world.json<{ items: object[] }>('/approvals')).items).toHaveLength(1))
  expect(await scraped(world)).toMatchObject({ ...open, 'tutti_open_runs{state="waiting"}': 1 })
  await clock.advance(5_000)
  await world.fetch(`/runs/${runId}/cancel`, { method: 'POST', json: {} })

  const { calls, inputTokens, outputTokens } = told.metadata.usage
  expect([calls, outputTokens > 0]).toEqual([2, true])
  const model = 'compatible:scripted'
  const expected = {
    ...open,
    'tutti_open_runs{state="waiting"}': 0,
    // No agent answered one of its parts.
    'tutti_runs_total{outcome="declined"}': 2,
    'tutti_runs_total{outcome="cancelled"}': 1,
    tutti_run_duration_seconds_count: 3,
    tutti_run_duration_seconds_sum: 5,
    [`tutti_model_calls_total{model="${model}"}`]: 2 * calls,
    [`tutti_model_tokens_total{model="${model}",direction="input"}`]: 2 * inputTokens,
    [`tutti_model_tokens_total{model="${model}",direction="output"}`]: 2 * outputTokens,
  }
  await vi.waitFor(async () => expect(await scraped(world)).toMatchObject(expected))
})

it('counts answered, partly answered and unanswered runs', async () => {
  const plain = await startHttpWorld()
  const ask = (question: string) => plain.json('/query', { json: { question, strategy: 'graph' } })
  await ask('What is 6 times 7?')
  await ask('What is 6 times 8?')
  await ask('What is 6 times 7, and how many orders were returned in 2024?')
  await ask('How many orders were returned in 2024?')
  await vi.waitFor(async () =>
    expect(await scraped(plain)).toMatchObject({
      'tutti_runs_total{outcome="answered"}': 2,
      'tutti_runs_total{outcome="partly"}': 1,
      'tutti_runs_total{outcome="declined"}': 1,
    }),
  )
  await plain.close()
})

it('counts runs that wait for a worker', async () => {
  const queue = await startHttpWorld({ queue: true })
  const { app } = queue
  await app.as('ada').start('What is 6 times 7?')
  expect(await scraped(queue)).toMatchObject({
    'tutti_open_runs{state="queued"}': 1,
    'tutti_open_runs{state="working"}': 0,
  })
  await queue.close()
})
