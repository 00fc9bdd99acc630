import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { App } from '../../src/app/user-app.ts'
import { exitCodeOfResponse } from '../../src/cli/exit-codes.ts'
import type { Agent } from '../../src/domain/actor.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { giveAnswer, startModelServer } from '../support/model-server.ts'
import { agent } from '../support/engine-world.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Reviews with user decisions: a call is denied, a step is repeated. */

const folder = temporaryFolder()
const server = openForAll(() => startModelServer())
let app: App

afterEach(() => app.close())

const COUNTS: Readonly<Record<string, string>> = {
  'Count the beans': 'There are 4711 beans.',
  'Count the cups': 'There are 815 cups.',
}

const counterOf = (counted: string[]): Agent =>
  agent('counter', async ({ text }) => {
    counted.push(text)
    return { answer: COUNTS[text]! }
  })

const send = defineTool({
  name: 'send_letter',
  description: 'Sends a letter.',
  effect: 'irreversible',
  input: z.object({ text: z.string() }),
  run: async () => 'sent',
})
const sender = agent('sender', async ({ text }, ctx) => ({ answer: await ctx.call(send, { text }) }), { tools: [send] })

type Step = readonly [agent: string, step: string]

/** Starts a review with this plan, without a model. */
async function start(agents: readonly Agent[], plan: readonly Step[]): Promise<string> {
  const researchSteps = plan.map(([agent, step]) => ({ agent, step }))
  const findings = ({ text }: { readonly text: string }): boolean => text.includes('You are the expert.')
  server.script([
    {
      when: 'You are the planner.',
      reply: { json: { research_steps: researchSteps, expert_steps: ['Say what was counted'] } },
    },
    { when: 'You are a critic.', reply: { json: { decision: 'approve', feedback: '' } } },
    { when: findings, reply: giveAnswer('It was counted.', 'By the counter.') },
    {
      when: 'You are the finalizer',
      reply: ({ text }) => ({ text: [...text.matchAll(/There are \d+ \w+\./g)].join(' ') }),
    },
  ])
  app = await openConfiguredApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    agents,
    onError: (error) => expect.fail(error.message),
  })
  return app.start({ question: 'Count things', strategy: 'review', memory: false, trace: true })
}

const PLAN: readonly Step[] = [
  ['counter', 'Count the beans'],
  ['counter', 'Count the cups'],
]

it('reports the approved steps after a denied call, and the state of the rest', async () => {
  const counted: string[] = []
  const steps: Step[] = [PLAN[0]!, ['sender', 'Tell them'], PLAN[1]!]
  const runId = await start([counterOf(counted), sender], steps)
  for await (const item of app.runs.stream(runId)) {
    if (item.type === 'approval.requested') await app.runs.decide(item.approvalId, 'denied', 'the test')
  }
  const response = await app.response(runId)
  expect(response.answer).toContain('4711')
  expect(response.answer).not.toContain('815')
  expect(counted).toEqual(['Count the beans'])
  expect(response.metadata).toMatchObject({ status: 'finished', unanswered: ['Tell them', 'Count the cups'] })
  expect(exitCodeOfResponse(response)).not.toBe(0)
  const noted = response.trace!.find(({ data }) => data?.['category'] !== undefined)
  expect(noted?.data).toMatchObject({ component: 'sender', category: 'tool', isRecoverable: false })
})

it('is forked from any of its steps', async () => {
  const counted: string[] = []
  const runId = await start([counterOf(counted)], PLAN)
  const first = await app.runs.outcome(runId)
  expect(counted).toEqual(['Count the beans', 'Count the cups'])
  for (const [at, again] of [
    ['critic-planner:1', ['Count the beans', 'Count the cups']],
    ['research-2', ['Count the cups']],
    ['critic-researcher:2', []],
    ['review-expert:1', []],
    ['finalizer:1', []],
  ] as const) {
    counted.length = 0
    const fork = await app.runs.outcome(await app.runs.fork(runId, at))
    expect([...fork.jobs.keys()], at).toEqual([...first.jobs.keys()])
    expect([fork.status, fork.answer?.text], at).toEqual([first.status, first.answer?.text])
    expect(counted, at).toEqual(again)
  }
})
