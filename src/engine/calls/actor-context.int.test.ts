import { describe, expect, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import { responseOf } from '../../domain/response.ts'
import { defineTool } from '../../domain/tool.ts'
import { z } from 'zod'
import { agent, memoryEngine, textTool, types } from '../../../test/support/engine-world.ts'

/** The limits of an agent's context: what it may return and decline, and tools that were never declared. */

/** Runs these agents one after the other, without a user to ask. */
async function run(agents: readonly Agent[], question = 'What?') {
  const { engine, run: go } = await memoryEngine(agents)
  const names = agents.map(({ name }) => name)
  const { jobs, answer, runId } = await go(names, { question, interactive: false })
  /** The result of the last agent. */
  const result = jobs.get(names.at(-1)!)!.result!
  return { answer, result, error: result.error, events: await engine.events(runId) }
}

describe('ctx.decline', () => {
  it('ends the job as declined, with the agent’s partial result', async () => {
    const shy = agent(
      'shy',
      async (_task, ctx) => ctx.decline('That is not mine.', { data: { seen: 3 }, confidence: 0 }),
      { limits: { retries: 2 } },
    )
    const { result, events } = await run([shy])
    expect(result).toMatchObject({
      status: 'failed',
      error: { type: 'PlanningDeclined', message: 'That is not mine.' },
      data: { seen: 3 },
      confidence: 0,
    })
    expect(types(events)).not.toContain('job.retrying')
    expect(responseOf(events).agentResults).toMatchObject([{ agent: 'shy', data: { seen: 3 } }])
  })

  const unavailable = 'No shop is set up.'
  it.each([
    ['without running', false, { error: { type: 'ConfigurationError', message: unavailable } }],
    ['unless it can do this task', true, { answer: 'worked' }],
  ])('an unavailable agent reports the reason %s', async (_what, isAble, outcome) => {
    const worksAnyway: Agent['worksAnyway'] = ({ text }) => isAble && text.includes('shop')
    const able = agent('able', async () => ({ answer: 'worked' }), { unavailable, worksAnyway })
    expect((await run([able], 'Which shop?')).result).toMatchObject(outcome)
  })
})

it.each<[string, unknown, string]>([
  ['a text', 'fine', 'it must be an object, such as { answer }'],
  ['a misspelt field', { anwser: 'fine' }, 'there is no field "anwser"; did you mean "answer"?'],
  ['an answer that is no text', { answer: 7 }, 'answer: Invalid input: expected string, received number'],
])('a result that is %s fails the job', async (_what, outcome, problem) => {
  const { result } = await run([agent('reader', async () => outcome as object)])
  const error = { type: 'Internal', message: expect.stringContaining(problem) as string }
  expect(result).toMatchObject({ status: 'failed', error })
})

it('a tool whose provenance function throws counts as untrusted, and does not crash the process', async () => {
  const odd = textTool('odd', 'read', async () => 'words', { provenance: (() => 'trusted') as never, reach: 'inside' })
  const { result } = await run([agent('user', async (_task, ctx) => ({ answer: await ctx.call(odd, '') }))])
  expect(result).toMatchObject({ answer: 'words', provenance: { author: 'outside' } })
})

describe('a tool that was never declared', () => {
  it('does nothing with an unknown effect', async () => {
    let isDone = false
    const wrong = agent('wrong', async (_task, ctx) => {
      const tool = {
        name: 'wipe',
        description: '',
        effect: 'Irreversible',
        input: z.object({}),
        run: async () => (isDone = true),
      }
      return { answer: String(await ctx.call(tool as never, {})) }
    })
    expect((await run([wrong])).error?.type).toBe('ConfigurationError')
    expect(isDone).toBe(false)
  })

  it('is checked when its fields come from a class', () => {
    class Delete {
      name = 'delete'
      description = ''
      input = z.object({})
      get effect() {
        return 'destructive'
      }
      async run() {
        return ''
      }
    }
    expect(() => defineTool(new Delete() as never)).toThrow('effect: Invalid option')
  })
})
