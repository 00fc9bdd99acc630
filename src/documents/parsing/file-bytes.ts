import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** A file on disk, which is read piece by piece whenever its content is needed. */
export interface OnDisk {
  readonly at: string
  /** Bytes. */
  readonly length: number
}

/** What is in a file: in memory, or where it lies. */
export type FileBytes = Buffer | OnDisk

/** A file on its way to a parser, with its name for readers. */
export interface NamedBytes {
  readonly name: string
  readonly bytes: FileBytes
}

/** Hashing this much takes a few milliseconds; in between, other work gets its turn. */
const PIECE_BYTES = 1_000_000

/** The content in order, from the beginning each time; of a file that has grown no more than its length. */
export async function* readChunks(bytes: FileBytes): AsyncGenerator<Buffer, void> {
  if (Buffer.isBuffer(bytes)) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
  } else if (bytes.length > 0) {
    yield* createReadStream(bytes.at, { end: bytes.length - 1, highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>
  }
}

/** All of it at once, for what is known to be small. */
export function readAllBytes(bytes: FileBytes): Promise<Buffer> | Buffer {
  return Buffer.isBuffer(bytes) ? bytes : readFile(bytes.at)
}
