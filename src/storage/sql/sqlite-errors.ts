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
  const { sentence, retryable } = explain(code, message, path, `${what} ${path}`)
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

function explain(code: string, message: string, path: string, place: string): { sentence: string; retryable: boolean } {
  const give = (sentence: string, retryable = false) => ({ sentence, retryable })
  if (code === 'EACCES' || code === 'EPERM') {
    return give(`No permission to write the ${place}: give this user the right, or choose another data folder.`)
  }
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY')) {
    return give(`The ${place} is on a read-only disk or is write-protected: choose another data folder.`)
  }
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') {
    return give(`The disk of the ${place} is full, and nothing was written: free some space, then try again.`)
  }
  if (code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOENT') {
    return give(
      `The folder of the ${place} cannot be created: part of the path is a file, or this user may not write there.`,
    )
  }
  if (code === 'EISDIR') {
    return give(`The ${place} is a folder: name a file, or move the folder away.`)
  }
  if (code === 'SQLITE_NOTADB') {
    return give(`The file ${path} is not a SQLite database: move it away, or choose another data folder.`)
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return give(`The ${place} is damaged (${message}): restore it from a backup, or move it away and start afresh.`)
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return give(`The ${place} is locked by another process; try again in a moment.`, true)
  }
  if (message.includes(CANNOT_OPEN)) {
    return give(`The ${place} cannot be opened: check that its folder exists and may be written.`)
  }
  return give(`The ${place} reports: ${message}.`)
}
