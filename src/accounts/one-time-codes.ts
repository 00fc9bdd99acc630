import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 6238 as used by authenticator apps: six digits, SHA-1, a new code every 30 seconds. */
const STEP_MS = 30_000
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A secret for an authenticator app, 160 bits in base 32. */
export function newTotpSecret(): string {
  return [...randomBytes(32)].map((byte) => ALPHABET[byte % 32]).join('')
}

/** URI for the authenticator app, usually shown as a QR code. */
export function secretUri(secret: string, username: string): string {
  return `otpauth://totp/Tutti:${encodeURIComponent(username)}?secret=${secret}&issuer=Tutti`
}

/** The code for a secret at a time. */
export function codeAt(secret: string, now: number): string {
  return codeOf(keyOf(secret), Math.floor(now / STEP_MS))
}

/**
 * The time step of a code: the present one or, since clocks differ, the previous or next one. Undefined for a wrong
 * code, and for one that was used already, at `lastStep` or before.
 */
export function matchingStep(code: string, secret: string, now: number, lastStep = -1): number | undefined {
  const entered = Buffer.from(
    code
      .replaceAll(/\s/g, '')
      .padEnd(DIGITS)
      .slice(0, 2 * DIGITS),
  )
  const present = Math.floor(now / STEP_MS)
  const key = keyOf(secret)
  return [present, present - 1, present + 1].find((step) => {
    const right = Buffer.from(codeOf(key, step))
    return step > lastStep && entered.length === right.length && timingSafeEqual(entered, right)
  })
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function keyOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
}
