import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitCodeOfResponse } from '../../src/cli/exit-codes.ts'
import { createDemo, TODAY, type Demo } from './support.ts'

/** Parts of a question are never dropped silently. */

let demo: Demo

beforeAll(async () => {
  demo = await createDemo()
  // The documents are added once.
  const app = await demo.open({ documents: [demo.documents] })
  await app.ask({ question: '2 + 2', memory: false })
  await app.close()
}, 300_000)
afterAll(() => demo.remove())

describe('without a strategy in the request', () => {
  it('the parts of a question run in parallel', async () => {
    const app = await demo.open({ databases: [{ url: `sqlite:${demo.database}` }] })
    const planned = await app.plan('How many customers are there, and what does the returns policy say?')
    await app.close()
    expect(planned.strategy).toBe('graph')
    expect(planned.tasks.map(({ agent, dependsOn }) => [agent, dependsOn])).toEqual([
      ['sql', []],
      ['rag', []],
    ])
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

  it('documents do not answer instead of a missing database', async () => {
    const response = await ask('How many orders were returned?', `sqlite:${join(demo.folder, 'gone.sqlite')}`)
    expect(response.status).toBe('not_answered')
    expect(response.answer).toMatch(/there is no such file/)
    expect(exitCodeOfResponse(response)).toBe(5)
  })
})

it('a review reports parts with passages only', async () => {
  await demo.configure({})
  const app = await demo.open({ documents: [demo.documents], databases: [{ url: `sqlite:${demo.database}` }] })
  const question = 'What is the staff discount on coffee and how many employees are there?'
  const { answer, metadata } = await app.ask({ question, strategy: 'review', memory: false })
  await app.close()
  expect(answer).toContain('40 %')
  expect(answer).toContain('22')
  expect(metadata).toMatchObject({ isAnswered: true, unanswered: ['What is the staff discount on coffee'] })
})
