import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineRole, type Agent } from '../../domain/actor.ts'
import type { ModelPort } from '../../domain/model.ts'
import { parseRequest, type RequestInput } from '../../domain/request.ts'
import { Engine } from '../../engine/engine.ts'
import { createMemoryStorage, type Storage } from '../../storage/index.ts'
import { graph } from './next.ts'
import { agent, gate } from '../../../test/support/engine-world.ts'
import { planQuestion } from '../../engine/run/plan-question.ts'
import { pipeline } from '../pipeline/next.ts'
import { plannerRole } from '../pipeline/roles.ts'
import { planOnly } from '../plan-only.ts'
import { masterPlannerRole } from './roles.ts'
import type { ModelPlan, PlanInput } from './prompts.ts'

const find = async (): Promise<{ answer: string }> => ({ answer: 'found' })
const tool = { name: 'search_documents', description: 'searches documents', effect: 'read' } as const

const DOCS = agent('docs', find, { keywords: ['policy', 'docs'], tools: [tool], typicalLatencyMs: 3_000 })
const SHOP = agent('shop', find, { keywords: ['orders'], planning: { isDefault: true } })
const POST = agent('post', find, { keywords: ['mail'], planning: { acts: true } })

let storage: Storage
const engines: Engine[] = []

beforeEach(async () => {
  storage = await createMemoryStorage({ clock, onError: (error) => expect.fail(error.message) })
})

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await storage.close()
})

const composer = defineRole({
  name: 'composer',
  async run(ctx) {
    ctx.emit({ type: 'answer.composed', answer: 'done', by: 'fallback' })
    return {}
  },
})

/** A model that gives these plans in turn, and repairs one once as models do. Without plans there is no model. */
function modelsWith(plans: readonly Partial<ModelPlan>[]) {
  const asked: PlanInput[] = []
  const problems: string[] = []
  const models: ModelPort = {
    ...(plans.length === 0
      ? {}
      : { modelOf: async () => 'scripted:model', turn: () => Promise.reject(new Error('no turns')) }),
    async ask(_prompt, input, { problemWith }) {
      let reason = 'no model'
      let refused = {}
      for (let requests = 1; requests <= 2 && asked.length < plans.length; requests++) {
        const value = { ...EMPTY, ...plans[asked.length] } as never
        asked.push(input as never)
        const problem = problemWith?.(value)
        if (problem === undefined) return { value, by: 'model', requests }
        problems.push((reason = problem))
        refused = { refused: value }
      }
      return { by: 'fallback', reason, requests: 0, ...refused }
    },
  }
  return { models, asked, problems }
}

const clock = { now: () => Date.UTC(2026, 10, 22, 12), timer: () => () => undefined }

/** Runs a question with these plans of a model. */
async function plan(
  question: string,
  plans: readonly Partial<ModelPlan>[] = [],
  { agents = [DOCS, SHOP, POST], ...request }: Partial<RequestInput> & { agents?: readonly Agent[] } = {},
) {
  const { models, asked, problems } = modelsWith(plans)
  const roles = [masterPlannerRole, composer]
  const engine = new Engine({ store: storage.store, models, strategies: [graph], roles, agents, clock })
  engines.push(engine)
  const known = new Set(agents.map(({ name }) => name))
  const state = await engine.outcome(
    await engine.start(parseRequest({ question, strategy: 'graph', ...request }, known)),
  )
  expect(state.status).toBe('finished')
  return { state, asked, problems, plan: state.plan!, tasks: state.plan!.plan.tasks }
}

const EMPTY: ModelPlan = {
  intent: '',
  entities: { date_range: null, doc_type: null, metric: null, names: [], others: [] },
  tasks: [],
  rationale: 'so',
  confidence: 0.9,
  standalone: '',
}

const planned = (
  id: string,
  agentName: string,
  dependsOn: string[] = [],
  text = id,
  tools: string[] | null = null,
) => ({
  id,
  agent: agentName,
  text,
  tools,
  dependsOn,
})

