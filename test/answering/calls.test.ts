import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApp } from '../../src/setup/setup.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'

/** What a model is asked for a question that one source answers. */

let folder: string
let server: ModelServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-calls-'))
  await writeFile(join(folder, 'policy.md'), '# Returns\n\nDamaged goods must be reported within 7 days of delivery.\n')
  server = await startModelServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const REWRITTEN = 'Something else [1].'
const WRITTEN = 'They must be reported within 7 days [1].'

async function ask(answer: object) {
  server.script([
    { when: 'You choose which specialist agents', reply: { json: { agents: ['rag'], rationale: '', confidence: 1 } } },
    { when: 'You pick the passages', reply: { json: { ranked: [1], confidence: 0.9 } } },
    { when: 'You answer a question from passages', reply: answer },
    { when: 'senior business intelligence agent', reply: { text: REWRITTEN } },
  ])
  const app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    documents: ['policy.md'],
  })
  try {
    return await app.ask({ question: 'Within how many days must damaged goods be reported?', memory: false })
  } finally {
    await app.close()
  }
}

it('documents: the passages are ranked and answered from, and that is the answer, word for word', async () => {
  const response = await ask({ text: WRITTEN })
  expect(response.answer).toBe(WRITTEN)
  expect(response.citations).toMatchObject([{ n: 1, source: { name: 'policy.md' } }])
  expect(response.metadata).toMatchObject({ answeredBy: 'model', notes: [], usage: { calls: 2 } })
  const asked = server.requests.map(({ text }) => text)
  expect(asked.filter((text) => /You choose which|senior business/.test(text))).toEqual([])
})

it('quotations, made because the model failed, are put together as ever', async () => {
  const response = await ask({ status: 400 })
  expect(response.answer).toBe(REWRITTEN)
  expect(response.metadata.notes).toEqual([expect.stringMatching(/^Done without a model: the answer from documents /)])
})
