import type { Clock } from '../../shared/clock.ts'
import type { TuttiError } from '../../domain/errors.ts'

/**
 * Time limit of an irreversible call, in milliseconds. Nothing else ends such a call: no time limit of its agent, no
 * cancellation, no shutdown. Far longer than mail servers or APIs need.
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
