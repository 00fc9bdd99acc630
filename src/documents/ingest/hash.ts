import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { readChunks, type FileBytes } from '../parsing/file-bytes.ts'

/** Counted up when files are read differently, so that known ones are read again when they are added again. */
const READER_VERSION = '3'

/** SHA-256 in hex of a file and the version of its reader. A large file does not block the process, and one on disk is not held in memory. */
export async function hashFile(bytes: FileBytes): Promise<string> {
  const hash = createHash('sha256').update(READER_VERSION)
  for await (const piece of readChunks(bytes)) {
    hash.update(piece)
    await setImmediate()
  }
  return hash.digest('hex')
}
