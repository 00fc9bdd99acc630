import type { Owner } from '../../domain/events.ts'
import type { EvalCase } from '../cases.ts'
import type { TurnResult } from '../results.ts'

/** `running`: in progress; `done`: all cases have a result; `cancelled`: the remaining cases are not run. */
export const EVALUATION_STATUSES = ['running', 'done', 'cancelled'] as const
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number]

/** Options of an evaluation. */
export interface NewEvaluation {
  /** Sets of the owner; default: all. */
  readonly sets?: readonly string[]
  /** Overrides the strategy of a case. */
  readonly strategy?: string
  /** `provider:model`, for every actor. */
  readonly model?: string
}

/** An evaluation of a user's cases. Times are milliseconds since the epoch. */
export interface Evaluation extends NewEvaluation {
  readonly evaluationId: string
  readonly owner: Owner
  readonly sets: readonly string[]
  readonly status: EvaluationStatus
  readonly createdAt: number
  readonly endedAt?: number
}

/** A case of a running evaluation with its progress. */
export interface OpenCase extends Pick<Evaluation, 'evaluationId' | 'owner' | 'strategy' | 'model'> {
  readonly place: number
  /** `due`: its run has not been started. */
  readonly status: 'due' | 'running'
  /** The run of the current turn. */
  readonly runId: string
  readonly one: EvalCase
  readonly turns: readonly TurnResult[]
}
