import { expect, it } from 'vitest'
import { z } from 'zod'
import { runAgents, turns } from '../../../test/support/agent-runs.ts'
import { startModelServer, toolCall } from '../../../test/support/model-server.ts'
import { openForAll } from '../../../test/support/opened.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { defineTool } from '../../domain/tool.ts'
import { toolAgent } from './tool-agent.ts'

const server = openForAll(() => startModelServer())

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
const DICER = { name: 'dicer', description: 'Rolls dice.', instructions: 'Roll once.', tools: [dice] }

it('is an agent in code: a model calls its tools and answers', async () => {
  const rules = turns(toolCall('roll', { name: 'Ann' }), { text: 'A one.' })
  const { response, requests } = await runAgents('Roll', [toolAgent(DICER)], { server, rules })
  expect(response.agentResults[0]).toMatchObject({
    answer: 'A one.',
    data: { calls: [{ tool: 'roll', input: { name: 'Ann' } }] },
  })
  expect(requests[0]!.text).toContain('Roll once.')
  expect(requests[1]!.messages.at(-1)!.text).toContain('rolled 1 of 6, for a name of 3 letters')
})

it('reports at creation which tool it cannot call', () => {
  const described = { name: 'roll', description: 'Rolls a die.', effect: 'read' as const }
  expect(() => toolAgent({ ...DICER, tools: [described] })).toThrow(
    'The tool "roll" of the agent "dicer" cannot be called: give what defineTool gives.',
  )
})
