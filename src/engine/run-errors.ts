import { TuttiError } from '../core/errors.ts'
import type { RunId } from '../core/events.ts'

export function notFound(runId: RunId): TuttiError {
  return new TuttiError('RunNotFound', `There is no run ${runId}.`)
}

export function busy(runId: RunId): TuttiError {
  return new TuttiError('RunConflict', `Run ${runId} is in the hands of another process.`, { retryable: true })
}

export function lost(runId: RunId): TuttiError {
  return new TuttiError('RunLost', `Run ${runId} was taken over by another worker.`)
}
