import type { ErrorInfo } from './errors.ts'
import type { Job } from './job.ts'
import type { StrategyName } from './request.ts'
import type { RunState } from './state.ts'

/** The run is over: with an answer, or with the error that made one impossible. */
export interface Finish {
  readonly finish: 'answered' | 'failed'
  readonly error?: ErrorInfo
}

/**
 * Decides what is due, and does nothing else. Pure: the same state always gives the same jobs with the same keys. Jobs
 * that are in flight or settled may be named again; the engine starts each key once.
 */
export interface Strategy {
  readonly name: StrategyName
  next(state: RunState): readonly Job[] | Finish
}

export function isFinish(decision: readonly Job[] | Finish): decision is Finish {
  return !Array.isArray(decision)
}
