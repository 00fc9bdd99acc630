import type { FileBytes } from './parsing/file-bytes.ts'

/** The terms of this folder: what a file is parsed into, how it is cut, kept and found. */

export const DOCUMENT_TYPES = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'epub',
  'eml',
  'csv',
  'txt',
  'md',
  'html',
] as const
/** The same for people. */
export const READABLE = 'PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB, EML, CSV, TXT, MD and HTML'
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** A piece of a document's text that belongs together. Offsets are characters of `ParsedDocument.text`, `end` exclusive. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'table' | 'code'
  readonly start: number
  readonly end: number
  /** From 1; absent in formats without pages. A sheet of a workbook counts as a page. */
  readonly page?: number
  /** Of a heading, from 1. */
  readonly level?: number
}

/** A file as text, with what is known of its structure. Blocks are in order, do not overlap and cover all but white space. */
export interface ParsedDocument {
  readonly type: DocumentType
  readonly text: string
  readonly blocks: readonly Block[]
  readonly pages?: number
  readonly title?: string
  /** Day the document says it is from, ISO 8601. */
  readonly date?: string
  /** Plain sentences about what could not be read, such as a page without text. */
  readonly notes: readonly string[]
}

/** Where a page begins, in characters of `ParsedDocument.text`. */
export interface PageStart {
  readonly page: number
  readonly start: number
}

/** A passage as it is searched for and cited. `text` is exactly the document's text from `start` to `end`. */
export interface Chunk {
  readonly chunkId: string
  /** Place among the document's chunks, from 0. */
  readonly ordinal: number
  readonly text: string
  readonly start: number
  readonly end: number
  /** Where it begins. */
  readonly page?: number
  /** The pages that it continues to; absent where there are none, and in passages of before that was kept. */
  readonly pages?: readonly PageStart[]
  /** Headings above it, outermost first, joined by ` › `. */
  readonly section?: string
  /** The first chunk of its section; absent for that one itself. */
  readonly parentId?: string
  readonly kind: 'text' | 'table'
  readonly tokens: number
}

/** A document as it is listed. */
export interface DocumentRecord {
  readonly documentId: string
  /** Its name for readers: the file's name, or its path inside the folder that was added. */
  readonly name: string
  /** Where it was read from, in full; absent for an upload. Identifies it when it is added again, else `name` does. */
  readonly path?: string
  readonly type: DocumentType
  /** SHA-256 of the file, hex. */
  readonly hash: string
  /** Two or three sentences: what it is, what it covers. */
  readonly description: string
  /** What it speaks of, in a few words each. */
  readonly topics: readonly string[]
  readonly bytes: number
  readonly pages?: number
  readonly date?: string
  readonly chunks: number
  /** Chunks that have a vector of the current embedding model. */
  readonly embedded: number
  /** Milliseconds since the epoch. */
  readonly addedAt: number
  readonly notes: readonly string[]
}

/** What narrows a search. Absent parts do not narrow it; lists mean any of them. */
export interface SearchFilter {
  readonly types?: readonly DocumentType[]
  /** Days of the document's date, ISO 8601, both inclusive. */
  readonly from?: string
  readonly to?: string
  /** Words of the section's headings, in any case. */
  readonly section?: string
  readonly documentIds?: readonly string[]
  /** Words of the topics that documents are said to have. */
  readonly topic?: string
}

/** A chunk that was found, with its document. */
export interface Hit {
  readonly chunk: Chunk
  readonly document: Pick<DocumentRecord, 'documentId' | 'name' | 'type' | 'date'> & {
    /** A user sent it; absent for a file that was read from a path, whose content may change without anybody looking. */
    readonly isUpload?: true
  }
  /** From the method that found it; comparable within one search only. */
  readonly score: number
  /**
   * How much of the question's words the chunk holds, 0 to 1: rare words count more, and a word that no chunk has counts
   * as the rarest. Given by the lexical search, for the words as they were asked.
   */
  readonly coverage?: number
}

/**
 * Whose documents are meant: those of one owner, or of several together as if they were of one. The reader is told to the
 * database, which shows them nothing else where it has a wall of its own.
 */
export type Whose = string | { readonly reader: string; readonly owners: readonly string[] }

/**
 * Where one installation keeps its documents, for all owners. Every call names the owner; nothing of one owner, not even
 * a word count, has any effect on what another one gets.
 */
