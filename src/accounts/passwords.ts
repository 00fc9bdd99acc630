import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TuttiError } from '../domain/errors.ts'
import { newToken } from './account-tokens.ts'

/** NIST SP 800-63B: require a minimum length, and no character classes. */
const MIN_PASSWORD_LENGTH = 10
/** Hashing longer passwords would allow denial of service. */
const MAX_PASSWORD_LENGTH = 256

/** The parameters that OWASP names for argon2id: 19 MB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One lower-case password a line, none shorter than `MIN_PASSWORD_LENGTH`. Source and licence: docs/licences.md. */
const COMMON_PASSWORDS = join(import.meta.dirname, '..', '..', 'assets', 'common-passwords.txt')

/** Whitespace and invisible characters are ignored when a password is compared with the common ones. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/gu

/** Hashes and verifies passwords with argon2id. */
export class Passwords {
  /** Verified against if there is no password, so that an unknown name takes as long as a known one. */
  private decoy: Promise<string> | undefined
  private common: Promise<ReadonlySet<string>> | undefined

  /** @throws TuttiError `InvalidRequest` if the password is too short, too long, common, or similar to the username */
  async hash(password: string, username: string): Promise<string> {
    const normalized = password.normalize('NFKC')
    const { length } = [...normalized]
    if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
      throw weak(`Choose a password of ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`)
    }
    if (
      normalized.toLowerCase().includes(username.normalize('NFKC').toLowerCase()) &&
      length - [...username].length < MIN_PASSWORD_LENGTH
    ) {
      throw weak('The password is too similar to the username. Choose another.')
    }
    this.common ??= readFile(COMMON_PASSWORDS, 'utf8').then((text) => new Set(text.split('\n')))
    if ((await this.common).has(normalized.toLowerCase().replace(INVISIBLE, ''))) {
      throw weak('This password is too common. Choose another.')
    }
    return (await import('@node-rs/argon2')).hash(normalized, COST)
  }

  /** Whether the password matches the hash. Takes as long if there is no hash. */
  async verify(password: string, kept: string | undefined): Promise<boolean> {
    const { hash, verify } = await import('@node-rs/argon2')
    this.decoy ??= hash(newToken(), COST)
    const isRight = await verify(
      kept ?? (await this.decoy),
      password.slice(0, MAX_PASSWORD_LENGTH * 4).normalize('NFKC'),
    )
    return isRight && kept !== undefined
  }
}

function weak(message: string): TuttiError {
  return new TuttiError('InvalidRequest', message)
}