describe('the master planner with a model', () => {
  it('shows it what the agents declare, the context and the wishes of the caller', async () => {
    const { asked } = await plan('What is the policy?', [{}], {
      preferAgents: ['docs'],
      disableAgents: ['post'],
      context: { team: 'Returns', api_token: 'secret' },
      systemPrompt: 'Be brief.',
    })
    expect(asked[0]).toMatchObject({ preferred: ['docs'], systemPrompt: 'Be brief.', unusable: [] })
    expect(asked[0]!.agents).toMatch(/^- docs: .+search_documents: searches documents.+- shop: /s)
    expect(asked[0]!.agents).not.toContain('post')
    const about = asked[0]!.about.join('\n')
    expect(about).toContain('<question>\nWhat is the policy?\n</question>')
    expect(about).toMatch(/<context>[^<]*today: Sunday, 2026-11-22[^<]*team: Returns/s)
    expect(about).not.toContain('secret')
  })

  it('uses its normalised plan, with intent and entities', async () => {
    const {
      tasks,
      plan: made,
      state,
    } = await plan('Which orders came last quarter, and what is the policy on them?', [
      {
        intent: ' compare ',
        entities: {
          ...EMPTY.entities,
          names: ['Acme', ' Acme '],
          doc_type: '.PDF',
          others: [{ name: 'region', value: 'EU' }],
        },
        tasks: [
          planned(' the orders ', 'SHOP', [], 'Orders of Acme last quarter'),
          planned('rule', 'docs', [], 'The policy in PDF', ['search_documents']),
          planned('note', 'post', ['the orders', 'rule', 'rule'], 'Draft a mail'),
        ],
      },
    ])
    expect(tasks).toEqual([
      { id: 'the_orders', agent: 'shop', text: 'Orders of Acme last quarter', dependsOn: [] },
      { id: 'rule', agent: 'docs', text: 'The policy in PDF', dependsOn: [], tools: ['search_documents'] },
      { id: 'note', agent: 'post', text: 'Draft a mail', dependsOn: ['the_orders', 'rule'] },
    ])
    expect(made).toMatchObject({ rationale: 'so', confidence: 0.9, guardrails: { refinedBy: 'model' } })
    expect(state.jobs.get('plan:1')!.result!.data).toMatchObject({
      intent: 'compare',
      entities: { names: ['Acme'], doc_type: 'pdf', region: 'EU' },
    })
  })

  it.each([
    ['a circle', [planned('a', 'docs', ['b']), planned('b', 'shop', ['a'])], 'in a circle: "a" → "b" → "a"'],
    [
      'a stranger',
      [planned('a', 'ghost')],
      'Unknown agent: task "a" asks for "ghost". Known agents: docs, shop, post.',
    ],
    ['an id twice', [planned('a', 'docs'), planned('a', 'shop')], 'used more than once: "a"'],
    ['an unknown dependency', [planned('a', 'docs', ['z'])], '"a" depends on "z"'],
    ['an id that is none', [planned('a/b', 'docs')], 'may hold letters'],
    ['far too many tasks', Array.from({ length: 21 }, (_, i) => planned(`t${i}`, 'docs')), 'at most 20'],
  ])('reports %s back once, and uses the corrected plan', async (_name, tasks, problem) => {
    const {
      problems,
      tasks: taken,
      plan: made,
    } = await plan('What is the policy?', [{ tasks }, { tasks: [planned('a', 'docs')] }])
    expect(problems).toEqual([expect.stringContaining(problem)])
    expect(taken).toMatchObject([{ id: 'a', agent: 'docs' }])
    expect(made.guardrails).toEqual({ refinedBy: 'model' })
  })

  it('takes an alias of an agent for its name', async () => {
    const agents = [agent('rag', find), SHOP]
    const { problems, tasks } = await plan('What is the policy?', [{ tasks: [planned('a', 'rag_agent')] }], { agents })
    expect([problems, tasks]).toMatchObject([[], [{ id: 'a', agent: 'rag' }]])
  })

  it('drops tasks of unknown agents from a second plan, and tools that an agent does not have', async () => {
    const wrong = { tasks: [planned('a', 'ghost'), planned('b', 'docs', ['a'], 'The policy', ['rm'])] }
    const { asked, tasks } = await plan('What is the policy?', [wrong, wrong])
    expect(asked).toHaveLength(2)
    expect(tasks).toEqual([{ id: 'b', agent: 'docs', text: 'The policy', dependsOn: [] }])
  })

  it('gets all unknown names of a plan in one message', async () => {
    const wrong = { tasks: [planned('a', 'ghost'), planned('b', 'docs', ['t0'], 'The policy', ['rm'])] }
    const { problems, tasks } = await plan('What is the policy?', [wrong, { tasks: [planned('b', 'docs')] }])
    expect(problems).toEqual([expect.stringMatching(/"ghost".*"t0".*"rm"/s)])
    expect(tasks).toMatchObject([{ id: 'b', agent: 'docs' }])
  })

  it.each([
    ['depends on a missing task', [planned('b', 'docs', ['t0'], 'The policy')], 't0'],
    ['has no known agent', [planned('a', 'ghost')], 'ghost'],
  ])('falls back to keywords when the second plan, too, %s', async (_what, tasks, problem) => {
    const { asked, tasks: taken, plan: made } = await plan('What is the policy?', [{ tasks }, { tasks }, { tasks }])
    expect(asked).toHaveLength(2)
    expect(taken).toEqual([{ id: 'docs', agent: 'docs', dependsOn: [] }])
    const guardrails = { refinedBy: 'fallback', problem: expect.stringContaining(problem) }
    expect(made).toMatchObject({ confidence: 0.4, guardrails })
  })

  it('shows the contents of sources, and no unavailable agent', async () => {
    const agents = [
      { ...DOCS, holds: async () => 'returns.pdf' },
      { ...SHOP, unavailable: 'No shop.' },
      { ...POST, holds: () => Promise.reject(new Error('down')) },
    ]
    const { asked } = await plan('How many orders?', [{}], { agents })
    expect(asked[0]!.agents).toMatch(/- docs.+Holds: returns.pdf.+- post/s)
    expect(asked[0]!.agents).not.toContain('- shop')
    expect(asked[0]!.unusable).toEqual(['shop: No shop.'])
  })

  it('may return an empty plan', async () => {
    const { tasks, state } = await plan('How many orders were there in the Roman Empire?', [{ tasks: [] }])
    expect([tasks, [...state.jobs.keys()]]).toEqual([[], ['plan:1', 'compose:1']])
  })

  it('does not let it use an agent that the request disables', async () => {
    const { problems, tasks } = await plan(
      'Mail the policy',
      [{ tasks: [planned('a', 'post')] }, { tasks: [planned('a', 'docs')] }],
      { disableAgents: ['post'] },
    )
    expect(problems).toEqual([expect.stringContaining('Unknown agent: task "a" asks for "post"')])
    expect(tasks).toMatchObject([{ agent: 'docs' }])
  })

  it('plans again in addition to failed tasks, with new ids', async () => {
    const broken = agent('docs', () => Promise.reject(new Error('out of order')), { limits: { retries: 0 } })
    const { asked, tasks, state } = await plan(
      'What is the policy on orders?',
      [
        { confidence: 0.3, tasks: [planned('look', 'docs'), planned('note', 'post', ['look'])] },
        { confidence: 0.3, tasks: [planned('look', 'shop'), planned('note', 'post', ['look'])] },
      ],
      { agents: [broken, SHOP, POST] },
    )
    expect(asked[1]!.earlier).toEqual([
      { id: 'look', agent: 'docs', status: 'failed', summary: 'out of order' },
      { id: 'note', agent: 'post', status: 'skipped', summary: expect.stringContaining('"look" failed') },
    ])
    expect(tasks.map(({ id, agent: name, dependsOn }) => [id, name, dependsOn])).toEqual([
      ['look', 'docs', []],
      ['note', 'post', ['look']],
      ['look-2', 'shop', []],
      ['note-2', 'post', ['look-2']],
    ])
    expect([...state.jobs.values()].map(({ key, status }) => `${key} ${status}`)).toEqual([
      'plan:1 succeeded',
      'look failed',
      'note skipped',
      'plan:2 succeeded',
      'look-2 succeeded',
      'note-2 succeeded',
      'compose:1 succeeded',
    ])
  })
})

