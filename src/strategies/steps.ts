/**
 * Steps that the strategies have in common: plan, work on a task, compose, finish. The key of a task's job is the task's
 * id; keys of roles have a colon, which no task id may have.
 */
import type { Job } from '../core/job.ts'
import type { Task } from '../core/plan.ts'
import type { Result } from '../core/result.ts'
import type { RunState } from '../core/state.ts'
import type { Finish } from '../core/strategy.ts'

export const COMPOSE_KEY = 'compose:1'

export function planKey(round: number): string {
  return `plan:${round}`
}

export function planJob(round: number): Job {
  return { key: planKey(round), actor: 'planner', input: { round } }
}

export function taskJob(task: Task, dependsOn: readonly string[]): Job {
  return { key: task.id, actor: task.agent, input: task, dependsOn }
}

/** The run cannot go on without a plan: the planner's error is the run's. */
export function plannerFailure(state: RunState): Finish | undefined {
  const result = state.jobs.get(planKey(1))?.result
  if (result === undefined) return undefined
  return failure(result, 'The planner ended without a plan.')
}

/** Whether one more specialist may start: the request's `maxTurns` and the budget allow it. */
export function turnsLeft(state: RunState): boolean {
  if (state.exhausted !== undefined) return false
  const { maxTurns } = state.request
  if (maxTurns === undefined) return true
  let started = 0
  for (const job of state.jobs.values()) if (job.task !== undefined) started++
  return started < maxTurns
}

export function composeThenFinish(state: RunState): readonly Job[] | Finish {
  const result = state.jobs.get(COMPOSE_KEY)?.result
  if (result === undefined) return [{ key: COMPOSE_KEY, actor: 'composer', input: null }]
  if (state.answer !== undefined) return { finish: 'answered' }
  return failure(result, 'The composer ended without an answer.')
}

function failure({ error }: Result, message: string): Finish {
  return { finish: 'failed', error: error ?? { type: 'Internal', message } }
}
