import type { FileBytes } from './parsing/file-bytes.ts'

/** Types of this folder: parsed files, chunks, the store and search results. */

export const DOCUMENT_TYPES = ['pdf', 'docx', 'xlsx', 'csv', 'txt', 'md', 'html'] as const
/** File types for display. */
export const READABLE = 'PDF, DOCX, XLSX, CSV, TXT, MD and HTML'
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** A structural unit of a document's text. Offsets are characters of `ParsedDocument.text`, `end` exclusive. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'table' | 'code'
  readonly start: number
  readonly end: number
  /** Page number from 1; absent in formats without pages. A sheet of a workbook counts as a page. */
  readonly page?: number
  /** Level of a heading, from 1. */
  readonly level?: number
}

/** The text of a file with its structure. Blocks are in order, do not overlap and cover everything but whitespace. */
export interface ParsedDocument {
  readonly type: DocumentType
  readonly text: string
  readonly blocks: readonly Block[]
  readonly pages?: number
  readonly title?: string
  /** Date given in the document, ISO 8601. */
  readonly date?: string
  /** Sentences about parts that could not be read, such as a page without text. */
  readonly notes: readonly string[]
}

/** The start of a page, in characters of `ParsedDocument.text`. */
export interface PageStart {
  readonly page: number
  readonly start: number
}

/** A passage for search and citation. `text` equals the document's text from `start` to `end`. */
export interface Chunk {
  readonly chunkId: string
  /** Index among the document's chunks, from 0. */
  readonly ordinal: number
  readonly text: string
  readonly start: number
  readonly end: number
  /** Page on which it starts. */
  readonly page?: number
  /** Further pages of the passage; absent if there are none, and for passages stored by older versions. */
  readonly pages?: readonly PageStart[]
  /** Headings above it, outermost first, joined by ` › `. */
  readonly section?: string
  /** The first chunk of its section; absent for that chunk itself. */
  readonly parentId?: string
  readonly kind: 'text' | 'table'
  readonly tokens: number
}

/** A document in a list. */
export interface DocumentRecord {
  readonly documentId: string
  /** Display name: the file name, or the path inside the added folder. */
  readonly name: string
  /**
   * Absolute path of its source; absent for an upload. It identifies the document when it is added again; without a
   * path, `name` does.
   */
  readonly path?: string
  readonly type: DocumentType
  /** SHA-256 of the file, hex. */
  readonly hash: string
  /** Two or three sentences: what the document is and what it covers. */
  readonly description: string
  /** Topics, a few words each. */
  readonly topics: readonly string[]
  readonly bytes: number
  readonly pages?: number
  readonly date?: string
  readonly chunks: number
  /** Number of chunks with a vector of the current embedding model. */
  readonly embedded: number
  /** Milliseconds since the epoch. */
  readonly addedAt: number
  readonly notes: readonly string[]
}

/** Search filter. Absent fields do not restrict the search; lists match any of their values. */
export interface SearchFilter {
  readonly types?: readonly DocumentType[]
  /** Range of the document's date, ISO 8601, both inclusive. */
  readonly from?: string
  readonly to?: string
  /** Words of the section's headings, case-insensitive. */
  readonly section?: string
  readonly documentIds?: readonly string[]
  /** Words of the documents' topics. */
  readonly topic?: string
}

/** A matching chunk with its document. */
export interface Hit {
  readonly chunk: Chunk
  readonly document: Pick<DocumentRecord, 'documentId' | 'name' | 'type' | 'date'> & {
    /** True for an upload by a user; absent for a file read from a path, whose content may change unnoticed. */
    readonly isUpload?: true
  }
  /** Score of the search method; comparable only within one search. */
  readonly score: number
  /**
   * Share of the question's words in the chunk, 0 to 1, weighted by rarity. Words that occur in no chunk count as the
   * rarest. Set by the lexical search.
   */
  readonly coverage?: number
}

/**
 * The owner or owners whose documents are used; several are treated as one. The reader is passed to the database, which
 * hides all other rows if it supports row-level security.
 */
