import { omitUndefined } from '../../shared/json.ts'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { TuttiError } from '../../domain/errors.ts'
import { assertStorable } from '../schemas.ts'

/** Of the protocol for resumable uploads, https://tus.io/protocols/resumable-upload. */
export const VERSION = '1.0.0'

/** Bytes stored at a time: the maximum that a client must send again after a crash of the server. */
const PIECE_BYTES = 524_288

/** An error response with its own status. */
export function tusError(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}

/** @throws an error with status 412 if the client uses another version */
export function assertVersion({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>): void {
  const version = headers['tus-resumable']
  if (method === 'OPTIONS' || version === undefined || version === VERSION) return
  throw tusError(412, `This server speaks tus ${VERSION}; send Tus-Resumable: ${VERSION}.`)
}

/** Parses a header that is a number of bytes. @throws TuttiError `InvalidRequest` */
export function numberOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  header: 'upload-length' | 'upload-offset',
): number {
  const value = headers[header]
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  const name = header === 'upload-length' ? 'Upload-Length' : 'Upload-Offset'
  throw new TuttiError('InvalidRequest', `The header ${name} has to be a number of bytes, 0 or more.`)
}

/** Parses the metadata of the file. @throws TuttiError `InvalidRequest` if the header is not valid */
export function metadataOf({
  headers,
}: Pick<FastifyRequest, 'headers'>): Readonly<Partial<Record<'filename' | 'fingerprint' | 'collection', string>>> {
  const pairs = String(headers['upload-metadata'] ?? '').split(',')
  const found: Partial<Record<string, string>> = {}
  for (const pair of pairs.map((one) => one.trim()).filter((one) => one !== '')) {
    const [, key, value = ''] = /^([^\s,]{1,100})(?: +([\w+/=-]*))?$/.exec(pair) ?? []
    if (key === undefined)
      throw new TuttiError(
        'InvalidRequest',
        'Upload-Metadata must be a list of names, each with a base64 value after a space.',
      )
    found[key] = Buffer.from(value, 'base64').toString()
  }
  const { filename, fingerprint, collection } = found
  assertStorable([fingerprint, collection])
  if ((fingerprint ?? '').length > 500)
    throw new TuttiError('InvalidRequest', 'A fingerprint has at most 500 characters.')
  return {
    ...omitUndefined({ filename, fingerprint, collection }),
  }
}

/**
 * Reads a body in pieces of half a megabyte. The buffer is reused: a piece is valid until the next one is read. If the
 * connection breaks, yields the bytes received before, then throws.
 * @param max maximum of bytes
 * @throws TuttiError `TooLarge` if there are more
 */
export async function* bodyChunks(body: IncomingMessage, max: number): AsyncGenerator<Buffer, void> {
  const tooMuch = new TuttiError('TooLarge', `Only ${max} bytes of this file are missing, but more were sent.`)
  if (Number(body.headers['content-length'] ?? 0) > max) throw tooMuch
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
  let buffered = 0
  let total = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > max) throw tooMuch
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(piece, buffered, at)
        at += copied
        buffered += copied
        if (buffered < PIECE_BYTES) continue
        yield piece
        buffered = 0
      }
    }
  } catch (thrown) {
    if (buffered > 0) yield piece.subarray(0, buffered)
    throw thrown instanceof TuttiError
      ? thrown
      : tusError(400, 'The connection broke. Ask for the offset of the upload and continue from there.')
  }
  if (buffered > 0) yield piece.subarray(0, buffered)
}
