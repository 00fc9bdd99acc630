import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import { openApp } from '../../src/setup/setup.ts'
import { TODAY } from '../e2e/support.ts'

/** Questions of several parts, and such that a word sends to the wrong place, through the whole product without a model. */

let folder: string
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-parts-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  app = await openApp({
    env: {},
    cwd: folder,
    inMemory: true,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }],
    documents: [join(import.meta.dirname, '../../assets/demo-documents/employee-handbook.docx')],
    onTrouble: (error) => expect.fail(error.message),
  })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function ask(question: string, strategy = 'auto') {
  const response = await app.ask({ question, strategy, context: { current_date: TODAY } })
  return { answer: response.answer ?? '', ...response.metadata }
}

describe('a part that the database declines', () => {
  const leave = 'how many days of annual leave do employees get'

  it.each(['auto', 'pipeline', 'graph', 'supervisor', 'review'])(
    'goes to the documents beside a part that it answers, and beside one that nobody does: %s',
    async (strategy) => {
      const beside = await ask(`How many active customers do we have, and ${leave}?`, strategy)
      expect(beside.answer).toMatch(/number of active customers is \d+/)
      expect(beside.answer).toContain('25 days of annual leave')
      expect(beside.answer).not.toContain('Not answered')
      expect(beside.unanswered).toEqual([])
      const alone = await ask(`How many spaceships do we own, and ${leave}?`, strategy)
      expect(alone.answer).toContain('25 days of annual leave')
      expect(alone.answer).toContain('Not answered: “How many spaceships do we own”')
      expect(alone.answer).not.toContain(`Not answered: “${leave}`)
      expect(alone.unanswered).toEqual(['How many spaceships do we own'])
    },
  )

  it('is no quotation that says nothing of it', async () => {
    for (const part of [
      'what was our marketing spend in 2025',
      'how many kilos did we roast in 2025',
      'how much rent do we pay',
    ]) {
      const { answer, unanswered } = await ask(`How many customers are there, and ${part}?`)
      expect(answer).toMatch(/^The number of customers is \d+\.\n\nNot answered: /)
      expect(unanswered).toHaveLength(1)
    }
  })
})

it('units sold after a thing that was named are those of the thing, and that is said', async () => {
  const { answer } = await ask('What is the price of House Espresso, and how many units did we sell in 2025?')
  expect(answer).toMatch(/The units sold for “House Espresso” in 2025 are [\d,]+/)
  expect(answer).toContain('Understood as: “How many units of House Espresso did we sell in 2025?”.')
  const other = await ask('What does the handbook say about Annual Leave, and how many units did we sell in 2025?')
  expect(other.answer).not.toContain('Understood')
})

it('a word for a channel asks nobody who has none while the database can work', async () => {
  expect((await ask('How many delivered orders by email were there?')).answer).toMatch(
    /^The number of orders for “delivered” and for “email” is \d+\.$/,
  )
  const { answer } = await ask('How many mails did Anna send?')
  expect(answer).toMatch(/The database: .*“Anna”.* The mailbox: no mail account is set up/s)
})
