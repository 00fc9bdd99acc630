import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { createDemo, TODAY, type Demo } from './support.ts'

/** A plan and the query made for it mean the same days. */

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

it.each(['pipeline', 'graph'] as const)('“last 30 days” are thirty with --strategy %s', async (strategy) => {
  const question = 'How many orders were placed in the last 30 days?'
  const runId = await app.start({ question, strategy, context: { current_date: TODAY } })
  const state = await app.engine.outcome(runId)
  const { answer, agentResults } = await app.response(runId)
  if (strategy === 'graph') {
    expect(state.plan!.plan.tasks[0]!.entities).toMatchObject({ date_range: { from: '2026-10-02', to: '2026-10-31' } })
  }
  expect(agentResults.map(({ agent }) => agent)).toEqual(['sql'])
  expect(JSON.stringify(agentResults)).toContain('2026-10-02')
  expect(answer).toMatch(/\b49\b/)
})
