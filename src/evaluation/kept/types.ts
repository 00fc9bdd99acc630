import type { Owner } from '../../domain/owner.ts'
import type { EvalCase } from '../cases.ts'
import type { TurnResult } from '../results.ts'

/** What a case may name for the command line alone: sources of its own. Here the installation's are asked. */
export const OWN_SOURCES = ['db', 'api', 'docs', 'mcp'] as const

/** `running`: cases are put; `done`: all were; `cancelled`: the rest are not put. */
export const EVALUATION_STATUSES = ['running', 'done', 'cancelled'] as const
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number]

/** What is put to the test, and how. */
export interface NewEvaluation {
  /** Sets of the owner's; all of them when absent. */
  readonly sets?: readonly string[]
  /** Wins over that of a case. */
  readonly strategy?: string
  /** `provider:model`, for every actor. */
  readonly model?: string
}

/** Cases of a person, put once. Times are milliseconds since the epoch. */
export interface Evaluation extends NewEvaluation {
  readonly evaluationId: string
  readonly owner: Owner
  readonly sets: readonly string[]
  readonly status: EvaluationStatus
  readonly createdAt: number
  readonly endedAt?: number
}

/** A case of an evaluation that is under way, as far as it has come. */
export interface OpenCase extends Pick<Evaluation, 'evaluationId' | 'owner' | 'strategy' | 'model'> {
  readonly place: number
  /** `due`: its run is still to be started. */
  readonly status: 'due' | 'running'
  /** The run of the turn that is next, or under way. */
  readonly runId: string
  readonly one: EvalCase
  readonly turns: readonly TurnResult[]
}
