import { join } from 'node:path'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import { createDemoDatabase } from '../../src/app/demo-data.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { sqlLoop, startModelServer, type Rule } from '../support/model-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openForAll } from '../support/opened.ts'

/** The whole product against a scripted provider: which facts about the user it gets, and when. */

const folder = temporaryFolder()
const server = openForAll(() => startModelServer())
let app: App | undefined

beforeAll(() => createDemoDatabase(join(folder, 'demo.sqlite')))
afterEach(() => app?.close())

const EXTRACTOR = 'what the user states of themself'
const COMPOSER = 'senior business intelligence agent'
const SQL = 'SELECT count(*) AS customers FROM customers'
const USUAL: Rule[] = [
  { when: 'You choose which specialist agents', reply: { json: { agents: ['sql'], rationale: 'r', confidence: 0.9 } } },
  ...sqlLoop(SQL, 'There are 92 customers.'),
  { when: COMPOSER, reply: { text: 'There are 92 customers.' } },
]
const SAID = {
  ownWords: 'I am Vinay from Google, keep answers short.',
  found: true,
  criticalFacts: { userName: 'Vinay', companyName: 'Google', jobTitle: null, recentProjects: null },
  preferences: { tone: null, detailLevel: 'short', language: null },
}

async function open(owner: string): Promise<App> {
  await app?.close()
  app = await openConfiguredApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    dataDir: join(folder, 'data'),
    owner,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}`, name: 'demo' }],
    onError: (error) => expect.fail(error.message),
  })
  return app
}

async function ask(question: string, more: Partial<RequestInput> = {}) {
  const runId = await app!.start({ question, preferAgents: ['sql'], ...more })
  await app!.runs.outcome(runId)
  return app!.response(runId)
}

const sent = (what: string) => server.requests.filter((request) => request.text.includes(what))

it('extracts facts with one model call and adds them to every later call', async () => {
  await open('vinay')
  server.script([{ when: EXTRACTOR, reply: { json: SAID } }, ...USUAL])
  const first = await ask('I am Vinay from Google, keep answers short. How many customers are there?')
  expect(first.answer).toBe('There are 92 customers.')
  const [extraction, ...others] = sent(EXTRACTOR)
  expect(others).toEqual([])
  expect(extraction!.body).toMatchObject({ temperature: 0.1, max_tokens: 512 })
  expect(await app!.profiles.entries('vinay')).toMatchObject([
    { field: 'userName', value: 'Vinay' },
    { field: 'companyName', value: 'Google' },
    { field: 'detailLevel', value: 'short' },
  ])

  server.script([{ when: EXTRACTOR, reply: { json: SAID } }, ...USUAL])
  const { conversationId } = first.metadata
  const second = await ask('How many customers are there?', { conversationId: conversationId! })
  expect(second.metadata).toMatchObject({ conversationId, notes: [] })
  const answering = server.requests.filter(({ text }) => !text.includes(EXTRACTOR))
  expect(answering).toHaveLength(3)
  for (const { text } of answering) for (const known of ['Vinay', 'Google', 'short']) expect(text).toContain(known)
  for (const request of answering.filter(({ text }) => !text.includes('<user_profile>'))) {
    const [system] = request.messages
    expect(system!.text).toContain(
      '- Name: Vinay\n- Company: Google\n- Level of detail of texts that the user reads: short',
    )
    expect(system!.text).toContain('User: I am Vinay from Google, keep answers short. How many customers are there?')
    expect(system!.text).toContain('Assistant: There are 92 customers.')
  }
})

it('stores nothing of a question when the model fails, without affecting the answer', async () => {
  await open('ada')
  server.script([{ when: EXTRACTOR, reply: { status: 400, text: 'no' } }, ...USUAL])
  const { answer, metadata } = await ask('My name is Ada. How many customers are there?')
  expect(answer).toBe('There are 92 customers.')
  expect(metadata.notes).toEqual([])
  expect(await app!.profiles.entries('ada')).toEqual([])
})
