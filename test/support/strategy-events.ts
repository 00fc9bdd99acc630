import type { EventBody, RunEvent } from '../../src/domain/events.ts'
import type { Task } from '../../src/domain/plan.ts'

/** Events and errors that jobs of strategies have in tests. */

export const failure = { type: 'Internal', message: 'went wrong' } as const

export const composed: EventBody = { type: 'answer.composed', answer: 'x', by: 'model' }

export const planSet = (
  tasks: readonly Task[],
  confidence?: number,
  by: 'planner' | 'supervisor' | 'user' = 'planner',
): EventBody => ({
  type: 'plan.set',
  plan: { tasks },
  by,
  rationale: '',
  ...(confidence === undefined ? {} : { confidence }),
})

export const modelCall = (key: string): EventBody => ({
  type: 'call.finished',
  key,
  path: 'plan',
  kind: 'model',
  name: 'plan',
  requests: 1,
  latencyMs: 1,
})

/** The log of these events, a second after each other. */
export const logOf = (...bodies: readonly EventBody[]): RunEvent[] =>
  bodies.map((body, i) => ({ ...body, runId: 'r', seq: i + 1, at: new Date(i * 1_000).toISOString(), v: 1 }))
