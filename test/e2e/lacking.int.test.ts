import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { createDemo, type Demo } from './support.ts'

/** Both strategies give a question to the same agent, even if that agent is not configured. */

let demo: Demo
let app: App

beforeAll(async () => {
  demo = await createDemo()
  app = await demo.open({
    databases: [{ url: `sqlite:${demo.database}` }],
    env: { TUTTI_MAIL_URL: '', TUTTI_MAIL_FROM: '' },
  })
})
afterAll(async () => {
  await app.close()
  await demo.remove()
})

describe.each(['pipeline', 'graph'] as const)('with --strategy %s', (strategy) => {
  it.each([
    ['Show me the mails from sales@nordbryg.example', 'mail'],
    ['What does the handbook say about overtime?', 'rag'],
    ['What is the status of order 884?', 'sql'],
    ['How many customers have an email address?', 'sql'],
    ['What is 15% of 230?', 'computation'],
    ['List the open orders and mail them to Bob', 'sql'],
  ])('%s is first given to %s', async (question, agent) => {
    const { tasks } = await app.plan({ question, strategy })
    expect(tasks[0]!.agent).toBe(agent)
  })

  it.each([
    ['Which mails did we get from Nordbryg?', /^No mail account is set up/],
    ['search the web for coffee prices', /^No web search is set up/],
  ])('%s is not answered from another source, and the missing one is named', async (question, lack) => {
    const { answer, metadata } = await app.ask({ question, strategy })
    expect([answer, metadata.isAnswered]).toEqual([expect.stringMatching(lack), false])
  })
})
