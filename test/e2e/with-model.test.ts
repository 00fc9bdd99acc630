import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { FACTS } from '../support/demo-facts.ts'
import { startModelServer, type ModelServer, type Rule } from '../support/model-server.ts'
import {
  ASKED,
  createDemo,
  NOTHING_TO_REMEMBER,
  planReply,
  takeInDocuments,
  task,
  type Demo,
  searchThenSay,
} from './support.ts'

/** Documents with a scripted model: how its citations are resolved. */

const FACT = FACTS[0]!

let demo: Demo
let server: ModelServer
let app: App

beforeAll(async () => {
  demo = await createDemo()
  await takeInDocuments(demo, FACT.file, 'faq.html', 'minutes-2026-09.txt')
  server = await startModelServer()
  await demo.configure({ models: { timeouts: { firstChunkMs: 2_000, idleMs: 2_000, totalMs: 4_000 } } })
})
afterAll(async () => {
  await server.close()
  await demo.remove()
})
afterEach(() => app.close())

function rules(...first: Rule[]): Rule[] {
  return [
    ...first,
    NOTHING_TO_REMEMBER,
    { when: ASKED.plan, reply: planReply([task('rag', 'rag', FACT.question)]) },
    ...searchThenSay(FACT.question, 'Within 7 days [s1]. Photographs are needed [s1].'),
    { when: ASKED.compose, reply: ({ text }) => ({ text: /Answer: (.*)/.exec(text)![1]! }) },
  ]
}

async function ask(script: Rule[]) {
  server.script(script)
  app = await demo.open({ env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' } })
  const runId = await app.start({ question: FACT.question, strategy: 'graph', trace: true })
  await app.engine.outcome(runId)
  return app.response(runId)
}

describe('a model that answers from passages', () => {
  it('has its citation marks resolved to the passages in its prompt', async () => {
    const { answer, citations, metadata } = await ask(rules())
    expect(answer).toBe('Within 7 days [1]. Photographs are needed [1].')
    expect(citations).toMatchObject([
      { n: 1, agent: 'rag', source: { kind: 'document', name: FACT.file, passage: { page: FACT.page } } },
    ])
    const { documentId, start, end } = citations[0]!.source.passage!
    const text = await app.knowledge.store.text(app.runs.owner, documentId, start, end)
    expect(text).toContain(FACT.sentence)
    expect(metadata).toMatchObject({ status: 'finished', answeredBy: 'model', notes: [] })
  })

  it('may cite missing passages without harm', async () => {
    const { citations } = await ask(
      rules(...searchThenSay(FACT.question, 'Within 7 days [s1], says the handbook [s99].')),
    )
    expect(citations.map(({ n, source }) => [n, source.name])).toEqual([[1, FACT.file]])
  })
})
