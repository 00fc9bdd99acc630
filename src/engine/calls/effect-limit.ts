import type { Clock } from '../../shared/clock.ts'
import type { TuttiError } from '../../domain/errors.ts'

/**
 * How long a call that cannot be undone is waited for, in milliseconds. Nothing else ends it: no time limit of its agent, no
 * cancellation, no shutdown. Far above what a mail server or an API takes.
 */
export const EFFECT_LIMIT_MS = 10 * 60_000

/** Runs an operation and rejects with `late`, which its signal is aborted with, when it takes longer than `ms`. */
export async function withTimeLimit<T>(
  clock: Clock,
  ms: number,
  late: () => TuttiError,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let cancel: (() => void) | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    cancel = clock.timer(ms, () => {
      const error = late()
      controller.abort(error)
      reject(error)
    })
  })
  try {
    return await Promise.race([operation(controller.signal), limit])
  } finally {
    cancel?.()
  }
}
