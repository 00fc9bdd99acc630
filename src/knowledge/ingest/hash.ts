import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** Hashing this much takes a few milliseconds; in between, other work gets its turn. */
const PIECE_BYTES = 4_000_000

/** SHA-256 in hex. A large file does not block the process. */
export async function hashOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    hash.update(bytes.subarray(at, at + PIECE_BYTES))
    await setImmediate()
  }
  return hash.digest('hex')
}
