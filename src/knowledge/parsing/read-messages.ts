import type { CutDocument } from '../chunking/chunk.ts'
import type { DocumentType } from '../types.ts'
import type { ReadLimits } from './limits.ts'

/** What the process that reads a file is told at its start; the file comes through its standard input. */
export interface ReadOrder {
  readonly name: string
  readonly limits: ReadLimits
}

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

/** In this order: text in pieces, chunks in batches, then the facts; or trouble at any time. */
export type ReadMessage =
  | { readonly text: string }
  | { readonly stage: 'chunking' }
  | { readonly chunks: readonly SentChunk[] }
  | { readonly facts: DocumentFacts }
  | { readonly trouble: string }
