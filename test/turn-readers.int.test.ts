import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { responseOf } from '../src/domain/response.ts'
import { BY_USER } from '../src/domain/provenance.ts'
import { defineTool } from '../src/domain/tool.ts'
import { traceOf } from '../src/domain/trace.ts'
import { toolAgent } from '../src/agents/tool-agent/tool-agent.ts'
import type { Engine } from '../src/engine/engine.ts'
import { usageByModel } from '../src/accounts/usage.ts'
import { ManualClock } from '../src/testing/manual-clock.ts'
import { engineFor, passing, request } from './support/engine-world.ts'
import { describeStores } from './support/stores.ts'
import { callOf, TurnModels } from './support/turn-models.ts'

const HIDDEN = ['private-thought', 'encrypted-by-provider']
const provider = { providerMetadata: { openai: { encrypted: HIDDEN[1]! } } }

let engine: Engine | undefined
afterEach(() => engine?.close())

describeStores('a run of two turns and a tool call', (store) => {
  async function run() {
    const clock = new ManualClock()
    const lookUp = defineTool({
      name: 'look_up',
      description: 'Looks a word up.',
      effect: 'read',
      provenance: BY_USER,
      input: z.object({ word: z.string() }),
      run: async ({ word }) => ({ found: word.length }),
    })
    const models = new TurnModels((turn) => {
      const calls = callOf('look_up', { word: 'one' }, 'I look.').map((part) => ({ ...part, ...provider }))
      return turn === 1 ? [{ type: 'reasoning', text: HIDDEN[0]!, ...provider }, ...calls] : 'Three letters.'
    })
    const finder = toolAgent({ name: 'finder', description: 'Finds.', tools: [lookUp] })
    engine = engineFor([finder], { store: store(), clock, models })
    const runId = await engine.start(request(['finder']))
    await passing(clock, engine.outcome(runId))
    return { runId, runs: engine.as('local'), stored: await engine.events(runId) }
  }

  it('counts as two calls of its model everywhere', async () => {
    const { runId, stored } = await run()
    const { metadata, agentResults } = responseOf(stored)
    expect(metadata).toMatchObject({ models: ['fake:one'], usage: { calls: 2, inputTokens: 200, outputTokens: 20 } })
    expect(agentResults).toMatchObject([{ agent: 'finder', answer: 'Three letters.', models: ['fake:one'] }])
    expect([...usageByModel(stored)]).toMatchObject([['fake:one', { calls: 2, inputTokens: 200 }]])
    expect((await store().runs({ model: 'fake:one' })).map((found) => found.runId)).toContain(runId)
    expect(await store().parts('local')).toContainEqual({ kind: 'model', name: 'fake:one' })
  })

  it('has its turns, calls and results in the trace', async () => {
    const { stored } = await run()
    const lines = traceOf(stored).filter(({ data }) => 'turn' in data)
    expect(lines).toMatchObject([
      { agent: 'finder', data: { turn: 1, text: 'I look.', calls: [{ name: 'look_up', input: { word: 'one' } }] } },
      { agent: 'finder', eventType: 'TOOL', data: { turn: 1, index: 0, text: expect.stringContaining('3') as string } },
      { agent: 'finder', data: { turn: 2, text: 'Three letters.', calls: [] } },
    ])
  })

  it('keeps reasoning and provider metadata only for the provider', async () => {
    const { runs, runId, stored } = await run()
    const streamed = []
    for await (const item of runs.stream(runId)) streamed.push(item)
    const shown = JSON.stringify([streamed, await runs.events(runId), responseOf(stored), traceOf(stored)])
    expect(shown).toContain('I look.')
    for (const text of HIDDEN) {
      expect(JSON.stringify(stored)).toContain(text)
      expect(shown).not.toContain(text)
    }
  })
})
