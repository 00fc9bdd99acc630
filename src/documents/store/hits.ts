import type { ScoredChunk } from '../search/top-k.ts'
import type { Chunk, DocumentType, Hit } from '../types.ts'
import { CHUNK_COLUMNS, chunkOf, type ChunkRow, type DocumentRow } from './rows.ts'
import { chunkOfKey, ownerOfKey, vectorKey } from './schema.ts'
import { allIn, type Sql } from './sql.ts'
import { readSpans } from './texts.ts'

interface Found extends Chunk {
  readonly documentId: string
}

/** Chunks with their texts by key, see `vectorKey`. */
async function loadChunks(sql: Sql, keys: readonly number[]): Promise<ReadonlyMap<number, Found>> {
  const found = new Map<number, Found>()
  for (const ownerId of new Set(keys.map(ownerOfKey))) {
    const chunks = keys.filter((key) => ownerOfKey(key) === ownerId).map(chunkOfKey)
    const rows = await allIn<ChunkRow>(
      sql,
      (marks) => `SELECT ${CHUNK_COLUMNS} FROM knowledge_chunks WHERE owner_id = ? AND chunk IN (${marks})`,
      chunks,
      [ownerId],
    )
    for (const [row, chunk] of await withTexts(sql, rows)) {
      found.set(vectorKey(ownerId, row.chunk), { ...chunk, documentId: row.document_id })
    }
  }
  return found
}

/** Rows with their chunks. */
export async function withTexts(sql: Sql, rows: readonly ChunkRow[]): Promise<[ChunkRow, Chunk][]> {
  const texts = await readSpans(
    sql,
    rows.map((row) => ({ documentId: row.document_id, start: row.from_char, end: row.to_char })),
  )
  return rows.map((row, place) => [row, chunkOf(row, texts[place]!)])
}

/** Reads the hits with text and document, in the given order. */
export async function readHits(sql: Sql, scored: readonly (ScoredChunk & Pick<Hit, 'coverage'>)[]): Promise<Hit[]> {
  const chunks = await loadChunks(
    sql,
    scored.map(({ chunk }) => chunk),
  )
  const ids = [...new Set([...chunks.values()].map(({ documentId }) => documentId))]
  const rows = await allIn<Pick<DocumentRow, 'document_id' | 'name' | 'type' | 'date' | 'path'>>(
    sql,
    (marks) => `SELECT document_id, name, type, date, path FROM knowledge_documents WHERE document_id IN (${marks})`,
    ids,
  )
  const documents = new Map<string, Hit['document']>()
  for (const { document_id, name, type, date, path } of rows) {
    documents.set(document_id, {
      documentId: document_id,
      name,
      type: type as DocumentType,
      ...(date === null ? {} : { date }),
      ...(path === null ? { isUpload: true } : {}),
    })
  }
  return scored.flatMap(({ chunk, ...figures }) => {
    const found = chunks.get(chunk)
    if (found === undefined) return []
    const { documentId, ...rest } = found
    const document = documents.get(documentId)
    return document === undefined ? [] : [{ chunk: rest, document, ...figures }]
  })
}
