import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { requestBlocked } from './errors.ts'
import type { HttpResponse } from './client.ts'

/** A body over the size limit with a higher compression ratio is a decompression bomb. Deflate reaches 1032 at most. */
const MAX_COMPRESSION_RATIO = 100

interface ReadBody {
  readonly bytes: Uint8Array
  /** Whether the body was longer than the limit. The rest was not fetched. */
  readonly truncated: boolean
}

/**
 * Reads a body up to `maxBytes` after decompression. A longer one is cut, and the connection is closed.
 * @throws TuttiError `HttpRequestError` for an unknown or repeated encoding, and for a decompression bomb
 */
export async function readBody(body: Readable, encoding: string | undefined, maxBytes: number): Promise<ReadBody> {
  const decoded = decode(body, encoding)
  const chunks: Uint8Array[] = []
  let total = 0
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      total += chunk.length
      if (total <= maxBytes) continue
      // `bytesWritten` is the number of compressed bytes consumed so far.
      if ('bytesWritten' in decoded && total > Number(decoded.bytesWritten) * MAX_COMPRESSION_RATIO) {
        throw requestBlocked(
          'decompression',
          `The answer grows more than ${MAX_COMPRESSION_RATIO} times when it is unpacked.`,
        )
      }
      return { bytes: joined(chunks, maxBytes), truncated: true }
    }
    return { bytes: joined(chunks, total), truncated: false }
  } finally {
    decoded.destroy()
    // Destroying the stream raises an abort error that nobody handles.
    body.on('error', () => undefined).destroy()
  }
}

function decode(body: Readable, encoding: string | undefined): Readable {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const applied = names.filter((name) => name !== '' && name !== 'identity')
  if (applied.length > 1) throw requestBlocked('encoding', `The answer is packed ${applied.length} times over.`)
  const [name] = applied
  if (name === undefined) return body
  const unpack = unpackerOf(name)
  body.on('error', (error) => unpack.destroy(error))
  return body.pipe(unpack)
}

function unpackerOf(name: string): ReturnType<typeof createGunzip> {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'deflate') return createInflate()
  if (name === 'br') return createBrotliDecompress()
  throw requestBlocked('encoding', `The answer is packed as "${name}", which was not asked for.`)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  return Buffer.concat(chunks).subarray(0, length)
}

/** Media type of a response without parameters, in lower case; empty if the server sent none. */
export function mediaTypeOf({ headers }: Pick<HttpResponse, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

/** The body as text in the declared encoding, else UTF-8. Invalid bytes become U+FFFD. */
export function bodyText({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): string {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder('utf-8').decode(body) // a charset that nobody knows
  }
}
