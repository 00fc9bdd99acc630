import { TuttiError } from '../../domain/errors.ts'

/** Network trouble on the way to Qdrant. The address of the request is left out: it names the owner. */
export function unreachableQdrant(host: string, cause: unknown): TuttiError {
  const code = TuttiError.is(cause, 'HttpRequestError') ? cause.details?.code : undefined
  const why = code === undefined ? '' : ` (${code})`
  return new TuttiError(
    'StorageError',
    `Qdrant at ${host} does not answer${why}. Check that it runs and that TUTTI_QDRANT_URL is right.`,
    { retryable: true, cause },
  )
}

/** An answer that is an error, or that does not come from Qdrant. */
export function responseError(host: string, status: number, reason: string | undefined): TuttiError {
  if (status === 401 || status === 403) {
    return new TuttiError(
      'StorageError',
      `Qdrant at ${host} refuses the key (status ${status}). Check TUTTI_QDRANT_KEY.`,
    )
  }
  if (reason === undefined) {
    return new TuttiError(
      'StorageError',
      `What answers at ${host} (status ${status}) does not speak as Qdrant does. Check TUTTI_QDRANT_URL.`,
      { retryable: status >= 500 },
    )
  }
  const isBusy = status === 429 || status >= 500
  const message = `Qdrant at ${host} ${isBusy ? 'is overloaded or out of order' : 'refused a request'} (status ${status}): ${reason.slice(0, 300)}`
  return new TuttiError('StorageError', message, { retryable: isBusy })
}
