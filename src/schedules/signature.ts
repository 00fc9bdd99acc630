import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Signed messages as in Standard Webhooks: HMAC-SHA256 over ID, time and body, which therefore cannot be changed.
 * Receivers recognise repeated messages by the ID. https://www.standardwebhooks.com
 */

const PREFIX = 'whsec_'
/** Maximum difference between the clocks of sender and receiver. */
const TOLERANCE_MS = 5 * 60_000

export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

/** Headers of a signed message. */
export function signed(secret: string, id: string, now: number, body: string): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000))
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${digestOf(secret, id, seconds, body)}`,
  }
}

/** Whether a message has a valid and recent signature. */
export function isSigned(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  now: number,
  body: string,
): boolean {
  const [id, seconds, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  if (!/^\d{1,12}$/.test(seconds!) || Math.abs(Number(seconds) * 1_000 - now) > TOLERANCE_MS) return false
  const expected = Buffer.from(`v1,${digestOf(secret, id!, seconds!, body)}`)
  return signatures!.split(' ').some((given) => {
    const bytes = Buffer.from(given)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}

function digestOf(secret: string, id: string, seconds: string, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
}
