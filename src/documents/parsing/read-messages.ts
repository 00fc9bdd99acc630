import type { CutDocument } from '../chunking/chunk.ts'
import type { DocumentType } from '../types.ts'

/**
 * Header of a file on the reader's standard input: the lengths of its name and its content, four bytes each, then the
 * name.
 */
export function frameOf(name: string, size: number): Buffer {
  const text = Buffer.from(name)
  const lengths = Buffer.alloc(FRAME_BYTES)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(size, 4)
  return Buffer.concat([lengths, text])
}

export const FRAME_BYTES = 8

/** File descriptor for the answer, one JSON message per line. */
export const ANSWER_DESCRIPTOR = 3

/** A passage in transit; its text is cut from the document's text on arrival. */
export type SentChunk = Omit<CutDocument['chunks'][number], 'text' | 'ordinal'> & { readonly parent?: number }

/** Properties of a file, besides its text and passages. */
export interface DocumentFacts {
  readonly type: DocumentType
  readonly pages?: number
  readonly title?: string
  /** Date given in the document, ISO 8601. */
  readonly date?: string
  readonly notes: readonly string[]
  /** The first headings, in order. */
  readonly headings: readonly string[]
}

/** For each file: text in pieces, chunks in batches, then the facts; or a problem at any time. */
export type ReadMessage =
  | { readonly text: string }
  | { readonly stage: 'chunking' }
  | { readonly chunks: readonly SentChunk[] }
  | { readonly facts: DocumentFacts }
  | { readonly trouble: string }
