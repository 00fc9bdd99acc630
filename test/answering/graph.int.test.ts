import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { composerRole } from '../../src/strategies/planning/composer.ts'
import { masterPlannerRole } from '../../src/strategies/graph/roles.ts'
import { plannerRole } from '../../src/strategies/pipeline/roles.ts'
import type { Agent } from '../../src/domain/actor.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { definePrompt } from '../../src/domain/prompt.ts'
import { parseRequest, type RequestInput } from '../../src/domain/request.ts'
import { responseOf } from '../../src/domain/response.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/options.ts'
import { planQuestion } from '../../src/engine/run/plan-question.ts'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'
import { createModels } from '../../src/models/registry.ts'
import { createMemoryStorage } from '../../src/storage/index.ts'
import { graph } from '../../src/strategies/graph/next.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { planOnly } from '../../src/strategies/plan-only.ts'
import { agent, gate } from '../support/engine-world.ts'
import { startModelServer, type ModelServer, type Reply, type Rule } from '../support/model-server.ts'

/** Chain, parallel and diamond: planner, agents and composer through a provider's SDK, on the real engine. */

const QUESTIONS = {
  chain: 'Find sales data in my docs, write Python code to analyze the trend, then email the report to my manager',
  parallel: 'Search my docs for Q3 revenue AND find the latest news about our competitor',
  diamond: 'Search my docs for the budget, also find public benchmarks online, then write code to compare them',
}

/** The prompt of an agent: its task, and the results of other agents. */
const work = definePrompt({
  name: 'test.work',
  format: 'text',
  input: z.object({ agent: z.string(), task: z.string(), given: z.array(z.string()) }),
  output: z.string().min(1),
  render: ({ agent: name, task, given }) => ({
    instructions: `You are the agent ${name}.`,
    user: [`Task: ${task}`, ...given.map((line) => `Given: ${line}`)].join('\n'),
  }),
})

function specialist(name: string, keywords: string, more: Partial<Agent> = {}): Agent {
  const declared = { description: `the ${name} agent`, keywords: keywords.split(' '), limits: { retries: 0 }, ...more }
  return agent(
    name,
    async (task, ctx) => {
      const given = task.inputs().map(({ actor, result }) => `${actor} said ${result.answer ?? result.error?.type}`)
      const { value = 'no model' } = await ctx.ask(work, { agent: name, task: task.text, given })
      return { answer: value }
    },
    declared,
  )
}

const TEAM = [
  specialist('rag', 'docs document policy'),
  specialist('web', 'online news latest web'),
  specialist('code', 'python code', { planning: { worksOnResults: true } }),
  specialist('mail', 'mail email draft send', { planning: { acts: true } }),
]

const task = (id: string, text: string, dependsOn: string[] = []) => ({ id, agent: id, text, tools: null, dependsOn })

const planReply = (tasks: readonly unknown[], more: Record<string, unknown> = {}): Reply => ({
  json: {
    intent: 'find out and tell',
    entities: { date_range: null, doc_type: null, metric: 'revenue', names: [], emails: [], others: [] },
    tasks,
    rationale: 'Each part has its agent.',
    confidence: 0.9,
    ...more,
  },
})

const PLANS = {
  chain: planReply([
    task('rag', 'Find sales data'),
    task('code', 'Analyze the trend', ['rag']),
    task('mail', 'Email the report', ['code']),
  ]),
  parallel: planReply([task('rag', 'Search for Q3 revenue'), task('web', 'Find news about the competitor')]),
  diamond: planReply([
    task('rag', 'Find the budget'),
    task('web', 'Find public benchmarks'),
    task('code', 'Compare them', ['rag', 'web']),
  ]),
}

const ASKED = { plan: 'You plan how specialist agents', compose: 'You write the final answer' }

let server: ModelServer
let closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Requests of agents are answered with their name, those of the composer with its whole input. */
function script(plan: Reply, ...first: Rule[]): void {
  const rules: Rule[] = [
    ...first,
    { when: ASKED.plan, reply: plan },
    { when: ASKED.compose, reply: { text: 'The result of all of it.' } },
    ...TEAM.map(({ name }) => ({ when: `You are the agent ${name}.`, reply: { text: `${name} result` } })),
  ]
  server.script(rules)
}