export interface KnowledgeStore {
  /**
   * Adds a document, whole or not at all. One of the same path (or, without path, name) is replaced; with the same
   * hash it is left as it is. Its text can be searched from then on.
   * @param original the file, where it is to be kept as well
   */
  put(
    owner: string,
    document: NewDocument,
    original?: FileBytes,
  ): Promise<{ readonly record: DocumentRecord; readonly isNew: boolean }>
  /** The ids of the owner's collections, see `collectionOwner`; of the shared ones without a name. */
  collections(owner: string): Promise<readonly string[]>
  /** Whether there is anything that a search could find. */
  holds(whose: Whose): Promise<boolean>
  /** Newest first. */
  documents(whose: Whose): Promise<readonly DocumentRecord[]>
  /** How many there are, by owner; whoever has none is absent. */
  counts(whose: Whose): Promise<ReadonlyMap<string, number>>
  /** Under whom documents lie, by their ids; those that are not there are absent. */
  placesOf(whose: Whose, documentIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  document(whose: Whose, documentId: string): Promise<DocumentRecord | undefined>
  /** Characters `start` to `end` of its text; undefined when they have no such document. */
  text(whose: Whose, documentId: string, start?: number, end?: number): Promise<string | undefined>
  chunks(whose: Whose, documentId: string, fromOrdinal?: number, toOrdinal?: number): Promise<readonly Chunk[]>
  /** Removes everything of it. False when the owner has no such document. */
  remove(owner: string, documentId: string): Promise<boolean>
  /**
   * Takes up a document of the owner, or of anybody, that has no description by a model yet. Nobody else is given it before
   * `until`, and nobody more often than a few times. Times are milliseconds since the epoch.
   */
  claimUndescribed(now: number, until: number, owner?: string): Promise<Undescribed | undefined>
  /** Ends a claim. Does nothing for a document that is gone. */
  settleDescription(owner: string, documentId: string, outcome: DescriptionOutcome): Promise<void>
  /** Chunks that lack a vector of this model, in order of their arrival. */
  unembedded(owner: string, model: string, limit: number): Promise<readonly Chunk[]>
  /** Keeps vectors, all of one length, by chunk id. Those of another model are dropped: one model at a time. */
  embed(owner: string, model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>
  /** Forgets all vectors of an owner, of whichever model. */
  dropVectors(owner: string): Promise<void>
  /** BM25, with pseudo-relevance feedback (RM3) unless `expand` is false. */
  lexical(whose: Whose, query: string, limit: number, filter?: SearchFilter, expand?: boolean): Promise<readonly Hit[]>
  /** Cosine similarity to vectors of this model. */
  dense(
    whose: Whose,
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: SearchFilter,
  ): Promise<readonly Hit[]>
  close(): Promise<void>
}

/** A document that somebody has taken up to describe it. */
export interface Undescribed {
  readonly owner: string
  readonly record: DocumentRecord
  /** Which try this is, from 1. */
  readonly tries: number
  /** Whether it is given to nobody again when this fails. */
  readonly isLastTry: boolean
}

/** What came of a claim: a description, or when to try again; `isUntried` when nothing was tried. */
export type DescriptionOutcome =
  | { readonly description: string; readonly topics: readonly string[] }
  | { readonly again: number; readonly isUntried?: boolean; readonly note?: string }

/** A parsed and cut document that is to be stored; the store gives it its id. */
export interface NewDocument extends Omit<DocumentRecord, 'documentId' | 'chunks' | 'embedded'> {
  /** No model is to describe it. */
  readonly isDescribed?: boolean
  readonly text: string
  readonly chunks: readonly Omit<Chunk, 'chunkId' | 'parentId'>[]
  /** By place: the ordinal of each chunk's parent, where it has one. */
  readonly parents: readonly (number | undefined)[]
}

/** Turns texts into vectors; made from an embedding model that the operator names. */
export interface Embedder {
  /** `provider:model`; vectors of different models are never mixed. */
  readonly model: string
  /** One vector a text, in order. @throws TuttiError `ModelError`, `ModelUnavailable` */
  embed(texts: readonly string[], purpose: 'query' | 'passage', signal?: AbortSignal): Promise<readonly Float32Array[]>
}

/** What is reported while a document is added. */
export interface IngestProgress {
  readonly name: string
  readonly stage:
    | 'reading'
    | 'parsing'
    | 'chunking'
    | 'storing'
    | 'embedding'
    | 'describing'
    | 'done'
    | 'unchanged'
    | 'removed'
    | 'skipped'
    | 'failed'
  /** Of the stage, 0 to 1, where it is known. */
  readonly done?: number
  readonly error?: string
}
