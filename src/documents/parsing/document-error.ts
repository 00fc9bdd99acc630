import { TuttiError } from '../../domain/errors.ts'

/** A file that cannot be taken in. The message is one sentence that names the file and says what to do. */
export function documentError(message: string, cause?: unknown): TuttiError {
  return new TuttiError('DocumentError', message, cause === undefined ? {} : { cause })
}

const BINARY_UNITS = ['bytes', 'kB', 'MB', 'GB'] as const

/** `150 MB`; decimal units. */
export function sizeInWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(BINARY_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** step
  return `${amount < 10 && step > 0 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${BINARY_UNITS[step]}`
}

/** `20,000,000`. */
export function countInWords(count: number): string {
  return count.toLocaleString('en-US')
}
