import { afterAll, beforeAll, expect, it } from 'vitest'
import { german } from '../../src/core/said/de/index.ts'
import { sayer } from '../../src/core/said/said.ts'
import { NO_MODEL } from '../../src/core/without-model.ts'
import { createDemo, TODAY, type Demo } from '../e2e/support.ts'

/** Questions in other languages without a model: one sentence that says so, also in theirs. */

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

it.each([
  ['Wie viele Kunden gibt es?', 'Ohne Sprachmodell'],
  ['Umsatz nach Monat seit Januar 2025', 'Ohne Sprachmodell.*: Verbinden Sie ein Modell, oder fragen Sie auf Englisch'],
  ['Welche Kunden sind uns mit den Rechnungen im Rückstand?', 'Ohne Sprachmodell'],
  ['Umsatz 2025', 'Ohne Sprachmodell'],
  ['Kunden in Berlin', 'Ohne Sprachmodell'],
  ['Was steht in der Rückgaberichtlinie zu beschädigter Ware?', 'Ohne Sprachmodell'],
  ['Mails von Kim', 'Ohne Sprachmodell'],
  ['Combien de commandes est-ce que nous avons dans les archives ?', 'Sans modèle'],
  ['¿Cuántos clientes hay en la base?', 'Sin un modelo'],
  ['顧客は何人いますか', undefined],
])('%s', async (question, own) => {
  const { answer, metadata } = await app.ask({ question, context: { current_date: TODAY } })
  expect(metadata.isAnswered).toBe(false)
  const [said, ...more] = answer.split('\n\n')
  expect(said).toMatch(new RegExp(`^${own ?? ENGLISH}`))
  expect(said!.includes(ENGLISH)).toBe(own === undefined)
  // What each agent made of the words says nothing, nor what is near to words that were not understood.
  expect(more).toEqual([])
})

it('that no model is there is said in German by the app', () => {
  expect(sayer(german)(NO_MODEL)).toBe('es ist kein Modell eingerichtet')
})

it('English ones are told what was not understood', async () => {
  const { answer } = await app.ask({ question: 'How many unicorns are there in the stable?' })
  expect(answer).toContain('unicorns')
  expect(answer).not.toContain(ENGLISH)
})
