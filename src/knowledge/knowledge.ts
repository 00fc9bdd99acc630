import type { Ingestor } from './ingest/ingestor.ts'
import type { Hit, KnowledgeStore, SearchFilter } from './types.ts'

export interface KnowledgeSearchOptions {
  readonly filter?: SearchFilter
  /** Passages at most. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

export interface FoundPassages {
  /** Best first. */
  readonly hits: readonly Hit[]
  /** Plain sentences on how it was searched, such as that no embedding model is configured. */
  readonly notes: readonly string[]
}

/** The documents of one installation: where they are kept, how they get there, how they are found. */
export interface Knowledge {
  readonly store: KnowledgeStore
  readonly ingest: Ingestor
  /** The passages of an owner's documents that answer a question. */
  search(owner: string, question: string, options: KnowledgeSearchOptions): Promise<FoundPassages>
}
