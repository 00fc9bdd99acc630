import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import { workWith } from '../../src/tool-loop/agent-loop.ts'
import { defineTool, loopTool } from '../../src/domain/tool.ts'
import { startModelServer, toolCall, type ModelServer, type Reply } from '../support/model-server.ts'
import { agent, eventually } from '../support/engine-world.ts'

let models: ModelServer
let app: App
afterEach(async () => {
  await app.close()
  await models.close()
})

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  effect: 'irreversible',
  input: z.object({ to: z.string() }),
  run: async () => 'paid',
})

const note = defineTool({
  name: 'note',
  description: 'Notes.',
  effect: 'write',
  reach: 'inside',
  input: z.object({ text: z.string() }),
  run: async () => 'noted',
})

const toolkit = async () => ({
  instructions: '## Pay',
  tools: [loopTool(pay, { kind: 'api', name: 'bank' }), loopTool(note, { kind: 'api', name: 'bank' })],
})
const bank = agent('bank', async () => ({ answer: '' }), { toolkit })
const clerk = agent('clerk', async (task, ctx) => workWith(task, ctx, await toolkit()))

async function ask(replies: readonly Reply[], decisions: readonly ('approved' | 'denied')[], why?: string) {
  models = await startModelServer(replies.map((reply) => ({ reply, times: 1 })))
  const provider = { name: 'compatible', kind: 'compatible' as const, baseUrl: models.url, defaultModel: 'm' }
  app = await createApp({ models: { providers: [provider] }, agents: [bank, clerk] })
  const runId = await app.start({ question: 'Pay', memory: false })
  const seen = new Set<string>()
  for (const decision of decisions) {
    const next = await eventually(async () =>
      (await app.runs.approvals({ runId, status: 'pending' })).find(({ approvalId }) => !seen.has(approvalId)),
    )
    seen.add(next.approvalId)
    await app.runs.decide(next.approvalId, decision, 'local', seen.size === 1 ? why : undefined)
  }
  await app.runs.outcome(runId)
  return app.response(runId)
}

function textsOf({ notices }: Awaited<ReturnType<typeof ask>>): readonly string[] {
  return notices.map(({ text }) => text)
}

const delegating = toolCall('delegate', {
  tasks: [
    { id: 'a', agent: 'clerk', task: 'Pay Ann' },
    { id: 'b', agent: 'clerk', task: 'Book it', depends_on: ['a'] },
  ],
})
const paying = (...names: string[]): Reply => ({
  toolCalls: names.map((to) => ({ name: 'pay', arguments: { to } })),
})

test('the user’s reason for a denial is embedded in sentences of Tutti', async () => {
  const response = await ask([paying('Ann'), { text: 'Not paid.' }], ['denied'], 'Pay Ben instead.')
  expect(textsOf(response)).toEqual(['You denied the call of "pay": Pay Ben instead.'])
  expect(models.requests.at(-1)!.messages.at(-1)!.text).not.toContain('..')
})

test('a denial is one notice, whatever depended on the call', async () => {
  const response = await ask(
    [delegating, paying('Ann'), { text: 'Not paid.' }, { text: 'Not booked.' }, { text: 'Ann was not paid.' }],
    ['denied'],
  )
  const dependent = models.requests.find(({ messages }) => messages.at(-1)!.text.includes('Book it'))!
  expect(dependent.text).toContain('denied_by_user')
  expect(textsOf(response)).toEqual(['You denied the call of "pay".'])
})

test('a denial is one notice, also where its job made a call before', async () => {
  const replies = [
    delegating,
    paying('Ann'),
    paying('Ben'),
    { text: 'Paid Ann.' },
    { text: 'Booked.' },
    { text: 'Ben was not paid.' },
  ]
  const response = await ask(replies, ['approved', 'denied'])
  expect(textsOf(response)).toEqual([expect.stringMatching(/^You denied the call of "pay"\. Done before that/)])
})

test('an approval with instructions is no denial where another call follows them', async () => {
  const replies = [
    paying('Ann'),
    { text: '{"intent":"override"}' },
    { toolCalls: [{ name: 'note', arguments: { text: 'Ann' } }] },
    { text: 'Noted.' },
  ]
  const response = await ask(replies, ['approved'], 'Only note it')
  expect(response.notices.filter(({ code }) => code === 'denied')).toEqual([])
  expect(response).toMatchObject({ status: 'answered', metadata: { unanswered: [] } })
})
