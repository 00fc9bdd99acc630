import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LiveItem } from '../../src/engine/readers/live.ts'
import { openApp } from '../../src/setup/setup.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'

/** What a model is asked for a question that one source answers. */

let folder: string
let server: ModelServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-calls-'))
  await writeFile(join(folder, 'policy.md'), '# Returns\n\nDamaged goods must be reported within 7 days of delivery.\n')
  await writeFile(join(folder, 'depot.md'), '# Depot\n\nDamaged goods go back to the depot in Hull.\n')
  server = await startModelServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const REWRITTEN = 'Something else [1].'
/** The passage gives 7 days; nothing gives 47.50. */
const STREAMS = [
  {
    what: 'as it is',
    text: 'Within 7 days of delivery [1]. That holds for damaged goods [1].',
    answer: 'Within 7 days of delivery [1]. That holds for damaged goods [1].',
  },
  {
    what: 'without what stands in no passage',
    text: 'Within 7 days [1]. Else a fee of 47.50 euros is due [1]. Goods must be damaged [1].',
    answer: 'Within 7 days [1]. Goods must be damaged [1].',
  },
  {
    what: 'with the numbers of the end',
    text: 'Goods go back to the depot in Hull [2]. Within 7 days of delivery [1].',
    answer: 'Goods go back to the depot in Hull [1]. Within 7 days of delivery [2].',
  },
]

const WRITTEN = 'They must be reported within 7 days [1].'

async function ask(answer: object, shown: LiveItem[] = []) {
  // The model answers once the reader has come as far as the call before, however slow the machine is.
  let release = (): void => undefined
  const isRead = new Promise<void>((resolve) => (release = resolve))
  server.script([
    { when: 'You choose which specialist agents', reply: { json: { agents: ['rag'], rationale: '', confidence: 1 } } },
    { when: 'You pick the passages', reply: { json: { ranked: [1, 2], confidence: 0.9 } } },
    { when: 'You answer a question from passages', reply: () => isRead.then(() => answer) },
    { when: 'senior business intelligence agent', reply: { text: REWRITTEN } },
  ])
  const app = await openApp({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    documents: ['policy.md', 'depot.md'],
  })
  try {
    const question = 'Within how many days must damaged goods be reported?'
    const runId = await app.start({ question, memory: false })
    for await (const item of app.runs.stream(runId)) {
      shown.push(item)
      if (item.type === 'call.finished' && item.name === 'knowledge.rerank') release()
    }
    return await app.response(runId)
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

it.each(STREAMS)('an answer from documents is shown while it is written, $what', async ({ text, answer }) => {
  for (const size of [3, 1_000]) {
    const items: LiveItem[] = []
    const response = await ask({ text, chunks: text.match(new RegExp(`[^]{1,${size}}`, 'g')) }, items)
    expect(response.answer).toBe(answer)
    const texts = items.filter((item) => item.type === 'live.text')
    expect(new Set(texts.map(({ part }) => part)).size, 'it starts over').toBe(1)
    expect(texts.map((one) => one.text).join('')).toBe(answer)
    // The first sentence is there before the model is done.
    const first = items.indexOf(texts[0]!)
    const done = items.findIndex((item) => item.type === 'call.finished' && item.name === 'rag.answer')
    expect(first).toBeLessThan(done)
  }
})