async function options(agents: readonly Agent[]): Promise<EngineOptions> {
  const onError = (error: Error): void => expect.fail(error.message)
  const storage = await createMemoryStorage({ clock: systemClock, onError })
  closing.push(() => storage.close())
  const env = { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' }
  const timeouts = { firstChunkMs: 2_000, idleMs: 2_000, totalMs: 4_000 }
  return {
    store: storage.store,
    models: createModels({ ...modelsConfigFromEnv(env), timeouts }, { clock: systemClock }),
    strategies: [graph],
    roles: [masterPlannerRole, composerRole],
    agents,
  }
}

function requestFor(question: string, agents: readonly Agent[], more: Partial<RequestInput> = {}) {
  return parseRequest({ question, strategy: 'graph', ...more }, new Set(agents.map(({ name }) => name)))
}

async function ask(question: string, more: Partial<RequestInput> = {}, agents: readonly Agent[] = TEAM) {
  const engine = new Engine(await options(agents))
  closing.unshift(() => engine.close())
  const runId = await engine.start(requestFor(question, agents, more))
  const state = await engine.outcome(runId)
  return { state, response: responseOf(await engine.events(runId)) }
}

const requestsTo = (name: string) => server.requests.filter(({ text }) => text.includes(`You are the agent ${name}.`))
const ends = (state: Awaited<ReturnType<typeof ask>>['state']) =>
  Object.fromEntries([...state.jobs.values()].map(({ key, status }) => [key, status]))

describe('with a model', () => {
  it('works along a chain, each agent with the results of the previous one', async () => {
    script(PLANS.chain)
    const { state, response } = await ask(QUESTIONS.chain)
    expect([...state.jobs.keys()]).toEqual(['plan:1', 'rag', 'code', 'mail', 'compose:1'])
    expect(requestsTo('rag')[0]!.text).toContain('Task: Find sales data')
    expect(requestsTo('rag')[0]!.text).not.toContain('Given:')
    expect(requestsTo('code')[0]!.text).toContain('Given: rag said rag result')
    expect(requestsTo('mail')[0]!.text).toContain('Given: code said code result')
    expect(requestsTo('mail')[0]!.text).not.toContain('rag result')
    expect(response).toMatchObject({
      answer: 'The result of all of it.',
      planner: { chosenAgents: ['rag', 'code', 'mail'], confidence: 0.9 },
      metadata: { status: 'finished', strategy: 'graph', answeredBy: 'model', notes: [] },
    })
  })

  it('runs independent tasks in parallel', async () => {
    script(PLANS.parallel)
    const met = gate()
    // Each waits for the other: in sequence they would never finish.
    const rag = agent('rag', async () => {
      await met.promise
      return { answer: 'rag result' }
    })
    const web = agent('web', async () => {
      met.open()
      return { answer: 'web result' }
    })
    const { state } = await ask(QUESTIONS.parallel, {}, [rag, web])
    expect(ends(state)).toEqual({ 'plan:1': 'succeeded', rag: 'succeeded', web: 'succeeded', 'compose:1': 'succeeded' })
    const composed = server.requests.find(({ text }) => text.includes(ASKED.compose))!
    expect(composed.text).toContain('rag result')
    expect(composed.text).toContain('web result')
  })

  it('brings both sides of a diamond together', async () => {
    script(PLANS.diamond)
    const { state } = await ask(QUESTIONS.diamond)
    expect([...state.jobs.keys()].slice(-2)).toEqual(['code', 'compose:1'])
    expect(requestsTo('code')[0]!.text).toContain('Given: rag said rag result\nGiven: web said web result')
  })

  it('gives the planner the declarations of agents, and the date', async () => {
    script(PLANS.parallel)
    await ask(QUESTIONS.parallel, { preferAgents: ['web'], disableAgents: ['mail'], systemPrompt: 'Be kind.' })
    const [planning] = server.requests
    expect(planning!.text).toContain('- rag: the rag agent')
    expect(planning!.text).toContain('Preferred agents: web')
    expect(planning!.text).not.toContain('- mail:')
    expect(planning!.text).toMatch(/today: \w+, \d{4}-\d{2}-\d{2}/)
    expect(planning!.text).toContain('Be kind.')
  })

  it('returns an invalid plan to the model, once', async () => {
    const circle = planReply([task('rag', 'x', ['web']), task('web', 'y', ['rag'])])
    script(PLANS.parallel, { when: ASKED.plan, times: 1, reply: circle })
    const { response } = await ask(QUESTIONS.parallel)
    const plannings = server.requests.filter(({ text }) => text.includes(ASKED.plan))
    expect(plannings).toHaveLength(2)
    expect(plannings[1]!.text).toContain('These tasks wait for each other in a circle: "rag" → "web" → "rag".')
    expect(response.planner!.chosenAgents).toEqual(['rag', 'web'])
  })

  it('continues with the other results when one side of a diamond fails, and reports the failure', async () => {
    script(PLANS.diamond)
    const team = TEAM.map((one) =>
      one.name === 'web' ? agent('web', () => Promise.reject(new TuttiError('HttpError', 'The site is down.'))) : one,
    )
    const { state, response } = await ask(QUESTIONS.diamond, {}, team)
    expect(ends(state)).toMatchObject({ web: 'failed', code: 'succeeded' })
    expect(requestsTo('code')[0]!.text).toContain('Given: rag said rag result\nGiven: web said HttpError')
    const composed = server.requests.find(({ text }) => text.includes(ASKED.compose))!
    expect(composed.text).toContain('The site is down.')
    expect(response.answer).toContain('The result of all of it.')
  })

  it('skips the rest of a chain after a failure, and gives the composer the reason', async () => {
    script(PLANS.chain)
    const broken = agent('rag', () => Promise.reject(new TuttiError('DocumentError', 'There are no documents.')))
    const { state, response } = await ask(QUESTIONS.chain, {}, [broken, ...TEAM.slice(1)])
    expect(ends(state)).toMatchObject({ rag: 'failed', code: 'skipped', mail: 'skipped' })
    expect(requestsTo('code')).toEqual([])
    const composed = server.requests.find(({ text }) => text.includes(ASKED.compose))!
    expect(composed.text).toContain('There are no documents.')
    expect(response.agentResults.map(({ agent: name, status }) => `${name} ${status}`)).toEqual([
      'rag failed',
      'code skipped',
      'mail skipped',
    ])
  })

  it('keeps to the turn limit', async () => {
    script(PLANS.diamond)
    const { state, response } = await ask(QUESTIONS.diamond, { maxTurns: 2 })
    expect([...state.jobs.keys()]).toEqual(['plan:1', 'rag', 'web', 'compose:1'])
    expect(response.agentResults.at(-1)).toMatchObject({ agent: 'code', status: 'skipped' })
  })
})

describe('the plan alone', () => {
  it('is made by the planner of the strategy, without other model calls', async () => {
    script(PLANS.diamond)
    const given = await options(TEAM)
    const roles = [masterPlannerRole, plannerRole]
    const all = { ...given, roles, strategies: [pipeline, graph].map(planOnly) }
    const planned = await planQuestion(all, requestFor(QUESTIONS.diamond, TEAM))
    expect(server.requests).toHaveLength(1)
    expect(planned).toMatchObject({
      intent: 'find out and tell',
      entities: { metric: 'revenue' },
      rationale: 'Each part has its agent.',
      confidence: 0.9,
      usage: { calls: 1 },
    })
    expect(planned.stages.map((stage) => stage.map(({ id }) => id))).toEqual([['rag', 'web'], ['code']])
    expect(await given.store.runs({ status: ['running', 'waiting'] })).toEqual([])

    server.script([{ reply: { status: 500 } }])
    const inOrder = await planQuestion(all, requestFor('Search docs and latest news', TEAM, { strategy: 'pipeline' }))
    expect(inOrder.stages.every((stage) => stage.length === 1)).toBe(true)
    await expect(planQuestion(all, requestFor('x', TEAM, { strategy: 'review' }))).rejects.toMatchObject({
      code: 'InvalidRequest',
    })
  })
})
