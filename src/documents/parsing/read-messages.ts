import type { CutDocument } from '../chunking/chunk.ts'
import type { DocumentType } from '../types.ts'

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

/** Text in pieces, chunks in batches, then the facts; or a problem at any time. */
export type ReadMessage =
  | { readonly text: string }
  | { readonly stage: 'chunking' }
  | { readonly chunks: readonly SentChunk[] }
  | { readonly facts: DocumentFacts }
  | { readonly error: string }