describe('a plan of a model', () => {
  const RAG = planned('rag', 'rag')
  const WEB = planned('web', 'web')

  it.each([
    [
      'Find sales data in my docs, write Python code to analyze the trend, then email the report to my manager',
      [RAG, planned('code', 'code', ['rag']), planned('mail', 'mail', ['code'])],
      ['rag', 'code after rag succeeded', 'mail after code succeeded'],
    ],
    ['Search my docs for Q3 revenue AND find the latest news about our competitor', [RAG, WEB], ['rag', 'web']],
    [
      'Search my docs for the budget, also find public benchmarks online, then write code to compare them',
      [RAG, WEB, planned('code', 'code', ['rag', 'web'])],
      ['rag', 'web', 'code after rag succeeded, web failed'],
    ],
  ])('runs as a graph, each agent with the results that it needs: %s', async (question, tasks, expected) => {
    const hasWeb = tasks.includes(WEB)
    const webBegan = gate()
    const order: string[] = []
    const agents = ['rag', 'web', 'code', 'mail'].map((name) =>
      agent(
        name,
        async (one) => {
          const inputs = one.inputs().map(({ actor, result }) => `${actor} ${result.status}`)
          order.push(inputs.length === 0 ? name : `${name} after ${inputs.join(', ')}`)
          // In sequence, the first one would wait for ever.
          if (name === 'rag' && hasWeb) await webBegan.promise
          webBegan.open()
          if (name === 'web' && tasks.length > 2) throw new Error('The site is down.')
          return { answer: name }
        },
        { limits: { retries: 0 } },
      ),
    )
    await plan(question, [{ tasks }], { agents })
    expect(order).toEqual(expected)
  })

  it('is made without any other call where only the plan is requested', async () => {
    const agents = [DOCS, SHOP, POST]
    const tasks = [planned('a', 'docs'), planned('b', 'shop'), planned('c', 'post', ['a', 'b'])]
    const planOf = (strategy: string, plans: readonly Partial<ModelPlan>[]) => {
      const { models } = modelsWith(plans)
      const roles = [masterPlannerRole, plannerRole]
      const strategies = [pipeline, graph].map(planOnly)
      const request = parseRequest({ question: 'The policy on orders', strategy }, new Set())
      return planQuestion({ store: storage.store, models, strategies, roles, agents, clock }, request)
    }
    const made = await planOf('graph', [{ tasks, intent: 'compare' }])
    expect(made).toMatchObject({ intent: 'compare', rationale: 'so', confidence: 0.9 })
    expect(made.stages.map((stage) => stage.map(({ id }) => id))).toEqual([['a', 'b'], ['c']])
    expect(await storage.store.runs({ status: ['running', 'waiting'] })).toEqual([])
    expect((await planOf('pipeline', [])).stages.map(({ length }) => length)).toEqual([1, 1])
    await expect(planOf('review', [])).rejects.toMatchObject({ code: 'InvalidRequest' })
  })
})

