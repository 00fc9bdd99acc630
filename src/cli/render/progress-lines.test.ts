import { expect, it } from 'vitest'
import type { RunEvent } from '../../domain/events.ts'
import { QUESTION } from '../../domain/approvals.ts'
import { ProgressLines } from './progress-lines.ts'

const event = (seq: number, body: object): RunEvent =>
  ({ runId: 'abcdefgh1', seq, at: new Date(0).toISOString(), v: 1, ...body }) as unknown as RunEvent
const textsOf = (lines: ProgressLines, ...bodies: readonly object[]) =>
  bodies.map((body, at) => lines.take(event(at + 2, body)))

it('reports the steps of a job, each on one line', () => {
  const said = textsOf(
    new ProgressLines(),
    { type: 'job.started', key: 'sql', actor: 'sql', attempt: 1 },
    {
      type: 'call.finished',
      key: 'sql',
      kind: 'model',
      name: 'sql.generate',
      by: 'model',
      model: 'openai:gpt',
      latencyMs: 900,
      requests: 1,
      usage: { inputTokens: 100, outputTokens: 20 },
    },
    {
      type: 'job.settled',
      key: 'sql',
      result: { status: 'failed', error: { type: 'QueryError', message: 'no such\ntable' }, latencyMs: 2_000 },
    },
  )
  expect(said).toEqual([
    'sql started',
    'sql asked openai:gpt: sql.generate, 0.9 s, 1 model call, 120 tokens',
    'sql failed after 2.0 s: no such table',
  ])
})

it('reports once that a run continues, until there is progress', () => {
  const resumed = { type: 'run.resumed', worker: 'w' }
  const limit = { type: 'budget.exhausted', limit: 'calls', message: 'Enough.' }
  const said = textsOf(new ProgressLines(), resumed, resumed, limit, resumed)
  expect(said).toEqual(['Run abcdefgh continues', undefined, 'Enough.', 'Run abcdefgh continues'])
})

it('reports nothing for a run that its own process left waiting', () => {
  expect(textsOf(new ProgressLines(), { type: 'run.resumed', worker: 'w', after: 'wait' })).toEqual([undefined])
})

it('names the agents and questions of events that were not shown', () => {
  const lines = new ProgressLines()
  const started = { type: 'job.started', key: 's3', actor: 'sql', attempt: 1 }
  textsOf(lines, started, { type: 'approval.requested', approvalId: 'a', tool: QUESTION })
  const decided = { type: 'approval.decided', approvalId: 'a', decision: 'approved', by: 'ann' }
  const settled = { type: 'job.settled', key: 's3', result: { status: 'skipped' } }
  expect(textsOf(lines, decided, settled)).toEqual(['The question was answered by ann', 'sql was skipped'])
})

it('says nothing of the empty plan that a supervisor begins with', () => {
  const planned = { type: 'plan.set', plan: { tasks: [] }, by: 'planner', rationale: '' }
  const said = textsOf(new ProgressLines(), planned, { ...planned, rationale: 'Small talk.' })
  expect(said).toEqual([undefined, 'planner chose no agent: Small talk.'])
})
