import type { CutDocument } from '../chunking/chunk.ts'
import type { DocumentType } from '../types.ts'

/**
 * What comes before a file on the reader's standard input: the lengths of its name and of its content, four bytes each, and
 * the name.
 */
export function frameOf(name: string, size: number): Buffer {
  const text = Buffer.from(name)
  const lengths = Buffer.alloc(FRAME_BYTES)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(size, 4)
  return Buffer.concat([lengths, text])
}

export const FRAME_BYTES = 8

/** Where its answer goes, one message in JSON a line. */
export const ANSWER_DESCRIPTOR = 3

/** A passage on its way; its text is cut from the document's on arrival. */
export type SentChunk = Omit<CutDocument['chunks'][number], 'text' | 'ordinal'> & { readonly parent?: number }

/** What is known of a file besides its text and its passages. */
export interface DocumentFacts {
  readonly type: DocumentType
  readonly pages?: number
  readonly title?: string
  /** Day the document says it is from, ISO 8601. */
  readonly date?: string
  readonly notes: readonly string[]
  /** The first headings, in order. */
  readonly headings: readonly string[]
}

/** Of each file in this order: text in pieces, chunks in batches, then the facts; or trouble at any time. */
export type ReadMessage =
  | { readonly text: string }
  | { readonly stage: 'chunking' }
  | { readonly chunks: readonly SentChunk[] }
  | { readonly facts: DocumentFacts }
  | { readonly trouble: string }
