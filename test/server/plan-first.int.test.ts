import { expect, it } from 'vitest'
import type { Task } from '../../src/domain/plan.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** A plan that waits for the user: shown, changed, started, or discarded. */

const world = openForAll(() => startHttpWorld())

async function planned(question: string, strategy: string): Promise<{ runId: string; approvalId: string }> {
  const { runId } = await world.json<{ runId: string }>('/runs', { json: { question, strategy, confirmPlan: true } })
  for (;;) {
    const { items } = await world.json<{ items: { approvalId: string }[] }>(`/approvals?runId=${runId}`)
    if (items[0] !== undefined) return { runId, approvalId: items[0].approvalId }
  }
}

const decide = (approvalId: string, json: object) => world.json(`/approvals/${approvalId}/decide`, { json })

async function outcome(runId: string) {
  const state = await world.app.as('ada').runs.outcome(runId)
  return { state, done: [...state.jobs.values()].filter(({ task }) => task !== undefined) }
}

it.each(['pipeline', 'graph', 'review'])(
  '%s does nothing before the confirmation, then runs the current plan',
  async (strategy) => {
    const { runId, approvalId } = await planned('What is 12 times 12?', strategy)
    const { tasks } = await world.json<{ tasks: Task[] }>(`/runs/${runId}/plan`)
    expect(tasks.map(({ agent }) => agent)).toEqual(['computation'])
    const changed = { tasks: [{ id: 'mine', agent: 'computation', text: 'What is 11 times 11?', dependsOn: [] }] }
    await world.json(`/runs/${runId}/plan`, { method: 'PUT', json: changed })
    await decide(approvalId, { decision: 'approved', instructions: 'start' })
    const { state, done } = await outcome(runId)
    expect(state.status).toBe('finished')
    expect(done.map(({ task }) => task!.text)).toEqual(['What is 11 times 11?'])
    expect(state.answer!.text).toContain('121')
  },
)

it.each([
  [{ decision: 'denied' }, 'left'],
  [{ decision: 'approved', instructions: 'No' }, 'No'],
])('does nothing of it after %j', async (word, said) => {
  const { runId, approvalId } = await planned('What is 12 times 12?', 'pipeline')
  await decide(approvalId, word)
  const { state, done } = await outcome(runId)
  expect(state.status).toBe('failed')
  expect(state.error).toMatchObject({ type: 'ApprovalDenied', message: expect.stringContaining(said) as string })
  expect(state.error!.message).toContain('nothing of it was done')
  expect(done).toEqual([])
})

it('asks again when the answer is neither yes nor no, such as a question, and accepts “Start”', async () => {
  const { runId, approvalId } = await planned('What is 12 times 12?', 'pipeline')
  const open = async (not: readonly string[]): Promise<{ approvalId: string; payload: { question: string } }> => {
    for (;;) {
      const { items } = await world.json<{ items: { approvalId: string; payload: { question: string } }[] }>(
        `/approvals?runId=${runId}&status=pending`,
      )
      const next = items.find((one) => !not.includes(one.approvalId))
      if (next !== undefined) return next
    }
  }
  await decide(approvalId, { decision: 'approved', instructions: 'hm' })
  const second = await open([approvalId])
  expect(second.payload.question).toContain('“hm” does not say whether to start it')
  await decide(second.approvalId, { decision: 'approved', instructions: 'hm' })
  const third = await open([approvalId, second.approvalId])
  await decide(third.approvalId, { decision: 'approved', instructions: 'OK?' })
  const fourth = await open([approvalId, second.approvalId, third.approvalId])
  await decide(fourth.approvalId, { decision: 'approved', instructions: '“Start”.' })
  const { state } = await outcome(runId)
  expect(state.answer!.text).toContain('144')
})

it('gives the user a day, for any timeout of decisions', async () => {
  const { approvalId } = await planned('What is 12 times 12?', 'graph')
  const { requestedAt, expiresAt } = await world.json<{ requestedAt: string; expiresAt: string }>(
    `/approvals/${approvalId}`,
  )
  expect(Date.parse(expiresAt) - Date.parse(requestedAt)).toBeGreaterThanOrEqual(24 * 3_600_000 - 60_000)
})

it('stays in its conversation when it was not started', async () => {
  const { runId, approvalId } = await planned('What is 12 times 12?', 'graph')
  const { conversationId } = (await world.app.as('ada').runs.state(runId)).request
  await decide(approvalId, { decision: 'denied' })
  await outcome(runId)
  const { metadata } = await world.json<{ metadata: { runId: string } }>('/query', {
    json: { question: 'What is 6 times 7?', conversationId },
  })
  await expect(world.json(`/conversations/${conversationId}`)).resolves.toMatchObject({
    open: [],
    ended: [{ runId }],
    messages: [{ runId: metadata.runId }, { runId: metadata.runId }],
  })
})

it('reports when no user can be asked', async () => {
  const asked = { question: 'What is 12 times 12?', confirmPlan: true }
  await expect(world.json('/query', { json: asked })).resolves.toMatchObject({ code: 'ApprovalDenied' })
})
