import type { Chunk, DocumentRecord, KnowledgeStore } from '../types.ts'
import { deleteCollection, openCollection } from './collection.ts'
import type { QdrantClient } from './client.ts'
import { collectionName } from './names.ts'
import {
  documentPoint,
  FOREIGN,
  documentCondition,
  modelCondition,
  typeCondition,
  PLACE_FIELDS,
  pointLocation,
} from './points.ts'

const PAGE = 1_000

interface Places {
  readonly store: KnowledgeStore
  readonly qdrant: QdrantClient
}

/**
 * Synchronises an owner's collection with the store, which is authoritative. Deletes points of removed documents. A
 * document whose chunks are complete gets a point of its own, which marks it as complete and has no vector. The function
 * is idempotent and can be interrupted.
 * @returns chunks without a vector of this model in the collection, at most `limit`, in order of arrival
 */
export async function catchUp(
  { store, qdrant }: Places,
  owner: string,
  model: string,
  limit: number,
): Promise<Chunk[]> {
  const name = collectionName(owner)
  const hasCollection = (await openCollection(qdrant, name)) !== undefined
  const documents = await store.documents(owner)
  if (hasCollection) await forgetGone(qdrant, name, documents)
  const completeIds = await wholeDocuments(qdrant, name, model)
  const missing: Chunk[] = []
  for (const document of documents.toReversed()) {
    if (missing.length >= limit) break
    if (document.chunks === 0 || completeIds.has(document.documentId)) continue
    const absent = await absentOrdinals(qdrant, name, model, document)
    if (absent.length === 0) await qdrant.upsert(name, [documentPoint(document, model)])
    else missing.push(...(await chunksAt(store, owner, document.documentId, absent.slice(0, limit - missing.length))))
  }
  return missing
}

/** Chunks of a document by ordinal, in order. Chunks that no longer exist are skipped. */
export async function chunksAt(
  store: KnowledgeStore,
  owner: string,
  documentId: string,
  ordinals: readonly number[],
): Promise<Chunk[]> {
  const requested = new Set(ordinals)
  const chunks = await store.chunks(owner, documentId, ordinals[0], ordinals.at(-1))
  return chunks.filter(({ ordinal }) => requested.has(ordinal))
}

async function forgetGone(qdrant: QdrantClient, name: string, documents: readonly DocumentRecord[]): Promise<void> {
  if (documents.length === 0 && (await deleteCollection(qdrant, name))) return
  const ids = documents.map(({ documentId }) => documentId)
  const existing = ids.length === 0 ? [] : [{ key: 'doc_id', match: { any: ids } }]
  await qdrant.deletePoints(name, { must_not: [...existing, FOREIGN] })
}

async function wholeDocuments(qdrant: QdrantClient, name: string, model: string): Promise<ReadonlySet<unknown>> {
  const filter = { must: [typeCondition('document_entry'), modelCondition(model)] }
  const found = new Set<unknown>()
  for await (const page of qdrant.scroll(name, filter, { fields: ['doc_id'], pageSize: PAGE })) {
    for (const { payload } of page) found.add(payload['doc_id'])
  }
  return found
}

async function absentOrdinals(
  qdrant: QdrantClient,
  name: string,
  model: string,
  { documentId, chunks }: DocumentRecord,
): Promise<number[]> {
  const filter = { must: [typeCondition('chunk'), modelCondition(model), documentCondition(documentId)] }
  const present = new Set<number | undefined>()
  for await (const page of qdrant.scroll(name, filter, { fields: PLACE_FIELDS, pageSize: PAGE })) {
    for (const { payload } of page) present.add(pointLocation(payload)?.ordinal)
  }
  return Array.from({ length: chunks }, (_, ordinal) => ordinal).filter((ordinal) => !present.has(ordinal))
}
