import { expect, it } from 'vitest'
import type { RunEvent } from '../../domain/events.ts'
import { QUESTION } from '../../domain/approvals.ts'
import { ProgressLines } from './progress-lines.ts'

it('reports once that a run continues, until there is progress', () => {
  const lines = new ProgressLines()
  const resumed = { type: 'run.resumed', worker: 'w', runId: 'abcdefgh1', seq: 2, at: '', v: 1 } as RunEvent
  const limit = {
    type: 'budget.exhausted',
    limit: 'calls',
    message: 'Enough.',
    runId: 'abcdefgh1',
    seq: 3,
    at: '',
    v: 1,
  }
  const said = [resumed, resumed, limit as RunEvent, resumed].map((event) => lines.take(event)?.text)
  expect(said).toEqual(['Run abcdefgh continues', undefined, 'Enough.', 'Run abcdefgh continues'])
})

it('reports nothing for a run that its own process left waiting', () => {
  const resumed = { type: 'run.resumed', worker: 'w', after: 'wait', runId: 'abcdefgh1', seq: 2, at: '', v: 1 }
  expect(new ProgressLines().take(resumed as RunEvent)).toBeUndefined()
})

it('names the agents and questions of events that were not shown', () => {
  const about = { runId: 'abcdefgh1', at: new Date(0).toISOString(), v: 1 }
  const earlier = [
    { ...about, seq: 2, type: 'job.started', key: 's3', actor: 'sql', attempt: 1 },
    { ...about, seq: 3, type: 'approval.requested', approvalId: 'a', tool: QUESTION },
  ] as unknown as RunEvent[]
  const lines = new ProgressLines()
  for (const event of earlier) lines.take(event)
  expect(lines.activity(1_000)).toBe('sql 1.0 s')
  const decided = { ...about, seq: 4, type: 'approval.decided', approvalId: 'a', decision: 'approved', by: 'ann' }
  const settled = { ...about, seq: 5, type: 'job.settled', key: 's3', result: { status: 'skipped' } }
  const said = [decided, settled].map((event) => lines.take(event as unknown as RunEvent)?.text)
  expect(said).toEqual(['The question was answered by ann', 'sql was skipped'])
})

it('says nothing of the empty plan that a supervisor begins with', () => {
  const planned = { type: 'plan.set', plan: { tasks: [] }, by: 'planner', rationale: '', runId: 'abcdefgh1', seq: 2 }
  const lines = new ProgressLines()
  expect(lines.take(planned as unknown as RunEvent)).toBeUndefined()
  expect(lines.take({ ...planned, rationale: 'Small talk.' } as unknown as RunEvent)?.text).toBe(
    'planner chose no agent: Small talk.',
  )
})
