import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { engineFor, givenPlanner, outcomeOf, request, tellingComposer } from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { startModelServer, toolCall, type ModelServer, type Reply } from '../../../test/support/model-server.ts'
import { latestAttempt } from '../../domain/job.ts'
import { systemClock } from '../../shared/clock.ts'
import { BY_USER } from '../../domain/provenance.ts'
import type { Strategy } from '../../domain/strategy.ts'
import { defineTool } from '../../domain/tool.ts'
import { createModels } from '../../models/registry.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { composeThenFinish, planJob, taskAgain, taskJob } from '../../strategies/steps.ts'
import { toolAgent } from './tool-agent.ts'

let models: ModelServer
afterEach(() => models?.close())

const dice = defineTool({
  name: 'roll',
  description: 'Rolls a die.',
  effect: 'read',
  reach: 'inside',
  provenance: BY_USER,
  // `sides` is optional for the model, and always set in the input of `run`.
  input: z.object({ sides: z.number().default(6), name: z.string().transform((name) => name.length) }),
  run: async ({ sides, name }) => `rolled 1 of ${sides * 1}, for a name of ${name * 1} letters`,
})

/** Runs its only task twice. */
const twice: Strategy = {
  name: 'twice',
  next(state) {
    if (state.plan === undefined) return [planJob(1)]
    const [only] = state.plan.plan.tasks
    if (state.jobs.get(only!.id)?.result === undefined) return [taskJob(only!, [])]
    const { round, result } = latestAttempt(state, only!.id)!
    if (round === 2 && result !== undefined) return composeThenFinish(state)
    return [taskAgain(state, only!, [], { by: 'person', text: 'Shorter, please.' })]
  },
}

async function run(agent: ReturnType<typeof toolAgent>, replies: readonly Reply[], strategy = 'pipeline') {
  models = await startModelServer(replies.map((reply) => ({ reply, times: 1 })))
  const provider = { name: 'compatible', kind: 'compatible' as const, source: 'test', baseUrl: models.url }
  const clock = new ManualClock()
  const { store } = await createMemoryStorage({ clock, onError: () => undefined })
  const { pipeline } = await import('../../strategies/pipeline/next.ts')
  const engine = engineFor([agent], {
    store,
    clock,
    strategies: [pipeline, twice],
    roles: [givenPlanner, tellingComposer],
    models: createModels({ providers: [provider], default: 'compatible:m' }, { clock: systemClock }),
  })
  const state = await outcomeOf(engine, clock, request(['dicer'], { strategy }))
  await engine.close()
  return state
}

const DICER = { name: 'dicer', description: 'Rolls dice.', instructions: 'Roll once.', tools: [dice] }

it('is an agent in code: a model calls its tools, within bounds, and answers', async () => {
  const state = await run(toolAgent(DICER), [toolCall('roll', { name: 'Ann' }), { text: 'A one.' }])
  expect(state.jobs.get('dicer')?.result).toMatchObject({
    answer: 'A one.',
    data: { calls: [{ tool: 'roll', input: { name: 'Ann' } }] },
  })
  expect(models.requests[0]!.text).toContain('Roll once.')
  expect(models.requests[1]!.messages.at(-1)!.text).toContain('rolled 1 of 6, for a name of 3 letters')
})

it('continues its transcript with the feedback on its earlier attempt', async () => {
  const replies = ['A one, as I have rolled.', 'One.'].map((text) => ({ text }))
  const state = await run(toolAgent(DICER), replies, 'twice')
  expect(state.answer?.text).toContain('dicer~2=succeeded:One.')
  const [first, again] = models.requests.map(({ messages }) => messages)
  expect(again!.slice(0, first!.length)).toEqual(first)
  const [answered, feedback, ...more] = again!.slice(first!.length)
  expect(answered).toEqual({ role: 'assistant', text: 'A one, as I have rolled.' })
  expect(feedback).toMatchObject({ role: 'user', text: expect.stringContaining('Shorter, please.') })
  expect(more).toEqual([])
})

it('reads results of its earlier attempt by their ids, and keeps their sources', async () => {
  const replies = [
    toolCall('roll', { name: 'Ann' }),
    { text: 'A one.' },
    toolCall('read_result', { id: 's1' }),
    { text: 'One.' },
  ]
  const state = await run(toolAgent(DICER), replies, 'twice')
  expect(models.requests.at(-1)!.messages.at(-1)).toEqual({
    role: 'tool',
    text: '[s1]\nrolled 1 of 6, for a name of 3 letters',
  })
  expect(state.jobs.get('dicer~2')?.result).toMatchObject({ answer: 'One.', sources: [{ name: 'roll' }] })
})

it('reports at creation which tool it cannot call', () => {
  const described = { name: 'roll', description: 'Rolls a die.', effect: 'read' as const }
  expect(() => toolAgent({ ...DICER, tools: [described] })).toThrow(
    expect.objectContaining({
      code: 'ConfigurationError',
      message: 'The tool "roll" of the agent "dicer" cannot be called: give what defineTool gives.',
    }),
  )
})
