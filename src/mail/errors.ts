import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { redact } from '../domain/secrets.ts'

/** @returns a `MailError`; `retryable` if a retry may succeed */
export function mailError(message: string, options: { retryable?: boolean; cause?: unknown } = {}): TuttiError {
  return new TuttiError('MailError', message, options)
}

/** @returns an `InvalidRequest`: the request cannot be fulfilled, although the account works */
export function invalidMail(message: string): TuttiError {
  return new TuttiError('InvalidRequest', message)
}

/**
 * Returns our own errors unchanged. For others it adds the attempted operation. `secrets` are removed from the message.
 */
export function toMailError(thrown: unknown, what: string, secrets: readonly string[] = []): TuttiError {
  if (TuttiError.isInstance(thrown)) return thrown
  const { message } = toTuttiError(thrown)
  const { responseText, response } = thrown as { responseText?: unknown; response?: unknown }
  const serverText = [responseText, response].find((text) => typeof text === 'string' && text !== '')
  const detail = typeof serverText === 'string' && !message.includes(serverText) ? `${message}: ${serverText}` : message
  const clean = redact(detail, secrets)
  return mailError(`${what}: ${clean.slice(0, 300).replace(/\.$/, '')}.`, { retryable: true, cause: thrown })
}
