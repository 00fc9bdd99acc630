// Soak test: asks many questions in other languages.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemo, TODAY, type Demo } from '../e2e/support.ts'

/** Questions in other languages without a model get one sentence in English and in their language. */

let demo: Demo
let app: Awaited<ReturnType<Demo['open']>>
beforeAll(async () => {
  demo = await createDemo()
  app = await demo.open({
    inMemory: true,
    databases: [{ url: `sqlite:${demo.database}` }],
    documents: [demo.documents],
  })
})
afterAll(async () => {
  await app.close()
  await demo.remove()
})

const ENGLISH = 'Without a language model only questions in English can be answered.'

const GERMAN = 'Ohne Sprachmodell können nur Fragen auf Englisch beantwortet werden.'

it.each([
  ['Wie viele Kunden gibt es?', GERMAN],
  ['Umsatz nach Monat seit Januar 2025', GERMAN],
  ['Welche Kunden sind uns mit den Rechnungen im Rückstand?', GERMAN],
  ['Combien de commandes est-ce que nous avons dans les archives ?', ENGLISH],
  ['¿Cuántos clientes hay en la base?', ENGLISH],
])('%s', async (question, said) => {
  const { answer, metadata } = await app.ask({ question, context: { current_date: TODAY } })
  expect(metadata.isAnswered).toBe(false)
  const [first, ...more] = answer.split('\n\n')
  expect(first).toBe(said)
  expect(more.join('\n')).toMatch(/\n- \w+/)
})

it('English questions get the words that were not understood', async () => {
  const { answer } = await app.ask({ question: 'How many unicorns are there in the stable?' })
  expect(answer).toContain('unicorns')
  expect(answer).not.toContain(ENGLISH)
})
