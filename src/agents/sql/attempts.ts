import type { Transcript } from '../../core/transcript-port.ts'
import type { ErrorDetails } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import { isObject } from '../../core/outside.ts'
import type { Outcome } from '../../core/result.ts'
import { toolCallsOf } from '../../core/turn.ts'
import { inputOf } from '../../tool-loop/calls.ts'
import { USE_TOOL } from '../../tool-loop/tool-list.ts'
import { tooManyFailures } from './query-errors.ts'

export const QUERY = 'query'
/** The first and three more (SPEC P5). */
export const DEFAULT_MAX_ATTEMPTS = 4

/** One query, as it is kept in the history (SPEC P5). */
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
export function attemptsIn({ state, outcome }: Transcript, databases: readonly string[]): readonly Attempt[] {
  const made = state.turns.flatMap(({ message }, at) =>
    toolCallsOf(message).flatMap((part, index): Omit<Attempt, 'attempt'>[] => {
      const { output, error } = outcome({ turn: at + 1, index }) ?? {}
      const name = part.name === USE_TOOL ? part.input['name'] : part.name
      const isRun = (output !== undefined || error !== undefined) && error?.type !== 'LimitReached'
      if (name !== QUERY || !isRun) return []
      const { database = databases[0]!, sql } = inputOf(part) as { readonly database?: string; readonly sql: string }
      const about = { database, query: sql }
      if (error === undefined) {
        return [{ ...about, success: true, latencyMs: isObject(output) ? Number(output['latencyMs']) : 0 }]
      }
      const { error: reason = error.message, latencyMs = 0 } = (error.details ?? {}) as ErrorDetails<'QueryError'>
      const isBlocked = error.type === 'QueryBlocked'
      return [{ ...about, success: false, error: reason, latencyMs, ...given({ blocked: isBlocked || undefined }) }]
    }),
  )
  return made.map((one, at) => ({ attempt: at + 1, ...one }))
}

/** The result of a task none of whose queries could be run. */
export function failureOf(attempts: readonly Attempt[]): Pick<Outcome, 'status' | 'error'> {
  const { error = 'The database gave no reason.', blocked } = attempts.at(-1)!
  return {
    status: 'failed',
    error:
      blocked === true
        ? { type: 'QueryBlocked', message: `The query was not allowed: ${error}` }
        : { type: 'QueryError', message: `The query failed: ${error}` },
  }
}

/** Lets queries run until so many have failed. Those that run at the same time could all fail, so they are counted, too. */
export class AttemptLimit {
  readonly #most: number
  readonly #failed: () => number
  readonly #running = new Set<Promise<unknown>>()

  /** @param failed how many have failed by now */
  constructor(most: number, failed: () => number) {
    this.#most = most
    this.#failed = failed
  }

  /** @throws TuttiError `LimitReached` once the limit is reached */
  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running.size > 0 && this.#failed() + this.#running.size >= this.#most) {
      await Promise.race([...this.#running].map((one) => one.catch(() => undefined)))
    }
    if (this.#failed() >= this.#most) throw tooManyFailures(this.#most)
    const running = work()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }
}
