import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TuttiError } from '../domain/errors.ts'
import { newToken } from './tokens.ts'

/** NIST SP 800-63B: length counts, and rules of which characters do not. */
const SHORTEST = 10
/** Longer ones would let anybody keep the machine busy. */
const LONGEST = 256

/** The parameters that OWASP names for argon2id: 19 MB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One lower-case password a line, none shorter than `SHORTEST`. Source and licence: docs/licences.md. */
const COMMON_PASSWORDS = join(import.meta.dirname, '..', '..', 'assets', 'common-passwords.txt')

/** Blanks, and characters that are not seen at all, make a common password no better. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/gu

/** Makes and checks what is kept of passwords, by argon2id. */
export class Passwords {
  /** Checked against where there is no password, so that an unknown name takes as long as a known one. */
  private decoy: Promise<string> | undefined
  private common: Promise<ReadonlySet<string>> | undefined

  /** @throws TuttiError `InvalidRequest` for one that is too short, too long, common, or the name itself */
  async hash(password: string, username: string): Promise<string> {
    const normalized = password.normalize('NFKC')
    const { length } = [...normalized]
    if (length < SHORTEST || length > LONGEST) {
      throw new TuttiError('InvalidRequest', `Choose a password of ${SHORTEST} to ${LONGEST} characters.`)
    }
    if (
      normalized.toLowerCase().includes(username.normalize('NFKC').toLowerCase()) &&
      length - [...username].length < SHORTEST
    ) {
      throw new TuttiError('InvalidRequest', 'The password is little more than the name; take another one.')
    }
    this.common ??= readFile(COMMON_PASSWORDS, 'utf8').then((text) => new Set(text.split('\n')))
    if ((await this.common).has(normalized.toLowerCase().replace(INVISIBLE, ''))) {
      throw new TuttiError(
        'InvalidRequest',
        'This password is a common one, which attackers try first; choose another.',
      )
    }
    return (await import('@node-rs/argon2')).hash(normalized, COST)
  }

  /** Whether it is the one that was hashed. Takes as long when there is none. */
  async verify(password: string, kept: string | undefined): Promise<boolean> {
    const { hash, verify } = await import('@node-rs/argon2')
    this.decoy ??= hash(newToken(), COST)
    const isRight = await verify(kept ?? (await this.decoy), password.slice(0, LONGEST * 4).normalize('NFKC'))
    return isRight && kept !== undefined
  }
}
