import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agent } from '../../../test/support/engine-world.ts'
import type { Agent } from '../../domain/actor.ts'
import type { ModelPort } from '../../domain/model.ts'
import { parseRequest } from '../../domain/request.ts'
import { responseOf } from '../../domain/response.ts'
import type { Outcome } from '../../domain/result.ts'
import { Engine } from '../../engine/engine.ts'
import { createMemoryStorage, type Storage } from '../../storage/index.ts'
import { graph } from '../graph/next.ts'
import { systemClock } from '../../shared/clock.ts'
import { composerRole } from './composer.ts'
import { masterPlannerRole } from '../graph/roles.ts'
import type { ComposeInput } from './composer-prompt.ts'

const SOURCE = { kind: 'database', name: 'shop', detail: 'SELECT 1' } as const
const TABLE = { columns: ['n'], rows: [{ n: 7 }], rowCount: 1, truncated: false }
const FOUND: Outcome = { answer: 'Seven orders [1].', sources: [SOURCE], tabular: TABLE }

let storage: Storage
const engines: Engine[] = []

beforeEach(async () => {
  storage = await createMemoryStorage({ clock: systemClock, onError: (error) => expect.fail(error.message) })
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await storage.close()
})

/** Runs a question over these agents, all of which the model plans; it words the answer as given, or fails. */
async function answer(agents: readonly Agent[], text: string | undefined, question = 'How many?') {
  const composed: ComposeInput[] = []
  const models: ModelPort = {
    modelOf: async () => 'scripted:model',
    turn: () => Promise.reject(new Error('no turns')),
    async ask(prompt, input) {
      if (prompt.name === 'planner.plan') {
        const tasks = agents.map(({ name }) => ({ id: name, agent: name, text: name, tools: null, dependsOn: [] }))
        const entities = { date_range: null, doc_type: null, metric: null, names: [], others: [] }
        const plan = { intent: 'x', entities, tasks, rationale: 'so', confidence: 0.9, standalone: '' }
        return { value: plan as never, by: 'model', requests: 1 }
      }
      composed.push(input as never)
      if (text !== undefined) return { value: text as never, by: 'model', requests: 1 }
      return { by: 'fallback', reason: 'it is down', requests: 1 }
    },
  }
  const engine = new Engine({
    store: storage.store,
    models,
    strategies: [graph],
    roles: [masterPlannerRole, composerRole],
    agents,
  })
  engines.push(engine)
  const known = new Set(agents.map(({ name }) => name))
  const runId = await engine.start(parseRequest({ question, strategy: 'graph' }, known))
  const state = await engine.outcome(runId)
  return { state, composed, response: responseOf(await storage.store.read(runId)) }
}

const shop = agent('shop', async () => FOUND)
const docs = agent('docs', async () => ({ answer: 'Seven days.', sources: [{ kind: 'document', name: 'a.pdf' }] }))
const broken = agent('broken', () => Promise.reject(new Error('out of order')), { limits: { retries: 0 } })

it('the answer is the model’s text, unchanged', async () => {
  const word = fc.constantFrom(
    'Orders',
    '7',
    '12 %',
    'none.',
    '\n\n',
    '| a | b |',
    '**x**',
    'Nicht',
    '[x]',
    '—',
    '(sic)',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 12 }), async (words) => {
      const text = `A ${words.join(' ')} z`
      const { state } = await answer([shop, docs], text)
      expect(state.answer).toMatchObject({ text, by: 'model', isAnswered: true })
    }),
    { numRuns: 15 },
  )
})

it('ids of results become citations by first occurrence, and the table is that of the first cited one', async () => {
  const { response, composed } = await answer([docs, shop], 'Seven [s2], within days [s1][s9].')
  expect(response.answer).toBe('Seven [1], within days [2].')
  expect(response.citations.map(({ source }) => source.name)).toEqual(['shop', 'a.pdf'])
  expect(response.data).toMatchObject({ rows: [{ n: 7 }] })
  expect(composed[0]!.results[1]).toMatchObject({ agent: 'shop', status: 'succeeded' })
  expect(composed[0]!.results[1]!.text).toContain('[1 row]\nn\n7\n[s2] database shop')
})

it('a single successful answer is passed on without a model', async () => {
  const { response, composed } = await answer([docs], 'never')
  expect(composed).toEqual([])
  expect(response).toMatchObject({ answer: 'Seven days.', metadata: { isAnswered: true } })
})

it('names failures to the model, and next to the text', async () => {
  const { response, composed } = await answer([shop, broken], 'Seven; the rest is out of order.')
  expect(composed[0]!.results[1]).toMatchObject({ agent: 'broken', status: 'failed' })
  expect(composed[0]!.results[1]!.text).toContain('out of order')
  expect(response.answer).toBe('Seven; the rest is out of order.')
  expect(response.metadata.unanswered).toEqual(['broken'])
})

it('a failed agent is cited by ids, and a result with open parts is only partly done', async () => {
  const failed = agent('late', async () => ({
    status: 'failed',
    answer: 'Two of them [1].',
    sources: [{ kind: 'document', name: 'b.pdf' }],
    error: { type: 'ApprovalTimedOut', message: 'Nobody decided.' },
  }))
  const partly = agent('half', async () => ({ ...FOUND, unanswered: ['When?'] }))
  const { response, composed } = await answer([partly, failed], 'Two [s2].')
  expect(composed[0]!.results.map(({ status }) => status)).toEqual(['partly done', 'failed'])
  expect(composed[0]!.results[1]!.text).toContain('Two of them [s2].')
  expect(response.citations.map(({ source }) => source.name)).toEqual(['b.pdf'])
})

it('a run whose agents all failed has failed; one that an agent declined has no answer', async () => {
  const picky = agent('picky', (_task, ctx) => ctx.decline('I only know tea.'))
  expect((await answer([broken], 'It is out of order.')).response.status).toBe('failed')
  expect((await answer([picky, broken], 'Neither can say.')).response.status).toBe('not_answered')
})

it('without a chosen agent the model answers, and a note says that no source was used', async () => {
  const { response } = await answer([], 'Hello! How can I help?', 'Hi')
  expect(response.answer).toBe('Hello! How can I help?')
  expect(response.metadata).toMatchObject({ isAnswered: true, notes: ['No source was used for this answer.'] })
})

it('open parts are not part of the text, and an answer without results does not count', async () => {
  const text = 'I cannot say: there is no contract.\n<not_answered>\nWhen does the contract end?\n</not_answered>'
  const { response } = await answer([docs, shop], text)
  expect(response).toMatchObject({ answer: 'I cannot say: there is no contract.', status: 'not_answered' })
  expect(response.metadata.unanswered).toEqual(['When does the contract end?'])
})

it('where the model fails, the agents’ answers follow in their order', async () => {
  const { response } = await answer([shop, docs], undefined)
  expect(response.answer).toBe('Seven orders [1].\n\nSeven days.')
  expect(response.metadata.answeredBy).toBe('fallback')
})
