import { describe, expect, it } from 'vitest'
import { agent, FakeModels, memoryEngine, say } from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { defineRole } from '../../domain/actor.ts'
import { createModels } from '../../models/registry.ts'

// Loaded before the tests, because loading takes real time while the test clock advances.
await import('@ai-sdk/openai-compatible')

const never = new Promise<never>(() => undefined)
const composer = defineRole({
  name: 'composer',
  limits: { timeoutMs: 10_000 },
  async run(ctx) {
    const { value = 'no model', by, reason } = await ctx.ask(say, 'the answer', { streamAnswer: true })
    ctx.emit({ type: 'answer.composed', answer: value, by, ...(reason === undefined ? {} : { reason }) })
    return { answer: value }
  },
})
const planner = defineRole({
  name: 'planner',
  limits: { timeoutMs: 5_000 },
  async run(ctx) {
    const { value = 'no model' } = await ctx.ask(say, 'the plan')
    const tasks = [{ id: 'a', agent: 'a', dependsOn: [] }]
    ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: value, confidence: 0.5 })
    return { answer: value }
  },
})
const asking = agent('a', async (_task, ctx) => ({ answer: (await ctx.ask(say, 'the work')).value ?? 'no model' }), {
  limits: { timeoutMs: 8_000 },
})

async function world(models: (clock: ManualClock) => object) {
  const clock = new ManualClock()
  const { run } = await memoryEngine([asking], {
    clock,
    roles: [planner, composer],
    models: models(clock) as FakeModels,
  })
  return run([])
}

describe('a model that never answers', () => {
  it('reaches the failure path of every role when nothing else ends the call', async () => {
    const state = await world(() => new FakeModels(() => ({ after: never })))
    expect(state.status).toBe('finished')
    expect(state.plan?.rationale).toBe('no model')
    expect(state.answer).toMatchObject({ text: 'no model', reason: 'the time for it is over' })
  })

  it('is given up before the limit of the caller, with one retry per job', async () => {
    let requests = 0
    const fetch = ((_input: unknown, init?: RequestInit) => {
      requests++
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal!.reason)),
      )
    }) as typeof globalThis.fetch
    const provider = {
      name: 'local',
      kind: 'compatible',
      source: 'test',
      baseUrl: 'http://x.test/v1',
      defaultModel: 'm',
    }
    const timeouts = { firstChunkMs: 2_000, idleMs: 2_000, totalMs: 3_000 }
    const state = await world((clock) =>
      createModels({ providers: [provider as never], timeouts }, { clock, random: () => 0, fetch }),
    )
    expect(state.status).toBe('finished')
    expect([...state.jobs.values()].map(({ result }) => [result?.status, result?.answer])).toEqual([
      ['succeeded', 'no model'],
      ['succeeded', 'no model'],
      ['succeeded', 'no model'],
    ])
    expect(requests).toBe(6)
  })

  it('gets the remaining time of the job, and jobs get more time with longer model timeouts', async () => {
    const within: (number | undefined)[] = []
    const models = new FakeModels((text, { withinMs }) => {
      within.push(withinMs)
      return text
    })
    await world(() => models)
    expect(within).toEqual([4_500, 7_200, 9_000])
    await world(() => Object.assign(models, { patience: 2 }))
    expect(within.slice(3)).toEqual([9_000, 14_400, 18_000])
  })
})
