import { randomUUID } from 'node:crypto'
import type { Role } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { insert, sql, type Script } from '../storage/sql/query.ts'
import type { Passwords } from './passwords.ts'
import { personOf, userOf, userWhere } from './account-changes.ts'
import type { Person } from './types.ts'
import { isPlainName } from '../shared/plain-name.ts'

export interface NewAccount {
  readonly username: string
  /** Absent if the user signs in with a provider, or gets a link to set one. */
  readonly password?: string
  readonly displayName?: string
}

type MadeAccount = Awaited<ReturnType<typeof prepareAccount>> & {
  readonly role: Role
  readonly subject?: string | undefined
}

const USERNAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u

/** Scripts with letters that look alike. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]
/** In characters. */
export const MAX_DISPLAY_NAME_LENGTH = 200
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function looksLikeAnother(username: string): boolean {
  return ID.test(username) || ALIKE.filter((script) => script.test(username)).length > 1
}

/**
 * A user who signs in with a provider never becomes admin by being the first: it could be anybody in the organisation.
 */
export function noAdminError(): TuttiError {
  return new TuttiError(
    'NotAllowed',
    'No accounts exist yet. The first one must be an admin; create it on this machine: tutti people add NAME --role admin',
  )
}

/**
 * Validates a new account and hashes its password.
 * @throws TuttiError `InvalidRequest` if the name is not valid or the password is weak
 */
export async function prepareAccount(account: NewAccount, passwords: Passwords, clock: Clock) {
  const username = account.username.normalize('NFKC').trim()
  if (!USERNAME.test(username)) {
    throw invalid('A username must have 1 to 64 letters, digits and . _ @ + -, and begin with a letter or digit.')
  }
  if (looksLikeAnother(username)) {
    throw invalid('A username must use one script and must not look like an ID. Choose another.')
  }
  const { displayName = username, password } = account
  return {
    userId: randomUUID(),
    username,
    displayName: displayName.trim() === '' ? username : validName('person', displayName, MAX_DISPLAY_NAME_LENGTH),
    password: password === undefined ? undefined : await passwords.hash(password, username),
    createdAt: clock.now(),
  }
}

/** Normalises a username for comparison. */
export function comparableUsername(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase()
}

/** @throws TuttiError `InvalidRequest` if the name is taken */
export function* addAccount(account: MadeAccount): Script<Person> {
  const knownBefore = yield* userWhere(sql`WHERE known_as = ${comparableUsername(account.username)}`)
  if (knownBefore !== undefined) {
    throw invalid(`The name "${account.username}" is taken. Choose another.`)
  }
  const { subject } = account
  if (subject !== undefined && (yield* userWhere(sql`WHERE subject = ${subject}`)) !== undefined) {
    throw invalid('This user already has an account.')
  }
  const fresh = { isDisabled: 0, failures: 0, lockedUntil: 0, knownAs: comparableUsername(account.username) }
  yield insert('users', { ...account, ...fresh })
  return personOf(yield* userOf(account.userId))
}

const MAX_NAME_LENGTH = 100

/** Whether a text is valid as a name of limited length. */
export function isName(text: string, max = MAX_NAME_LENGTH): boolean {
  const trimmed = text.trim()
  return trimmed !== '' && trimmed.length <= max && isPlainName(trimmed)
}

/** Normalises a name. @param what such as `collection` @throws TuttiError `InvalidRequest` if it is not valid */
export function validName(what: string, name: string, max = MAX_NAME_LENGTH): string {
  if (isName(name, max)) return name.trim()
  throw invalid(`The name of a ${what} must have 1 to ${max} characters, without control and direction characters.`)
}

function invalid(message: string): TuttiError {
  return new TuttiError('InvalidRequest', message)
}
