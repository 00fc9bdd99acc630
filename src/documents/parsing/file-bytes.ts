import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** A file on disk, read in chunks whenever its content is needed. */
export interface OnDisk {
  readonly at: string
  /** Bytes. */
  readonly length: number
}

/** Content of a file, in memory or on disk. */
export type FileBytes = Buffer | OnDisk

/** A file for a parser, with its display name. */
export interface NamedBytes {
  readonly name: string
  readonly bytes: FileBytes
}

/** Chunk size. Hashing it takes a few milliseconds; other work runs in between. */
const PIECE_BYTES = 1_000_000

/**
 * Yields the content in order, from the start on each call. If the file has grown, only the original length is read.
 */
export async function* readChunks(bytes: FileBytes): AsyncGenerator<Buffer, void> {
  if (Buffer.isBuffer(bytes)) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
  } else if (bytes.length > 0) {
    yield* createReadStream(bytes.at, { end: bytes.length - 1, highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>
  }
}

/** Reads a small file as a whole. */
export function readAllBytes(bytes: FileBytes): Promise<Buffer> | Buffer {
  return Buffer.isBuffer(bytes) ? bytes : readFile(bytes.at)
}
