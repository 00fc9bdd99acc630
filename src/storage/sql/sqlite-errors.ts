import { TuttiError } from '../../domain/errors.ts'
import { ERASED, erasedError } from './erased.ts'

const CANNOT_OPEN = 'Unable to open connection'

/**
 * Converts an error of SQLite or of the file system into one sentence that says what to do. `libsql` reports a file
 * that cannot be opened without a code.
 * @param what kind of data the file holds
 */
export function sqliteError(thrown: unknown, path: string, what = 'database'): TuttiError {
  if (TuttiError.isInstance(thrown)) return thrown
  const { code, message } = describe(thrown)
  if (message.includes(ERASED)) return erasedError(thrown)
  const { sentence, retryable } = explain(code, message, `${what} ${path}`)
  return new TuttiError('StorageError', sentence, {
    retryable,
    details: { path, ...(code === '' ? {} : { code }) },
    cause: thrown,
  })
}

/** False for errors that do not come from the file but from a bug in the surrounding code. */
export function isSqliteError(thrown: unknown): boolean {
  const { code, message } = describe(thrown)
  return code !== '' || message.includes(CANNOT_OPEN)
}

function describe(thrown: unknown): { code: string; message: string } {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  return { code, message: thrown.message }
}

function explain(code: string, message: string, place: string): { sentence: string; retryable: boolean } {
  if (/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY.*)$/.test(code)) {
    const sentence = `The ${place} cannot be written: give this user the right, or choose another data folder.`
    return { sentence, retryable: false }
  }
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) {
    return { sentence: `The ${place} is locked by another process; try again in a moment.`, retryable: true }
  }
  return { sentence: `The ${place} cannot be used: ${message}.`, retryable: false }
}
