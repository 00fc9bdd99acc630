import { TuttiError } from '../core/errors.ts'
import { isPlainName } from '../core/plain-name.ts'

/** A name as it is kept. @param what such as `collection` @throws TuttiError `InvalidRequest` for one that is none */
export function named(what: string, name: string): string {
  const trimmed = name.trim()
  if (trimmed !== '' && trimmed.length <= 100 && isPlainName(trimmed)) return trimmed
  throw new TuttiError(
    'InvalidRequest',
    `The name of a ${what} has 1 to 100 characters, without control characters and marks of direction.`,
  )
}
