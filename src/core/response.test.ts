import { expect, it } from 'vitest'
import { request } from '../../test/support/engine-world.ts'
import type { ErrorCode, ErrorInfo } from './errors.ts'
import type { EventBody, RunEvent } from './events.ts'
import { TRUSTED } from './provenance.ts'
import { responseOf } from './response.ts'

/** A run whose one task ended so, and whose answer came from what was said before. */
function recalledAfter(type: ErrorCode) {
  const plan = { tasks: [{ id: 'mail', agent: 'mail', text: 'Send it', dependsOn: [] }] }
  const bodies: EventBody[] = [
    { type: 'run.started', request: request([]) },
    { type: 'plan.set', plan, by: 'planner', rationale: '' },
    { type: 'job.started', key: 'mail', actor: 'mail', attempt: 1 },
    {
      type: 'job.settled',
      key: 'mail',
      result: { status: 'failed', error: { type, message: 'No.' } as ErrorInfo, provenance: TRUSTED, latencyMs: 1 },
    },
    { type: 'answer.composed', answer: 'It is as said before.', by: 'model', isAnswered: true },
  ]
  const events = bodies.map((body, i): RunEvent => ({
    ...body,
    runId: 'r',
    seq: i + 1,
    at: new Date(i).toISOString(),
    v: 1,
  }))
  return responseOf(events).metadata
}

it.each(['ApprovalDenied', 'ApprovalTimedOut', 'ApprovalExpired'] as const)(
  'a call that was not made stays unanswered, whatever is answered from what was said: %s',
  (type) => expect(recalledAfter(type).unanswered).toEqual(['Send it']),
)

it('what was answered from what was said needs no agent', () => {
  expect(recalledAfter('PlanningDeclined')).toMatchObject({ isAnswered: true, unanswered: [] })
})