export type OwnerScope = string | { readonly reader: string; readonly owners: readonly string[] }

/**
 * The document store of an installation, for all owners. Every call names the owner; data of one owner, even word
 * counts, never affects the results of another.
 */
export interface KnowledgeStore {
  /**
   * Adds a document atomically. Replaces a document of the same path (or, without path, name); does nothing if the hash
   * is equal. Its text can be searched afterwards.
   * @param original the file, if it must be stored, too
   */
  put(
    owner: string,
    document: NewDocument,
    original?: FileBytes,
  ): Promise<{ readonly record: DocumentRecord; readonly isNew: boolean }>
  /** IDs of the owner's collections, see `collectionOwner`; for shared ones without a name. */
  collections(owner: string): Promise<readonly string[]>
  /** Whether there is any document to search. */
  holds(scope: OwnerScope): Promise<boolean>
  /** Newest first. */
  documents(scope: OwnerScope): Promise<readonly DocumentRecord[]>
  /** Number of documents by owner; owners without documents are absent. */
  counts(scope: OwnerScope): Promise<ReadonlyMap<string, number>>
  /** Owners by document ID; unknown documents are absent. */
  placesOf(scope: OwnerScope, documentIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  document(scope: OwnerScope, documentId: string): Promise<DocumentRecord | undefined>
  /** Characters `start` to `end` of its text; undefined if they have no such document. */
  text(scope: OwnerScope, documentId: string, start?: number, end?: number): Promise<string | undefined>
  chunks(scope: OwnerScope, documentId: string, fromOrdinal?: number, toOrdinal?: number): Promise<readonly Chunk[]>
  /** Removes all data of a document. Returns false if the owner has no such document. */
  remove(owner: string, documentId: string): Promise<boolean>
  /** Replaces description and topics of a document. Does nothing if the document no longer exists. */
  describe(owner: string, documentId: string, described: Described): Promise<void>
  /** Chunks without a vector of this model, in order of arrival. */
  unembedded(owner: string, model: string, limit: number): Promise<readonly Chunk[]>
  /** Stores vectors of one size by chunk ID. Vectors of another model are dropped: only one model is used at a time. */
  embed(owner: string, model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>
  /** Deletes all vectors of an owner, of any model. */
  dropVectors(owner: string): Promise<void>
  /** BM25. */
  lexical(scope: OwnerScope, query: string, limit: number, filter?: SearchFilter): Promise<readonly Hit[]>
  /** Cosine similarity to vectors of this model. */
  dense(
    scope: OwnerScope,
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: SearchFilter,
  ): Promise<readonly Hit[]>
  close(): Promise<void>
}

/** Description and topics of a document. */
export type Described = Pick<DocumentRecord, 'description' | 'topics'>

/** A parsed and chunked document to store; the store assigns its ID. */
export interface NewDocument extends Omit<DocumentRecord, 'documentId' | 'chunks' | 'embedded'> {
  readonly text: string
  readonly chunks: readonly Omit<Chunk, 'chunkId' | 'parentId'>[]
  /** For each chunk, the ordinal of its parent, if it has one. */
  readonly parents: readonly (number | undefined)[]
}

/** Creates vectors of texts with the embedding model that the operator configures. */
export interface Embedder {
  /** `provider:model`; vectors of different models are never mixed. */
  readonly model: string
  /**
   * Returns one vector per text, in order.
   * @throws TuttiError `ModelError`, `ModelUnavailable`
   */
  embed(texts: readonly string[], purpose: 'query' | 'passage', signal?: AbortSignal): Promise<readonly Float32Array[]>
}

/** Progress while a document is added. */
export interface IngestProgress {
  readonly name: string
  readonly stage: 'reading' | 'parsing' | 'chunking' | 'storing' | 'embedding' | 'done' | 'unchanged' | 'failed'
  /** Progress of the stage, 0 to 1, if known. */
  readonly done?: number
  readonly error?: string
}
