import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { engineFor, givenPlanner, outcomeOf, request, tellingComposer } from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { startModelServer, type ModelServer, type Reply } from '../../../test/support/model-server.ts'
import { latestAttempt } from '../../core/attempts.ts'
import { systemClock } from '../../core/clock.ts'
import { BY_USER } from '../../core/provenance.ts'
import type { Strategy } from '../../core/strategy.ts'
import { defineTool } from '../../core/tool.ts'
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
  // What is taken need not say it; what is given to `run` does.
  input: z.object({ sides: z.number().default(6), name: z.string().transform((name) => name.length) }),
  run: async ({ sides, name }) => `rolled 1 of ${sides * 1}, for a name of ${name * 1} letters`,
})

/** Does its only task twice. */
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
  const { pipeline } = await import('../../strategies/pipeline/pipeline.ts')
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
  const call = { json: { tool: 'roll', input: { name: 'Ann' } } }
  const state = await run(toolAgent(DICER), [call, { json: { answer: 'A one.' } }])
  expect(state.jobs.get('dicer')?.result).toMatchObject({
    answer: 'A one.',
    data: { calls: [{ tool: 'roll', input: { name: 'Ann' } }] },
  })
  expect(models.requests[0]!.text).toContain('Roll once.')
  expect(models.requests[1]!.messages.at(-1)!.text).toContain('rolled 1 of 6, for a name of 3 letters')
})

it('is told what was said of its earlier attempt, and that attempt', async () => {
  const replies = ['A one, as I have rolled.', 'One.'].map((answer) => ({ json: { answer } }))
  const state = await run(toolAgent(DICER), replies, 'twice')
  expect(state.answer?.text).toContain('dicer~2=succeeded:One.')
  expect(models.requests[0]!.text).not.toContain('earlier attempt')
  const again = models.requests[1]!.text
  expect(again).toContain('- What the earlier attempt came to: A one, as I have rolled.\n')
  expect(again.split('Shorter, please.')).toHaveLength(2)
})

it('says at once which tool it cannot call', () => {
  const described = { name: 'roll', description: 'Rolls a die.', effect: 'read' as const }
  expect(() => toolAgent({ ...DICER, tools: [described] })).toThrow(
    expect.objectContaining({
      code: 'ConfigurationError',
      message: 'The tool "roll" of the agent "dicer" cannot be called: give what defineTool gives.',
    }),
  )
})
