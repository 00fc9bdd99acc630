import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitCodeOfResponse } from '../../src/cli/exit-codes.ts'
import { createDemo, TODAY, type Demo } from './support.ts'

/** The strategy is chosen by the question, and nothing of a question is left out without a word. */

let demo: Demo

beforeAll(async () => {
  demo = await createDemo()
  // The documents are taken in once.
  const app = await demo.open({ documents: [demo.documents] })
  await app.ask({ question: '2 + 2', memory: false })
  await app.close()
}, 300_000)
afterAll(() => demo.remove())

describe('without a strategy in the request', () => {
  it.each([
    ['How many customers are there?', 'pipeline', /One agent is enough/],
    ['List the open orders over 500 and what share of all orders they are', 'graph', /3 parts/],
    ['What does the returns policy say about damaged goods, and how many customers are there?', 'graph', /2 parts/],
    ['How many customers are there? Check your answer.', 'review', /asks for care: “Check your answer”/],
  ])('%s is for %s', async (question, strategy, why) => {
    const app = await demo.open({ databases: [{ url: `sqlite:${demo.database}` }] })
    const planned = await app.plan(question)
    await app.close()
    expect(planned.strategy).toBe(strategy)
    expect(planned.guardrails['strategy']).toMatch(why)
  })

  it('that of the configuration counts, and that of a request before it', async () => {
    await demo.configure({ defaults: { strategy: 'graph' } })
    const app = await demo.open()
    const strategies = [await app.plan('2 + 2'), await app.plan({ question: '2 + 2', strategy: 'pipeline' })]
    await app.close()
    await demo.configure({})
    expect(strategies.map(({ strategy }) => strategy)).toEqual(['graph', 'pipeline'])
  })
})

describe.each(['pipeline', 'graph'])('with %s', (strategy) => {
  const ask = async (question: string, url: string) => {
    await demo.configure({ databases: [{ url }] })
    const app = await demo.open({ documents: [demo.documents] })
    try {
      return await app.ask({ question, strategy, memory: false, context: { current_date: TODAY } })
    } finally {
      await app.close()
    }
  }

  it('documents do not answer in the place of a database that is gone', async () => {
    const response = await ask('How many orders were returned?', `sqlite:${join(demo.folder, 'gone.sqlite')}`)
    expect(response.agentResults.map(({ agent }) => agent)).toEqual(['sql'])
    expect(response.answer).toMatch(/there is no such file/)
    expect(exitCodeOfResponse(response)).toBe(5)
  })

  it('a passage that holds the year does not answer a part that asks how many', async () => {
    const response = await ask('How many orders were placed in 2025 and how many in 2024?', `sqlite:${demo.database}`)
    // What the database declines goes to the documents, which decline it, too.
    expect(response.agentResults.map(({ agent }) => agent)).toEqual(['sql', 'sql', 'rag'])
    expect(response.answer).toMatch(/351/)
    expect(response.answer).toMatch(/Not answered: “How many in 2024”/)
    expect(response.metadata.unanswered).toEqual(['How many in 2024?'])
    expect(exitCodeOfResponse(response)).toBe(5)
  })

  it('the part that nobody answered is named', async () => {
    const question = 'What does the returns policy say about damaged goods, and how many moons does Jupiter have?'
    const response = await ask(question, `sqlite:${demo.database}`)
    expect(response.answer).toMatch(/Goods that arrive damaged/)
    expect(response.answer).toMatch(/Not answered: “How many moons does Jupiter have”/)
    expect(response.metadata.unanswered).toEqual(['How many moons does Jupiter have?'])
    expect(exitCodeOfResponse(response)).toBe(5)
  })
})

it('a part that was tried twice is named once, with the reason that says most', async () => {
  await demo.configure({ databases: [{ url: `sqlite:${demo.database}` }] })
  const app = await demo.open({ env: { TUTTI_MAIL_URL: '' } })
  const question = 'How many moons does Jupiter have? Send the answer to bob@example.com.'
  const response = await app.ask({ question, memory: false, disableAgents: ['rag'] })
  await app.close()
  expect(response.answer.match(/Send the answer to bob@example\.com/g)).toHaveLength(1)
  expect(response.answer).toMatch(/“Send the answer to bob@example.com”: no mail account is set up/)
  expect(response.metadata.unanswered).toEqual([
    'How many moons does Jupiter have?',
    'Send the answer to bob@example.com.',
  ])
})

it('a review asks another agent for the part that one declined', async () => {
  await demo.configure({})
  const app = await demo.open({ documents: [demo.documents], databases: [{ url: `sqlite:${demo.database}` }] })
  const question = 'What is the staff discount on coffee and how many employees are there?'
  const { answer, metadata } = await app.ask({ question, strategy: 'review', memory: false })
  await app.close()
  expect(answer).toContain('40 %')
  expect(answer).toContain('22')
  expect(metadata).toMatchObject({ isAnswered: true, unanswered: [] })
})
