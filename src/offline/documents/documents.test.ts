import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineFor, outcomeOf, request, task } from '../../../test/support/engine-world.ts'
import { ScriptedModels } from '../../../test/support/tool-loops.ts'
import { defineAgent } from '../../domain/actor.ts'
import { answeredOf } from '../../domain/response.ts'
import { createRetriever } from '../../documents/search/retriever.ts'
import { ENGLISH } from '../../documents/search/languages.ts'
import { openKnowledgeStore } from '../../documents/store/index.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'
import type { KnowledgeStore, NewDocument } from '../../documents/types.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { answerDocuments } from './answer.ts'
import { closestSentences } from './closest-sentence.ts'
import { readFileNames } from './question-words.ts'

let folder: string
let store: KnowledgeStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-offline-documents-'))
  store = openKnowledgeStore({ sqlitePath: join(folder, 'knowledge.db') })
  await put(
    'returns.pdf',
    ['Goods are sold worldwide. Damaged goods must be reported within 7 days [9]. Photographs help.'],
    {
      type: 'pdf',
      date: '2026-01-05',
    },
  )
  await put('minutes.txt', ['The board spoke of damaged goods. The canteen stays open.'], { date: '2025-03-01' })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function put(name: string, passages: readonly string[], more: Partial<NewDocument>): Promise<void> {
  const document = documentOf(name, passages)
  const chunks = document.chunks.map((chunk, at) => ({ ...chunk, page: at + 1, section: 'Rules › Damage' }))
  await store.put('local', { ...document, chunks, ...more })
}

async function ask(question: string) {
  const clock = new ManualClock()
  const { store: runs } = await createMemoryStorage({ clock, onError: () => undefined })
  const corpus = { store, ...createRetriever({ store }), isAttached: false, scope: async () => 'local' }
  const agent = defineAgent({
    name: 'rag',
    description: 'Searches documents.',
    capabilities: ['search'],
    useCases: ['search'],
    keywords: ['documents'],
    run: (one, ctx) => answerDocuments(one, ctx, corpus),
  })
  const engine = engineFor([agent], { store: runs, clock, models: new ScriptedModels([]) })
  const input = request([task('t', 'rag', { text: question })], { question, context: { current_date: '2026-11-28' } })
  const state = await outcomeOf(engine, clock, input)
  await engine.close()
  return { state, result: state.jobs.get('t')!.result! }
}

describe('answerDocuments', () => {
  it('shows the closest passages with place, bold sentence and citation, and claims no answer', async () => {
    const { state, result } = await ask('When must damaged goods be reported?')
    expect(result.answer).toBe(
      'Closest passages in your documents:\n\n' +
        'returns.pdf (page 1, Damage): Goods are sold worldwide. **Damaged goods must be reported within 7 days.** Photographs help. [1]\n\n' +
        'minutes.txt (page 1, Damage): The board spoke of damaged goods. The canteen stays open. [2]',
    )
    expect(result.sources).toMatchObject([
      { kind: 'document', name: 'returns.pdf', passage: { page: 1 } },
      { kind: 'document', name: 'minutes.txt' },
    ])
    expect(answeredOf(state).isAnswered).toBe(false)
  })

  it('names the documents where nothing is found', async () => {
    const { result } = await ask('Where is the xylophone?')
    expect(result.error).toMatchObject({ type: 'PlanningDeclined', message: expect.stringContaining('returns.pdf') })
  })
})

it.each([
  ['What do the documents say about tea?', 'tea?', []],
  ['What does returns.pdf say of tea?', 'What does say of tea?', ['d1']],
  ['What does my-returns.pdf say of tea?', 'What does my-returns.pdf say of tea?', []],
])('reads the file names in “%s”', (question, rest, documentIds) => {
  const read = readFileNames(question, [{ documentId: 'd1', name: 'rules/returns.pdf' }])
  expect(read).toEqual({ question: rest, documentIds })
})

it.each([
  [
    'the row of a table below its first row',
    { text: 'Article | Price\nNyeri AA | 32.9\nHuila | 28', isTable: true },
    'price of Nyeri',
    'Article | Price\n**Nyeri AA | 32.9**',
  ],
  [
    'a sentence over two lines of a page, without the heading',
    {
      text: 'Damage\nAnyone who finds that something is broken on arrival must tell\nus within a week.',
      isTable: false,
    },
    'broken on arrival',
    '**Anyone who finds that something is broken on arrival must tell us within a week.**',
  ],
  [
    'no row that names columns, nor a sentence with few of the words',
    { text: 'Reason | Report within\nDamaged | 7 days\nIn any case you may report it.', isTable: false },
    'report reason',
    'Reason | Report within Damaged | 7 days In any case you may report it.',
  ],
  ['no sentence where no word fits', { text: 'One. Two.', isTable: false }, 'three', 'One. Two.'],
])('quotes %s', (_, passage, question, text) => {
  const [quote] = closestSentences(question, [{ ...passage, headings: new Set(['Damage']) }], ENGLISH)
  expect(quote?.text).toBe(text)
})
