import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { agent, givenPlanner, memoryEngine, task, textTool } from '../../../test/support/engine-world.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { ALLOWED, answering, hanging, holding, team } from '../../../test/support/test-agents.ts'
import { actionsIn, type Action } from '../../domain/effects.ts'
import { defineRole, type Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { outsideData } from '../../domain/provenance.ts'
import { defineTool } from '../../domain/tool.ts'

/** What other agents of a run learn about its calls and questions. */

function hold() {
  const made = gate<void>()
  onTestFinished(() => made.open())
  return made
}

/** No call needs approval. `seen` holds the composer's input about calls that changed something. */
async function open(...agents: readonly Agent[]) {
  const seen: Action[] = []
  const composer = defineRole({
    name: 'composer',
    async run(ctx) {
      seen.push(...ctx.actions)
      ctx.emit({ type: 'answer.composed', answer: 'x', by: 'fallback' })
      return { answer: 'x' }
    },
  })
  return { ...(await memoryEngine(agents, { roles: [givenPlanner, composer], approvals: ALLOWED })), seen }
}

const QUESTION = 'Is eve@evil.example right?'
const stranger = { description: '', effect: 'read', input: z.string(), provenance: outsideData('a page') } as const
const page = defineTool({ ...stranger, name: 'page', run: async () => QUESTION })

it('the text of a question by an agent that read a page keeps its label while its job runs', async () => {
  const replied = hold()
  const never = hold()
  const sent: string[] = []
  const send = textTool('send', 'irreversible', async (to) => String(sent.push(to)))
  const { engine, start } = await open(
    agent('asker', async (_task, ctx) => {
      // Not awaited: only the request for approval is known of this call.
      void ctx
        .call(page, 'x')
        .then((text) => ctx.question(text))
        .catch(() => undefined)
      await never.promise
      return {}
    }),
    holding('waiter', replied.promise),
    agent('mailer', async (_task, ctx) => {
      const [to] = /\S+@evil\.example/.exec(JSON.stringify(ctx.userRequest))!
      return { answer: await ctx.call(send, to) }
    }),
  )
  const tasks = ['asker', 'waiter', task('mailer', 'mailer', { dependsOn: ['waiter'] })]
  const runId = await start(tasks, { strategy: 'graph' })
  const next = () => eventually(async () => (await engine.as('local').approvals({ runId, status: 'pending' }))[0])
  await engine.decide((await next()).approvalId, 'approved', 'ann', 'no')
  replied.open()
  expect(await next()).toMatchObject({ tool: 'send', provenance: { author: 'outside' } })
  expect(sent).toEqual([])
})

it('reports the effects of an interrupted nested run as unknown', async () => {
  const sent = hold()
  const send = textTool('send', 'irreversible', async () => (sent.open(), 'sent'))
  const { engine, seen, start, end } = await open(
    team(['sender', 'slow']),
    agent('sender', async (_task, ctx) => ({ answer: await ctx.call(send, 'bob') })),
    hanging('slow'),
    answering('other'),
  )
  const runId = await start(['team'])
  await eventually(sent.isOpen)
  expect(actionsIn(await engine.state(runId))).toEqual([
    { tool: 'a nested run', effect: 'unknown', error: 'it is at work, and what it has done is not known yet' },
  ])
  await engine.replan(runId, { tasks: [task('other')] }, 'ann')
  await end(runId)
  expect(seen).toEqual([{ tool: 'a nested run', effect: 'unknown', error: 'cut off; what it did is not known' }])
})

it.each([
  ['failed', async () => Promise.reject(new TuttiError('Timeout', 'no answer in time')), 'no answer in time'],
  [
    'was cut off',
    () => new Promise<string>(() => undefined),
    'This call was cut off half-way and may have taken place.',
  ],
] as const)('a write that %s is uncertain', async (_how, run, error) => {
  const draft = textTool('draft', 'write', run)
  const limits = { limits: { timeoutMs: 5_000, retries: 0 } }
  const { seen, run: go } = await open(
    agent('a', async (_t, ctx) => ({ answer: await ctx.call(draft, 'mail') }), limits),
  )
  await go(['a'])
  expect(seen).toMatchObject([{ tool: 'draft', effect: 'write', error }])
})

it('a write that its job did not await is uncertain', async () => {
  const ended = hold()
  const draft = textTool('draft', 'write', async () => (await ended.promise, 'saved'))
  const { seen, run } = await open(
    agent('a', async (_t, ctx) => (void ctx.call(draft, 'mail').catch(() => undefined), {})),
    agent('b', async () => (ended.open(), {})),
  )
  await run(['a', task('b', 'b', { dependsOn: ['a'] })])
  expect(seen).toMatchObject([{ tool: 'draft', error: 'This call was cut off half-way and may have taken place.' }])
})

it('an active call of another job is reported as unfinished, not as interrupted', async () => {
  const begun = hold()
  const never = hold()
  const send = textTool('send', 'irreversible', async () => (begun.open(), await never.promise, 'sent'))
  const { engine, start, end } = await open(agent('a', async (_task, ctx) => ({ answer: await ctx.call(send, 'bob') })))
  const runId = await start(['a'])
  await eventually(begun.isOpen)
  expect(actionsIn(await engine.state(runId))).toMatchObject([{ tool: 'send', error: 'not finished yet' }])
  never.open()
  expect(actionsIn(await end(runId))).toEqual([{ tool: 'send', effect: 'irreversible', input: 'bob' }])
})
