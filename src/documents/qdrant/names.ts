import { createHash } from 'node:crypto'
import { TuttiError } from '../../domain/errors.ts'

/** Qdrant uses a collection's name for a folder, and a folder's name has at most 255 bytes. */
const MAX_NAME_BYTES = 255

/**
 * The collection of an owner, `user_{owner}_documents`. Lower-case ASCII letters, digits and `. _ @ -` are kept, any
 * other byte is written as `=xx`: on case-insensitive file systems two owners must not share a collection. If the name
 * is too long, its hash is used.
 * @throws TuttiError `InvalidRequest` for an unpaired surrogate, which has no UTF-8 bytes
 */
export function collectionName(owner: string): string {
  if (/\p{Cs}/u.test(owner)) throw new TuttiError('InvalidRequest', 'The owner of documents has a broken character.')
  const encoded = [...Buffer.from(owner)].map(encodeByte).join('')
  const name = `user_${encoded}_documents`
  // No encoded name holds "=s".
  return name.length <= MAX_NAME_BYTES
    ? name
    : `user_=sha256-${createHash('sha256').update(owner).digest('hex')}_documents`
}

function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  return /[a-z0-9._@-]/.test(character) ? character : `=${byte.toString(16).padStart(2, '0')}`
}

/** The id of a chunk's or a document's point: the same one every time, so that writing it again changes nothing. */
export function pointId(type: 'chunk' | 'document_entry', id: string): string {
  const bytes = createHash('sha256').update(`${type}:${id}`).digest().subarray(0, 16)
  // RFC 9562, version 8: a custom UUID.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
