import { expect, it } from 'vitest'
import { z } from 'zod'
import { openWorld, task } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { callOf, TurnModels } from '../../../test/support/turn-models.ts'
import { toolAgent } from '../../agents/tool-agent/tool-agent.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { defineTool } from '../../domain/tool.ts'
import type { ForkChanges } from './fork.ts'

describeStores('a fork from a turn', (store) => {
  async function world() {
    const looked: string[] = []
    const lookUp = defineTool({
      name: 'look_up',
      description: 'Looks a word up.',
      effect: 'read',
      provenance: BY_USER,
      input: z.object({ word: z.string() }),
      run: async ({ word }) => {
        looked.push(word)
        return { found: word.length }
      },
    })
    const words = ['one', 'three', 'eleven']
    const models = new TurnModels((turn) => {
      const word = words[turn - 1]
      return word === undefined ? 'Done.' : callOf('look_up', { word })
    })
    const finder = toolAgent({ name: 'finder', description: 'Finds.', tools: [lookUp] })
    const { engine, run, end } = openWorld(store(), [finder], { models })
    const { runId, status } = await run(['finder'])
    expect(status).toBe('finished')
    const [requests, original] = [[...models.requests], [...looked]]
    const fork = async (changes: ForkChanges) => {
      models.requests.length = 0
      looked.length = 0
      return end(await engine.fork(runId, 'finder', changes))
    }
    return { models, looked, requests, original, fork, engine, runId }
  }

  it('keeps the turns before it with their results, and sends the same request', async () => {
    const { models, looked, requests, original, fork } = await world()
    expect(original).toEqual(['one', 'three', 'eleven'])
    const state = await fork({ turn: 3 })
    expect(state.jobs.get('finder')?.result).toMatchObject({ status: 'succeeded', answer: 'Done.' })
    expect(looked).toEqual(['eleven'])
    expect(models.requests).toEqual(requests.slice(2))
    expect(state.usage.calls, 'turns that were kept cost nothing').toBe(2)
  })

  it('continues with another model', async () => {
    const { models, looked, fork } = await world()
    const state = await fork({ turn: 2, models: { default: 'fake:two' } })
    expect(looked).toEqual(['three', 'eleven'])
    expect(models.requests).toHaveLength(3)
    expect(state.transcripts.get('finder')?.turns.map(({ message }) => message.model)).toEqual([
      'fake:one',
      'fake:two',
      'fake:two',
      'fake:two',
    ])
  })

  it.each<[string, ForkChanges]>([
    ['system prompt', { systemPrompt: 'Be brief.' }],
    ['context', { context: { tone: 'dry' } }],
    ['task', { plan: { tasks: [task('finder', 'finder', { text: 'Find other words.' })] } }],
  ])('restarts the transcript with another %s', async (_what, changes) => {
    const { looked, fork } = await world()
    await fork({ turn: 3, ...changes })
    expect(looked).toEqual(['one', 'three', 'eleven'])
  })

  it('is refused for a missing turn', async () => {
    const { engine, runId } = await world()
    await expect(engine.fork(runId, 'finder', { turn: 9 })).rejects.toMatchObject({ code: 'InvalidRequest' })
  })
})
