import type { Transcript } from '../../domain/transcript-port.ts'
import type { ErrorDetails } from '../../domain/errors.ts'
import { omitUndefined, isObject } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { toolCallsOf } from '../../domain/turn.ts'
import { inputOf } from '../../tool-loop/calls.ts'
import { USE_TOOL } from '../../tool-loop/tool-list.ts'

export const QUERY = 'query'
/** The first and three more. */
export const DEFAULT_MAX_ATTEMPTS = 4

/** One query of the history. */
export interface Attempt {
  readonly attempt: number
  readonly database: string
  readonly query: string
  readonly success: boolean
  readonly error?: string
  readonly latencyMs: number
  /** Refused by the safety check. */
  readonly blocked?: boolean
}

/** The queries of a job, by its transcript. */
export function attemptsIn(transcript: Transcript, databases: readonly string[]): readonly Attempt[] {
  return attemptsByTurn(transcript, databases)
    .flat()
    .map((one, at) => ({ attempt: at + 1, ...one }))
}

/** How many turns with queries, counted back from the last but one turn, had none that succeeded. */
export function failedTurnsIn(transcript: Transcript, databases: readonly string[]): number {
  const turns = attemptsByTurn(transcript, databases)
    .slice(0, -1)
    .filter((attempts) => attempts.length > 0)
  return turns.length - 1 - turns.findLastIndex((attempts) => attempts.some(({ success }) => success))
}

type TurnAttempts = readonly Omit<Attempt, 'attempt'>[]

function attemptsByTurn({ state, outcome }: Transcript, databases: readonly string[]): readonly TurnAttempts[] {
  return state.turns.map(({ message }, at) =>
    toolCallsOf(message).flatMap((part, index): TurnAttempts => {
      const { output, error } = outcome({ turn: at + 1, index }) ?? {}
      const name = part.name === USE_TOOL ? part.input['name'] : part.name
      const isRun = (output !== undefined || error !== undefined) && error?.type !== 'LimitReached'
      if (name !== QUERY || !isRun) return []
      const { database = databases[0]!, sql } = inputOf(part) as { readonly database?: string; readonly sql: string }
      const attempt = { database, query: sql }
      if (error === undefined) {
        return [{ ...attempt, success: true, latencyMs: isObject(output) ? Number(output['latencyMs']) : 0 }]
      }
      const { error: reason = error.message, latencyMs = 0 } = (error.details ?? {}) as ErrorDetails<'QueryError'>
      const isBlocked = error.type === 'QueryBlocked'
      return [
        { ...attempt, success: false, error: reason, latencyMs, ...omitUndefined({ blocked: isBlocked || undefined }) },
      ]
    }),
  )
}

/** The result of a task whose queries all failed. */
export function failedAttempts(attempts: readonly Attempt[]): Pick<Outcome, 'status' | 'error'> {
  const { error = 'The database gave no reason.', blocked } = attempts.at(-1)!
  return {
    status: 'failed',
    error:
      blocked === true
        ? { type: 'QueryBlocked', message: `The query was not allowed: ${error}` }
        : { type: 'QueryError', message: `The query failed: ${error}` },
  }
}
