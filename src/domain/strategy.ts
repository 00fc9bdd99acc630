import type { LeadAgent, Role } from './actor.ts'
import type { ErrorInfo } from './errors.ts'
import type { ActorName, Job } from './job.ts'
import type { StrategyName } from './request.ts'
import type { RunState } from './state.ts'

/** The run is over: with an answer, or with the error that made one impossible. */
export interface Finish {
  readonly finish: 'answered' | 'failed'
  readonly error?: ErrorInfo
}

/** A strategy that returns this many jobs need not return all due ones: it is called again while slots are free. */
export const MAX_JOBS = 32

/**
 * Decides which jobs are due, without side effects. Pure: the same state always gives the same jobs with the same keys.
 * It may return jobs that are running or settled; the engine starts each key once.
 */
export interface Strategy {
  readonly name: StrategyName
  /** The role that makes the first plan; absent: the strategy has no plan at first. */
  readonly planner?: ActorName
  /** Whether it works on one task after the other, in the order of the plan, regardless of dependencies. */
  readonly isInOrder?: boolean
  next(state: RunState): readonly Job[] | Finish
}

/** A strategy with the roles that only it uses. Shared roles, such as the composer, are always available. */
export interface RegisteredStrategy {
  readonly strategy: Strategy
  readonly roles?: readonly Role[]
  readonly lead?: LeadAgent
}

export function isFinish(decision: readonly Job[] | Finish): decision is Finish {
  return !Array.isArray(decision)
}
