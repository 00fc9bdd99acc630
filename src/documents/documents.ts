import type { Ingestor } from './ingest/ingestor.ts'
import type { Retriever } from './search/retriever.ts'
import type { KnowledgeStore } from './types.ts'

/** The documents of one installation: where they are kept, how they get there, how they are found. */
export interface Knowledge extends Retriever {
  readonly store: KnowledgeStore
  readonly ingest: Ingestor
}
