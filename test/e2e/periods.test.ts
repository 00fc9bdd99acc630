import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { createDemo, TODAY, type Demo } from './support.ts'

/** A period relative to today. */

let demo: Demo
let app: App

beforeAll(async () => {
  demo = await createDemo()
  app = await demo.open({ databases: [{ url: `sqlite:${demo.database}` }] })
})
afterAll(async () => {
  await app.close()
  await demo.remove()
})

async function ask(strategy: 'pipeline' | 'graph') {
  const question = 'How many orders were placed in the last 30 days?'
  const runId = await app.start({ question, strategy, context: { current_date: TODAY } })
  await app.engine.outcome(runId)
  return app.response(runId)
}

it.each(['pipeline', 'graph'] as const)('queries them with --strategy %s', async (strategy) => {
  const { answer, agentResults } = await ask(strategy)
  expect(agentResults.map(({ agent }) => agent)).toEqual(['sql'])
  expect(JSON.stringify(agentResults)).toContain('2026-10-02')
  expect(answer).toMatch(/\b49\b/)
})
