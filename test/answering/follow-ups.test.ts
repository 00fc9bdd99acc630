import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import type { RunResponse } from '../../src/core/response.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import { openApp } from '../../src/setup/setup.ts'
import { ASKED, planReply, task, TODAY } from '../e2e/support.ts'
import { sqlLoop, startModelServer, type ModelServer, type Rule } from '../support/model-server.ts'

/** Questions that go on from the one before, through the whole product. */

let folder: string
let server: ModelServer
let app: App

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-follow-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  server = await startModelServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => app.close())

async function converse(questions: readonly string[], script?: Rule[], strategy?: string): Promise<RunResponse[]> {
  if (script !== undefined) server.script(script)
  app = await openApp({
    env: script === undefined ? {} : { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    cwd: folder,
    inMemory: true,
    databases: [{ url: `sqlite:${join(folder, 'demo.sqlite')}` }],
    onTrouble: (error) => expect.fail(error.message),
  })
  const responses: RunResponse[] = []
  for (const question of questions) {
    const { conversationId } = responses.at(-1)?.metadata ?? {}
    const context = { current_date: TODAY }
    const more = { ...(conversationId === undefined ? {} : { conversationId }), ...(strategy && { strategy }) }
    responses.push(await app.ask({ question, context, ...more }))
  }
  return responses
}

describe('without a model', () => {
  it('one goes on from the other, and each says how it was taken', async () => {
    const [first, second, third, fourth] = await converse([
      'How many orders were there in 2025?',
      'And in 2024?',
      'And in Germany?',
      'And the month before?',
    ])
    expect(first!.answer).toContain('351')
    expect(first!.answer).not.toContain('Understood')
    expect(second!.answer).toContain('256')
    expect(second!.answer).toContain('Understood as: “How many orders were there in 2024?”.')
    expect(third!.answer).toContain('43')
    expect(third!.answer).toContain('“How many orders were there in 2024 in Germany?”')
    // Which month? A year was spoken of.
    expect(fourth!.metadata.isAnswered).toBe(false)
    expect(fourth!.answer).toBe(
      '“And the month before?” goes on from “How many orders were there in 2024 in Germany?”, and it is not clear how. Ask the whole question.',
    )
  })

  it('what is said of the answer before is computed from it, or needs a model', async () => {
    const [first, double, shorter] = await converse([
      'How many orders were there in 2025?',
      'Double that',
      'Make it shorter',
    ])
    expect(first!.answer).toContain('351')
    expect(double!).toMatchObject({ answer: '351 times 2 is 702.', metadata: { isAnswered: true } })
    expect(shorter!).toMatchObject({
      answer: '“Make it shorter” asks for the answer before in other words, for which a language model is needed.',
      metadata: { isAnswered: false },
    })
  })

  it('nobody knows from a database who asks', async () => {
    const [name] = await converse(['What is my name?'])
    expect(name!.metadata.isAnswered).toBe(false)
    expect(name!.answer).toContain('“my name”: the database does not tell who asks.')
  })

  it.each(['pipeline', 'graph', 'supervisor', 'review'])('by every strategy: %s', async (strategy) => {
    const [, second] = await converse(['How many orders were there in 2025?', 'And in 2024?'], undefined, strategy)
    expect(second!.answer).toContain('256')
    expect(second!.answer).toContain('Understood as: “How many orders were there in 2024?”.')
  })

  it('after one that was declined, the next goes on from the last that was answered', async () => {
    const [, declined, unclear, next] = await converse([
      'How many orders were there in 2025?',
      'And in Wakanda?',
      'And the month before?',
      'And in 2024?',
    ])
    expect([declined, unclear].map((response) => response!.metadata.isAnswered)).toEqual([false, false])
    expect(next!.answer).toContain('256')
    expect(next!.answer).toContain('Understood as: “How many orders were there in 2024?”.')
  })

  it('the history keeps what was typed', async () => {
    const [, last] = await converse(['How many orders were there in 2025?', 'And in 2024?'])
    const messages = await app.conversations.messages(app.runs.owner, last!.metadata.conversationId!)
    expect(messages.filter(({ role }) => role === 'user').map(({ text, understood }) => [text, understood])).toEqual([
      ['How many orders were there in 2025?', undefined],
      ['And in 2024?', 'How many orders were there in 2024?'],
    ])
  })

  it('what cannot be settled says what it goes on from', async () => {
    const [, second] = await converse(['How many orders did customers place?', 'When were they shipped?'])
    expect(second!.metadata.isAnswered).toBe(false)
    expect(second!.answer).toMatch(/goes on from “How many orders did customers place\?”/)
  })

  it('period and place go on from clause to clause', async () => {
    const [sums, values, countries, now] = await converse([
      'What is the total of invoices in 2025, and the average?',
      'What was the revenue in 2025, and what was the average order value?',
      'How many customers are there in Germany and how many orders?',
      'How many orders were there in 2025 and how many customers do we have?',
    ])
    expect(sums!.answer).toMatch(/333,128\.36[^]*979\.79/)
    expect(values!.answer).toContain('908.38')
    expect(values!.answer).not.toContain('892.28')
    expect(values!.answer).toContain('Understood as: “What was the average order value in 2025”.')
    expect(countries!.answer).toContain('“How many orders in Germany”')
    expect(countries!.answer).not.toContain('954')
    expect(now!.answer).toMatch(/351[^]*92/)
    expect(now!.answer).not.toContain('Understood')
  })
})

describe('with a model', () => {
  const planned = (standalone: string): Rule => {
    const { json } = planReply([task('sql', 'sql', standalone)])
    return { when: ASKED.plan, reply: { json: { ...(json as object), standalone } } }
  }
  const query = (sql: string): readonly Rule[] => sqlLoop(sql, 'There are 29 cancelled orders.')
  const count = query("SELECT count(*) AS orders FROM orders WHERE status = 'cancelled'")
  const compose: Rule = { when: 'You write the final answer', reply: { text: 'There are 29 cancelled orders.' } }
  const asked = (step: RegExp): string[] =>
    server.requests.map(({ body }) => JSON.stringify(body)).filter((text) => step.test(text))

  it('the planner completes it, and every step after it works on that', async () => {
    const alone = 'How many orders were cancelled?'
    const [, second] = await converse(
      ['How many orders are there?', 'And what about those that were called off?'],
      [planned(alone), ...count, compose],
      'graph',
    )
    expect(second!.planner?.understood).toEqual({ question: alone })
    expect(asked(/How many orders were cancelled/)).not.toEqual([])
  })

  it('a question that stands alone in the first turn has nothing to be completed from', async () => {
    const [first] = await converse(
      ['How many orders were cancelled?'],
      [planned('How many orders were cancelled in 2019?'), ...count, compose],
      'graph',
    )
    expect(first!.planner?.understood).toBeUndefined()
  })
})
