import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { openApp } from '../../src/setup/setup.ts'
import { MIXED_TEXTS } from './mixed-texts.ts'

/** Two questions in one, without a model: each half is answered, or named as not answered, whatever becomes of the other. */

let folder: string
let app: App
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-two-parts-'))
  for (const [name, text] of Object.entries(MIXED_TEXTS)) await writeFile(join(folder, name), text)
  app = await openApp({ env: {}, cwd: folder, inMemory: true, documents: [folder] })
}, 300_000)
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** What the answer holds, and the parts that it names as not answered. */
const CASES: readonly (readonly [question: string, holds: readonly string[], open: readonly string[]])[] = [
  ['How much does the pressure washer weigh and what does it cost?', ['23 kg'], ['what does it cost']],
  ['What does admission to the pool cost and is there a sauna?', ['6.50 EUR', 'no sauna'], []],
  ['How often is Bruntal turned and how long does it ripen?', ['twice a week', 'nine months'], []],
  ['How long does Bruntal ripen, and who?', ['nine months'], ['who']],
  ['What is the delivery charge of the scaffold, and how tall is it?', ['190 EUR'], ['how tall is it']],
  ['How tall is the scaffold, and what is its delivery charge?', ['190 EUR'], ['How tall is the scaffold']],
  ['How long does Bruntal ripen, and how often is Vellin washed?', ['nine months', 'every other day'], []],
  ['Is there a sauna at the pool and may I bring my own food?', ['no sauna', 'Yes, but not'], []],
  ['Wann ist die Waschküche geöffnet und was kostet eine Wäsche?', ['7 Uhr bis 21', '1,50'], []],
  ['Wann kommt der Hausmeister und wie viele Wohnungen gibt es?', ['Donnerstag'], ['wie viele Wohnungen gibt es']],
  ['What is the weekly charge and the delivery charge of the scaffold?', ['410 EUR', '190 EUR'], []],
  ['Does the pool have a sauna, and how deep is the pool?', ['no sauna'], ['how deep is the pool']],
  ['How often is the scaffold inspected, and by when are invoices due?', ['every seven days', '21 days'], []],
  ['Wie viel wird je Kilometer erstattet und werden Vorschüsse gewährt?', ['0,32', 'nicht gewährt'], []],
]

it.each(CASES)('%s', async (question, holds, open) => {
  const { answer = '', metadata } = await app.ask({ question })
  for (const words of holds) expect(answer).toContain(words)
  const said = /^W(?:ann|ie) /.test(question) ? 'nicht beantwortet' : 'not answered'
  for (const part of open) expect(answer.toLowerCase()).toContain(`${said}: “${part.toLowerCase()}”`)
  const plain = (part: string): string => part.toLowerCase().replace(/\?$/, '')
  expect(metadata.unanswered.map(plain), answer).toEqual(open.map(plain))
})
