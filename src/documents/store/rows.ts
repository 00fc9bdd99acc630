import type { Chunk, DocumentRecord, DocumentType, PageStart } from '../types.ts'

/** A row of `knowledge_documents`. */
export interface DocumentRow {
  readonly document_id: string
  readonly name: string
  readonly path: string | null
  readonly type: string
  readonly hash: string
  readonly description: string
  readonly topics: string
  readonly bytes: number
  readonly pages: number | null
  readonly date: string | null
  readonly added_at: number
  readonly notes: string
  readonly length: number
  readonly first_chunk: number
  readonly chunks: number
  readonly embedded: number
}

/** A row of `knowledge_chunks`. */
export interface ChunkRow {
  readonly chunk: number
  readonly document_id: string
  readonly ordinal: number
  readonly from_char: number
  readonly to_char: number
  readonly page: number | null
  /** JSON of `PageStart[]`. */
  readonly page_starts: string | null
  readonly section: string | null
  readonly parent: number | null
  readonly kind: string
  readonly tokens: number
}

export const CHUNK_COLUMNS =
  'chunk, document_id, ordinal, from_char, to_char, page, page_starts, section, parent, kind, tokens'

export function documentRecord(row: DocumentRow): DocumentRecord {
  return {
    documentId: row.document_id,
    name: row.name,
    ...(row.path === null ? {} : { path: row.path }),
    type: row.type as DocumentType,
    hash: row.hash,
    description: row.description,
    topics: JSON.parse(row.topics) as string[],
    bytes: row.bytes,
    ...(row.pages === null ? {} : { pages: row.pages }),
    ...(row.date === null ? {} : { date: row.date }),
    chunks: row.chunks,
    embedded: row.embedded,
    addedAt: row.added_at,
    notes: JSON.parse(row.notes) as string[],
  }
}

export function chunkOf(row: ChunkRow, text: string): Chunk {
  return {
    chunkId: chunkId(row.document_id, row.ordinal),
    ordinal: row.ordinal,
    text,
    start: row.from_char,
    end: row.to_char,
    ...(row.page === null ? {} : { page: row.page }),
    ...(row.page_starts === null ? {} : { pages: JSON.parse(row.page_starts) as PageStart[] }),
    ...(row.section === null ? {} : { section: row.section }),
    ...(row.parent === null ? {} : { parentId: chunkId(row.document_id, row.parent) }),
    kind: row.kind as Chunk['kind'],
    tokens: row.tokens,
  }
}

function chunkId(documentId: string, ordinal: number): string {
  return `${documentId}:${ordinal}`
}

/** Parses a chunk ID; undefined if it is invalid. */
export function parseChunkId(id: string): { readonly documentId: string; readonly ordinal: number } | undefined {
  const [, documentId, ordinal] = /^(.+):(\d{1,9})$/.exec(id) ?? []
  return documentId === undefined ? undefined : { documentId, ordinal: Number(ordinal) }
}
