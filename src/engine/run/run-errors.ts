import { TuttiError } from '../../domain/errors.ts'
import type { RunId } from '../../domain/events.ts'
import { SEALED } from '../../domain/secrets.ts'
import type { RunState } from '../../domain/state.ts'

/** How often a run may be taken over from stopped workers without a finished job or call in between. */
export const MAX_TAKEOVERS = 3

export function runNotFoundError(runId: RunId): TuttiError {
  return new TuttiError('RunNotFound', `There is no run ${runId}.`)
}

export function runBusyError(runId: RunId): TuttiError {
  return new TuttiError('RunConflict', `Run ${runId} is in the hands of another process.`, { retryable: true })
}

/**
 * A run can only be worked on with the real values of its context. Until they can be decrypted, it is left unchanged.
 * @throws TuttiError `ConfigurationError` that names the missing key
 */
export function assertOpen({ runId, request }: RunState): void {
  const [sealed] = JSON.stringify(request).matchAll(SEALED)
  if (sealed === undefined) return
  throw new TuttiError(
    'ConfigurationError',
    `Run ${runId} contains secrets that were encrypted with another key (${sealed[1]}). Set TUTTI_SECRET_KEY to the key of the ` +
      'process that started it, or put its file secret.key back into the data folder; the run waits for that.',
  )
}

/** For a run whose workers crashed one after the other, so that the next one would probably crash as well. */
export function runPoisonedError(runId: RunId): TuttiError {
  return new TuttiError(
    'RunPoisoned',
    `Run ${runId} was taken over ${MAX_TAKEOVERS} times without progress, so it is not tried again. Ask a shorter question; ` +
      'if that fails too, look at the logs of the servers from the time of this run.',
  )
}

export function runLostError(runId: RunId): TuttiError {
  return new TuttiError('RunLost', `Run ${runId} was taken over by another worker.`)
}
