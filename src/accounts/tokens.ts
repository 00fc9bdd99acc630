import { createHash, randomBytes } from 'node:crypto'

/** 256 bits that nobody guesses, fit for URLs and headers. */
export function newToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** What is kept of a token. Without salt or stretching: nothing is to be tried that has 256 random bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
