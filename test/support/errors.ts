import { TuttiError } from '../../src/domain/errors.ts'

/** The error with which a promise rejects; anything but a TuttiError fails the test. */
export async function errorOf(promise: Promise<unknown>): Promise<TuttiError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!TuttiError.isInstance(thrown)) throw new Error(`expected a TuttiError, got ${String(thrown)}`)
  return thrown
}
