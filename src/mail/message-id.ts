import { createHash } from 'node:crypto'

/**
 * The Message-ID of the mail with this idempotency key: always the same, so that a mail whose sending was cut off by a
 * crash can be found. The domain is that of the sender's address.
 */
export function messageIdForKey(key: string, from: string): string {
  return `<tutti.${keyDigest(key)}@${from.split('@').at(-1) ?? 'localhost'}>`
}

/** A name for the mail of this key, fit for file names. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}
