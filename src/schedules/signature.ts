import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Messages between programs as the Standard Webhooks have them: HMAC-SHA256 over id, time and body, so that none of them can be
 * changed, and what was sent once is known again. https://www.standardwebhooks.com
 */

const PREFIX = 'whsec_'
/** How far the clocks of sender and receiver may be apart. */
const TOLERANCE_MS = 5 * 60_000

export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

/** The headers of a message. */
export function signed(secret: string, id: string, now: number, body: string): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000))
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${digestOf(secret, id, seconds, body)}`,
  }
}

/** Whether a message was signed with the secret, not long ago. */
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
