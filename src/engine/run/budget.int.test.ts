import { describe, expect, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import { defineRole } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Budget } from '../../domain/request.ts'
import { agent, FakeModels, gate, givenPlanner, openWorld, request, say } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { hanging } from '../../../test/support/test-agents.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import { fold, type RunState } from '../../domain/state.ts'
import { BudgetMeter } from './budget.ts'

const askingComposer = defineRole({
  name: 'composer',
  async run(ctx) {
    const { value = 'no model', by, reason } = await ctx.ask(say, 'compose')
    ctx.emit({ type: 'answer.composed', answer: value, by, ...(reason === undefined ? {} : { reason }) })
    return {}
  },
})

const asks = (name: string, ...questions: readonly string[]): Agent =>
  agent(name, async (_task, ctx) => {
    const answers = await Promise.all(questions.map((question) => ctx.ask(say, question)))
    return { answer: answers.map((answered) => answered.by).join() }
  })

describeStores('a budget', (store) => {
  const roles = [givenPlanner, askingComposer]
  const run = async (agents: readonly Agent[], plan: readonly string[], budget: Budget, models = new FakeModels()) => {
    const state = await openWorld(store(), agents, { roles, models }).run(plan, { budget })
    return { state, models }
  }

  it('of calls holds; at the limit the run composes its results and reports the limit', async () => {
    const { state, models } = await run([asks('a', '1', '2'), asks('b', '3'), asks('c', '4')], ['a', 'b', 'c'], {
      maxCalls: 2,
    })
    expect(models.asked).toEqual(['1', '2'])
    expect(state.status).toBe('finished')
    expect(state.exhausted).toEqual({
      limit: 'calls',
      message: 'The next model call could go over the limit of 2 model calls; raise maxCalls (--max-calls).',
    })
    expect(state.jobs.get('b')?.result?.answer).toBe('fallback')
    expect(state.jobs.has('c')).toBe(false)
    expect(state.answer).toMatchObject({ text: 'no model', by: 'fallback', reason: state.exhausted!.message })
    expect(state.usage.calls).toBe(2)
  })

  it('cannot be overdrawn by parallel calls', async () => {
    const many = Array.from({ length: 20 }, (_, i) => String(i))
    const calls = await run([asks('a', ...many)], ['a'], { maxCalls: 7 })
    expect(calls.models.asked).toHaveLength(7)
    const saying = { text: 'x', usage: { inputTokens: 30, outputTokens: 10 }, estimate: { tokens: 100, costUsd: 0 } }
    const tokens = await run([asks('a', ...many)], ['a'], { maxTokens: 350 }, new FakeModels(() => saying))
    expect(tokens.models.asked).toHaveLength(3)
    expect(tokens.state.usage.inputTokens + tokens.state.usage.outputTokens).toBe(120)
    expect(tokens.state.exhausted?.limit).toBe('tokens')
    const cost = await run([asks('a', ...many)], ['a'], { maxCostUsd: 0.045 })
    expect(cost.models.asked).toHaveLength(4)
    expect(cost.state.usage.costUsd).toBeCloseTo(0.04)
    expect(cost.state.exhausted?.message).toMatch(/over the limit of \$0\.045;/)
  })

  it('counts requests without a received answer', async () => {
    const models = new FakeModels((input) =>
      input === '1' ? { error: new TuttiError('ModelError', 'broken') } : 'fine',
    )
    const { state } = await run([asks('a', '1'), asks('b', '2', '3')], ['a', 'b'], { maxCalls: 2 }, models)
    expect(models.asked).toEqual(['1', '2'])
    expect(state.usage.calls).toBe(2)
    expect(state.jobs.get('b')?.result?.answer).toBe('model,fallback')
  })

  it('of time ends running agents, and lets the composer answer', async () => {
    const world = openWorld(store(), [hanging('hung'), asks('b', '1')], { roles })
    const state = await world.run(['hung', 'b'], { strategy: 'graph', budget: { maxTimeMs: 3_000 } })
    expect(state.status).toBe('finished')
    expect(state.exhausted).toEqual({
      limit: 'time',
      message: 'The limit of 3 s is reached; raise maxTimeMs (--timeout).',
    })
    expect(state.jobs.get('hung')?.result).toMatchObject({ error: { type: 'BudgetExceeded' }, latencyMs: 3_000 })
    expect(state.jobs.get('b')?.status).toBe('succeeded')
    expect(state.answer?.by).toBe('fallback')
  })

  it('of time does not affect a run whose last event is being written', async () => {
    const [asked, disk] = [gate(), gate()]
    const slow = storeWith(store(), {
      async append(appends, options) {
        if (appends.some(({ events }) => events.some(({ type }) => type === 'run.finished'))) {
          asked.open()
          await disk.promise
        }
        return store().append(appends, options)
      },
    })
    const { engine, clock, start } = openWorld(slow, [], { roles })
    const runId = await start([], { budget: { maxTimeMs: 2_000 } })
    await asked.promise
    await clock.advance(3_000)
    disk.open()
    expect((await engine.outcome(runId)).exhausted).toBeUndefined()
  })

  it('of time gives an interrupted role one more attempt, without models', async () => {
    const never = new Promise(() => undefined)
    const models = new FakeModels((input) => (input === 'compose' ? { text: 'late', after: never } : 'fine'))
    const { state } = await run([], [], { maxTimeMs: 2_000 }, models)
    expect(state.status).toBe('finished')
    expect(state.answer).toMatchObject({ text: 'no model', by: 'fallback' })
    expect(state.jobs.get('compose:1')?.attempt).toBe(2)
  })
})

describe('the meter', () => {
  function stateWith(budget: Budget): RunState {
    const about = { runId: 'r', seq: 1, at: '2026-01-01T00:00:00.000Z', v: 1 } as const
    return fold([{ type: 'run.started', request: request([], { budget }), ...about }])
  }

  it('keeps counting the estimate where the provider reports no usage', () => {
    const meter = new BudgetMeter(stateWith({ maxTokens: 250 }), () => undefined)
    const first = meter.open()
    first.reserve({ tokens: 100, costUsd: 0 })(undefined)
    first.close()
    const second = meter.open()
    second.reserve({ tokens: 100, costUsd: 0 })({ inputTokens: 1, outputTokens: 1 })
    second.close()
    expect(() => meter.open().reserve({ tokens: 150, costUsd: 0 })).not.toThrow()
    expect(() => meter.open().reserve({ tokens: 1, costUsd: 0 })).toThrow('limit of 250 tokens;')
  })

  it('releases the unused part of a reservation, once', () => {
    const meter = new BudgetMeter(stateWith({ maxCostUsd: 1 }), () => undefined)
    const ledger = meter.open()
    const settle = ledger.reserve({ tokens: 0, costUsd: 0.9 })
    expect(() => meter.open().reserve({ tokens: 0, costUsd: 0.2 })).toThrow(TuttiError)
    settle({ inputTokens: 0, outputTokens: 0, costUsd: 0.1 })
    settle({ inputTokens: 0, outputTokens: 0, costUsd: 0.1 })
    expect(ledger.used).toMatchObject({ calls: 1, costUsd: 0.1 })
    expect(() => meter.open().reserve({ tokens: 0, costUsd: 0.9 })).not.toThrow()
  })
})
