import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { redact } from '../domain/secrets.ts'

/** @returns a `MailError`; `retryable` when the same call may work a little later */
export function mailError(message: string, options: { retryable?: boolean; cause?: unknown } = {}): TuttiError {
  return new TuttiError('MailError', message, options)
}

/** @returns an `InvalidRequest`: what was asked of the account cannot be done as it was asked, so nothing is wrong with the account */
export function invalidMail(message: string): TuttiError {
  return new TuttiError('InvalidRequest', message)
}

/** Passes our own errors on; for all others it says what was tried. `secrets` never appear in the message. */
export function asMailError(thrown: unknown, what: string, secrets: readonly string[] = []): TuttiError {
  if (TuttiError.isInstance(thrown)) return thrown
  const { message } = toTuttiError(thrown)
  const { responseText, response } = thrown as { responseText?: unknown; response?: unknown }
  const said = [responseText, response].find((text) => typeof text === 'string' && text !== '')
  const detail = typeof said === 'string' && !message.includes(said) ? `${message}: ${said}` : message
  const clean = redact(detail, secrets)
  return mailError(`${what}: ${clean.slice(0, 300).replace(/\.$/, '')}.`, { retryable: true, cause: thrown })
}