describe('the master planner whose model fails', () => {
  it('takes the agents whose keywords the question contains, else the default one', async () => {
    const { tasks, plan: made } = await plan('What is the policy?')
    expect(tasks).toEqual([{ id: 'docs', agent: 'docs', dependsOn: [] }])
    expect(made).toMatchObject({ confidence: 0.4, guardrails: { refinedBy: 'fallback' } })
    expect((await plan('What is new?')).tasks).toMatchObject([{ agent: 'shop' }])
  })

  it('uses preferred agents in any case, and no disabled one', async () => {
    const preferred = await plan('How many orders?', [], { preferAgents: ['docs'] })
    expect(preferred.tasks).toMatchObject([{ agent: 'docs' }, { agent: 'shop' }])
    expect((await plan('What is the policy?', [], { disableAgents: ['docs'] })).tasks).toMatchObject([
      { agent: 'shop' },
    ])
  })

  it('composes when no other agent is left', async () => {
    const broken = agent('docs', () => Promise.reject(new Error('no')), {
      keywords: ['policy'],
      limits: { retries: 0 },
    })
    const { state } = await plan('What is the policy?', [], { agents: [broken] })
    expect([...state.jobs.keys()]).toEqual(['plan:1', 'docs', 'plan:2', 'compose:1'])
    expect(state.plan!.round).toBe(1)
  })
})
