import { createHash, randomBytes } from 'node:crypto'

/** A token with 256 random bits, safe in URLs and headers. */
export function newToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Hash of a token, as the database keeps it. Without salt or stretching: 256 random bits cannot be guessed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
