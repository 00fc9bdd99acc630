import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { FACTS } from '../../scripts/demo-documents/facts.ts'
import { startModelServer, type ModelServer, type Rule } from '../support/model-server.ts'
import { ASKED, createDemo, NOTHING_TO_REMEMBER, planReply, takeInDocuments, task, type Demo } from './support.ts'

/** Documents with a scripted model: which passages it is shown, what becomes of its marks, and what is said without it. */

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
    { when: ASKED.rerank, reply: { json: { ranked: [1, 2, 3], confidence: 0.8 } } },
    { when: ASKED.rag, reply: { text: 'Within 7 days [1]. Photographs are needed [1].' } },
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

const askedFor = (name: keyof typeof ASKED) => server.requests.filter(({ text }) => text.includes(ASKED[name]))

/** The passages that the model is given to answer from, by their numbers. */
function passagesShown(): readonly { n: number; document: string; page?: number; text: string }[] {
  const lines = askedFor('rag')[0]!
    .text.split('\n')
    .filter((line) => line.startsWith('{"n":'))
  return lines.map((line) => JSON.parse(line) as ReturnType<typeof passagesShown>[number])
}

describe('a model that answers from passages', () => {
  it('has its marks resolved to the passages that it was shown', async () => {
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

  it('is shown the passages in the order that it gave them', async () => {
    await ask(rules({ when: ASKED.rerank, reply: { json: { ranked: [3, 1], confidence: 0.7 } } }))
    const found = [...askedFor('rerank')[0]!.text.matchAll(/<passage number="\d+">\n(\S+)[^\n]*\n([^<]*)/g)]
    const beginnings = [found[2]!, found[0]!].map(([, , text]) => text!.replace(/^> /, '').slice(0, 60))
    expect(passagesShown().map(({ n, text }) => [n, text.slice(0, 60)])).toEqual([
      [1, beginnings[0]],
      [2, beginnings[1]],
    ])
  })

  it('may name passages that do not exist without harm', async () => {
    const { citations } = await ask(
      rules(
        { when: ASKED.rerank, reply: { json: { ranked: [99, 1, 1, 0, -4], confidence: 0.7 } } },
        { when: ASKED.rag, reply: { text: 'Within 7 days [1], says the handbook [7].' } },
      ),
    )
    expect(passagesShown()).toHaveLength(1)
    expect(citations.map(({ n, source }) => [n, source.name])).toEqual([[1, FACT.file]])
  })
})

describe('a composer that makes up a mark', () => {
  it('has it taken out, with a sentence that rests on nothing else, which the trace tells', async () => {
    const composed = 'Within 7 days [1]. A fee is due [9]. See [1, 12].'
    // Quotations are put together by the composer; what a model wrote from passages would stand as it is.
    const quoted = { when: ASKED.rag, reply: { status: 400 } }
    const { answer, citations, trace } = await ask(rules(quoted, { when: ASKED.compose, reply: { text: composed } }))
    expect(answer).toBe('Within 7 days [1]. See [1].')
    expect(citations.map(({ n }) => n)).toEqual([1])
    const line = trace!.find(({ message }) => message === 'Citations that stand for no source were taken out')
    expect(line).toMatchObject({ agent: 'composer', data: { removed: [12] } })
  })
})

describe('a model that is down', () => {
  it('leaves the quotes, in the order of the search, and says so', async () => {
    const { answer, citations, metadata } = await ask([{ reply: { status: 500 } }])
    expect(answer).toContain(FACT.sentence)
    expect(answer).toContain(`${FACT.file} (page ${FACT.page}, ${FACT.section})`)
    expect(citations[0]!.source).toMatchObject({ name: FACT.file, passage: { page: FACT.page } })
    expect(metadata).toMatchObject({ status: 'finished', answeredBy: 'fallback' })
    expect(metadata.notes[0]).toMatch(/^Answered without a model: /)
  })

  it('only for the composer, is not missed where the answer comes from documents alone', async () => {
    const { answer, citations, metadata } = await ask(rules({ when: ASKED.compose, reply: { status: 500 } }))
    expect(answer).toContain('Within 7 days')
    expect(citations[0]!.source.name).toBe(FACT.file)
    expect(metadata).toMatchObject({ answeredBy: 'model', notes: [] })
  })
})
