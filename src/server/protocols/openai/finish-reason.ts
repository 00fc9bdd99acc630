import { TuttiError } from '../../../domain/errors.ts'
import type { RunState } from '../../../domain/state.ts'

/**
 * How a run has ended: with an answer, or with one that a limit cut short.
 * @throws TuttiError the error of a failed run, or `Cancelled`
 */
export function finishReason({ runId, status, error, exhausted }: RunState): 'stop' | 'length' {
  if (error !== undefined) throw TuttiError.fromInfo(error)
  if (status === 'cancelled') throw new TuttiError('Cancelled', `Run ${runId} was cancelled.`)
  if (status !== 'finished')
    throw new TuttiError('RunLost', `Run ${runId} is not over; read it again.`, { retryable: true })
  return exhausted === undefined ? 'stop' : 'length'
}
