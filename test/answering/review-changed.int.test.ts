import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { App } from '../../src/app/user-app.ts'
import { exitCodeOfResponse } from '../../src/cli/exit-codes.ts'
import { defineAgent, type Agent } from '../../src/domain/actor.ts'
import type { Task } from '../../src/domain/plan.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { giveAnswer, startModelServer, type ModelServer } from '../support/model-server.ts'
import { gate } from '../support/engine-world.ts'

/** Reviews with user decisions: calls are denied, the plan is changed, a step is repeated. */

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-review-'))
  server = await startModelServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => app.close())

const COUNTS: Readonly<Record<string, string>> = {
  'Count the beans': 'There are 4711 beans.',
  'Count the cups': 'There are 815 cups.',
  'Count the spoons': 'There are 333 spoons.',
}

const about = { capabilities: [], useCases: [], keywords: [] }

/** Counts the requested items after the gate opens. */
function counterOf(counted: string[], mayGoOn: Promise<unknown> = Promise.resolve()): Agent {
  return defineAgent({
    ...about,
    name: 'counter',
    description: 'Counts things.',
    async run(task) {
      counted.push(task.text)
      if (task.text === 'Count the cups') await mayGoOn
      return { answer: COUNTS[task.text]! }
    },
  })
}

const send = defineTool({
  name: 'send_letter',
  description: 'Sends a letter.',
  effect: 'irreversible',
  input: z.object({ text: z.string() }),
  run: async () => 'sent',
})
const sender = defineAgent({
  ...about,
  name: 'sender',
  description: 'Sends letters.',
  tools: [send],
  async run(task, ctx) {
    return { answer: await ctx.call(send, { text: task.text }) }
  },
})

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
    onTrouble: (error) => expect.fail(error.message),
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

it('follows a plan that a user changes during a step', async () => {
  const counted: string[] = []
  const cups = gate()
  const runId = await start([counterOf(counted, cups.promise)], PLAN)
  for await (const item of app.runs.stream(runId)) {
    if (item.type !== 'job.started' || item.task?.text !== 'Count the cups') continue
    const { plan } = await app.runs.state(runId)
    const [beans] = plan!.plan.tasks as [Task]
    await app.runs.replan(runId, { tasks: [beans, { ...beans, id: 'more', text: 'Count the spoons' }] }, 'the test')
    cups.open()
  }
  const { answer, metadata, agentResults } = await app.response(runId)
  expect(answer).toContain('4711')
  expect(answer).toContain('333')
  expect(answer).not.toContain('815')
  expect(counted).toEqual(['Count the beans', 'Count the cups', 'Count the spoons'])
  expect(agentResults.map(({ task, status }) => [task, status])).toEqual([
    ['research-1', 'succeeded'],
    ['more', 'succeeded'],
  ])
  expect(metadata).toMatchObject({ status: 'finished', unanswered: [] })
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
