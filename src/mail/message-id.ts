import { createHash } from 'node:crypto'

/**
 * The Message-ID for an idempotency key. It is deterministic, so that a mail can be found after a crash while sending.
 * The domain is that of the sender's address.
 */
export function messageIdForKey(key: string, from: string): string {
  return `<tutti.${keyDigest(key)}@${from.split('@').at(-1) ?? 'localhost'}>`
}

/** A name for the mail of this key, fit for file names. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}
