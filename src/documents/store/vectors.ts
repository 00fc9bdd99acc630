import { TuttiError } from '../../domain/errors.ts'
import type { Chunk } from '../types.ts'
import { withTexts } from './hits.ts'
import { findOwner, type OwnerRow } from './owners.ts'
import { addEmbeddings, removeEmbeddings } from './pgvector.ts'
import { CHUNK_COLUMNS, parseChunkId, type ChunkRow } from './rows.ts'
import { chunkOfKey, vectorKey, vectorKeySql } from './schema.ts'
import { allIn, insertRows, type Sql } from './sql.ts'

/** Chunks without a vector of this model, in order of their arrival; see `KnowledgeStore.unembedded`. */
export async function findUnembedded(sql: Sql, owner: OwnerRow, model: string, limit: number): Promise<Chunk[]> {
  const isCurrent = owner.embedding_model === model
  const rows = await sql.all<ChunkRow>(
    `SELECT ${CHUNK_COLUMNS.split(', ')
      .map((column) => `c.${column}`)
      .join(', ')}
     FROM knowledge_documents d
     JOIN knowledge_chunks c ON c.owner_id = d.owner_id AND c.chunk >= d.first_chunk AND c.chunk < d.first_chunk + d.chunks
     WHERE d.owner_id = ? ${
       isCurrent
         ? `AND d.embedded < d.chunks AND NOT EXISTS
              (SELECT 1 FROM knowledge_vectors v WHERE v.vector_key = ${vectorKeySql('c.owner_id', 'c.chunk')})`
         : ''
     }
     ORDER BY c.chunk LIMIT ?`,
    [owner.owner_id, limit],
  )
  return (await withTexts(sql, rows)).map(([, chunk]) => chunk)
}

/** Keeps vectors; see `KnowledgeStore.embed`. Ids of chunks that are gone by now are passed over. */
export async function storeVectors(
  sql: Sql,
  owner: string,
  model: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  const [first] = vectors.values()
  const ownerRow = await findOwner(sql, owner)
  if (first === undefined || ownerRow === undefined) return
  const ownerId = ownerRow.owner_id
  const isCurrent = ownerRow.embedding_model === model
  const size = isCurrent && ownerRow.embedding_size !== null ? ownerRow.embedding_size : first.length
  for (const vector of vectors.values()) assertVectorSize(vector, size)
  if (!isCurrent) await changeModel(sql, ownerId, model, size)
  const numbered = await withoutVector(sql, ownerId, await numberChunks(sql, ownerId, vectors))
  const units = new Map([...numbered].map(([chunk, vector]) => [chunk, unit(vector)]))
  await insertRows(
    sql,
    'knowledge_vectors (vector_key, vector)',
    [...units].map(([chunk, vector]) => [vectorKey(ownerId, chunk), Buffer.from(vector.buffer)]),
  )
  await addEmbeddings(sql, ownerId, units)
  await countEmbedded(sql, ownerId, [...units.keys()])
}

/** Leaves an owner without any vector; see `KnowledgeStore.dropVectors`. */
export async function removeVectors(sql: Sql, owner: string): Promise<void> {
  const row = await findOwner(sql, owner)
  if (row !== undefined) await changeModel(sql, row.owner_id, null, null)
}

async function changeModel(sql: Sql, ownerId: number, model: string | null, size: number | null): Promise<void> {
  await sql.all('DELETE FROM knowledge_vectors WHERE vector_key >= ? AND vector_key < ?', [
    vectorKey(ownerId, 0),
    vectorKey(ownerId + 1, 0),
  ])
  await removeEmbeddings(sql, vectorKey(ownerId, 0), vectorKey(ownerId + 1, 0) - 1)
  await sql.all('UPDATE knowledge_documents SET embedded = 0 WHERE owner_id = ?', [ownerId])
  await sql.all('UPDATE knowledge_owners SET embedding_model = ?, embedding_size = ? WHERE owner_id = ?', [
    model,
    size,
    ownerId,
  ])
}

async function numberChunks(
  sql: Sql,
  ownerId: number,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<Map<number, Float32Array>> {
  const places = [...vectors].flatMap(([id, vector]) => {
    const place = parseChunkId(id)
    return place === undefined ? [] : [{ ...place, vector }]
  })
  const ids = [...new Set(places.map(({ documentId }) => documentId))]
  const rows = await allIn<{ document_id: string; first_chunk: number; chunks: number }>(
    sql,
    (marks) => `SELECT document_id, first_chunk, chunks FROM knowledge_documents
       WHERE owner_id = ? AND document_id IN (${marks})`,
    ids,
    [ownerId],
  )
  const documents = new Map(rows.map((row) => [row.document_id, row]))
  return new Map(
    places.flatMap(({ documentId, ordinal, vector }) => {
      const document = documents.get(documentId)
      return document === undefined || ordinal >= document.chunks ? [] : [[document.first_chunk + ordinal, vector]]
    }),
  )
}

/** Skips chunks that already have a vector: two processes may have worked on the same chunks. */
async function withoutVector(
  sql: Sql,
  ownerId: number,
  vectors: ReadonlyMap<number, Float32Array>,
): Promise<ReadonlyMap<number, Float32Array>> {
  const rows = await allIn<{ vector_key: number }>(
    sql,
    (marks) => `SELECT vector_key FROM knowledge_vectors WHERE vector_key IN (${marks})`,
    [...vectors.keys()].map((chunk) => vectorKey(ownerId, chunk)),
  )
  const missing = new Map(vectors)
  for (const { vector_key } of rows) missing.delete(chunkOfKey(vector_key))
  return missing
}

async function countEmbedded(sql: Sql, ownerId: number, chunks: readonly number[]): Promise<void> {
  await allIn(
    sql,
    (marks) => `UPDATE knowledge_documents SET embedded =
         (SELECT count(*) FROM knowledge_vectors
          WHERE vector_key >= ${vectorKeySql('owner_id', 'first_chunk')}
          AND vector_key < ${vectorKeySql('owner_id', 'first_chunk')} + chunks)
       WHERE document_id IN
         (SELECT DISTINCT document_id FROM knowledge_chunks WHERE owner_id = ? AND chunk IN (${marks}))`,
    chunks,
    [ownerId],
  )
}

/** @throws TuttiError `InvalidRequest` for a vector that cannot be compared with the others */
export function assertVectorSize(vector: Float32Array, size: number): void {
  if (vector.length === size && size > 0 && vector.every(Number.isFinite)) return
  throw new TuttiError(
    'InvalidRequest',
    `A vector has ${vector.length} dimensions, but the others have ${size}, or it contains an invalid number. ` +
      'Run `tutti docs reindex` to create all vectors with one embedding model.',
  )
}

/** The vector at length 1, so that a product of two is their cosine. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? vector.slice() : vector.map((value) => value / length)
}

export function dot(a: Float32Array, b: Float32Array): number {
  let total = 0
  for (let at = 0; at < a.length; at++) total += a[at]! * b[at]!
  return total
}
