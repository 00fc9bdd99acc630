import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { piecesOf, type FileBytes } from '../parsing/file-bytes.ts'

/** SHA-256 in hex. A large file does not block the process, and one on disk is not held in memory. */
export async function hashOf(bytes: FileBytes): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of piecesOf(bytes)) {
    hash.update(piece)
    await setImmediate()
  }
  return hash.digest('hex')
}
