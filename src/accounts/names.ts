import { TuttiError } from '../domain/errors.ts'
import { isPlainName } from '../shared/plain-name.ts'

const LONGEST = 100

/** Whether a text can be kept as a name, of so many characters at most. */
export function isName(text: string, most = LONGEST): boolean {
  const trimmed = text.trim()
  return trimmed !== '' && trimmed.length <= most && isPlainName(trimmed)
}

/** A name as it is kept. @param what such as `collection` @throws TuttiError `InvalidRequest` for one that is none */
export function validName(what: string, name: string, most = LONGEST): string {
  if (isName(name, most)) return name.trim()
  throw new TuttiError(
    'InvalidRequest',
    `The name of a ${what} has 1 to ${most} characters, without control characters and marks of direction.`,
  )
}
