import { TuttiError } from '../domain/errors.ts'
import { isPlainName } from '../shared/plain-name.ts'

const MAX_NAME_LENGTH = 100

/** Whether a text is valid as a name of limited length. */
export function isName(text: string, max = MAX_NAME_LENGTH): boolean {
  const trimmed = text.trim()
  return trimmed !== '' && trimmed.length <= max && isPlainName(trimmed)
}

/** Normalises a name. @param what such as `collection` @throws TuttiError `InvalidRequest` if it is not valid */
export function validName(what: string, name: string, max = MAX_NAME_LENGTH): string {
  if (isName(name, max)) return name.trim()
  throw new TuttiError(
    'InvalidRequest',
    `The name of a ${what} has 1 to ${max} characters, without control characters and marks of direction.`,
  )
}
