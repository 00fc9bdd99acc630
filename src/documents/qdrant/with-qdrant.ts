import { TuttiError } from '../../domain/errors.ts'
import { parseChunkId } from '../store/rows.ts'
import { parts } from '../store/sql.ts'
import { assertVectorSize } from '../store/vectors.ts'
import { ownersOf, readerOf } from '../collections.ts'
import type { DocumentRecord, Hit, KnowledgeStore, OwnerScope, SearchFilter } from '../types.ts'
import { catchUp, chunksAt } from './catch-up.ts'
import type { Condition, FoundPoint, Point, QdrantClient, QdrantFilter } from './client.ts'
import { deleteCollection, ensureCollection, hasPoint, openCollection } from './collection.ts'
import { collectionName } from './names.ts'
import {
  chunkPoint,
  documentCondition,
  FOREIGN,
  modelCondition,
  PLACE_FIELDS,
  pointLocation,
  typeCondition,
} from './points.ts'
import { searchTerms } from '../search/analysis.ts'

/** Points per request: a few MB, far below Qdrant's limit of 32 MB. */
const POINTS_AT_ONCE = 64

/**
 * Adds vector search in Qdrant to a store, with one collection per owner. The given store stays the source of truth:
 * documents, texts and terms are only there. `unembedded` finds missing and surplus points by comparison, once the
 * store itself lacks no vectors. Without Qdrant everything except vectors works. Removing a document fails without
 * Qdrant, so that none of its points remain.
 * Calls that need Qdrant throw TuttiError `StorageError` with its host if it is unavailable.
 */
export function withQdrant(store: KnowledgeStore, qdrant: QdrantClient): KnowledgeStore {
  return {
    ...store,
    remove: (owner, documentId) => removeDocument(store, qdrant, owner, documentId),
    async unembedded(owner, model, limit) {
      // Check this first, so that no vectors are paid for that cannot be stored.
      await openCollection(qdrant, collectionName(owner))
      const chunks = await store.unembedded(owner, model, limit)
      return chunks.length > 0 || limit <= 0 ? chunks : catchUp({ store, qdrant }, owner, model, limit)
    },
    async embed(owner, model, vectors) {
      await addPoints(store, qdrant, owner, model, vectors)
      // After Qdrant, so that every chunk marked as embedded can be found.
      await store.embed(owner, model, vectors)
    },
    async dense(scope, model, vector, limit, filter = {}) {
      const reader = readerOf(scope)
      const found = ownersOf(scope).map((owner) =>
        searchDense(store, qdrant, { owner, scope: { reader, owners: [owner] } }, { model, vector, limit, filter }),
      )
      const hits = (await Promise.all(found)).flat()
      return hits.toSorted((a, b) => b.score - a.score).slice(0, limit)
    },
  }
}

/** Qdrant first: if that fails, the document still exists and can be removed again. */
async function removeDocument(
  store: KnowledgeStore,
  qdrant: QdrantClient,
  owner: string,
  documentId: string,
): Promise<boolean> {
  const documents = await store.documents(owner)
  if (documents.some((document) => document.documentId === documentId)) {
    const name = collectionName(owner)
    const hasCollection = (await openCollection(qdrant, name)) !== undefined
    if (hasCollection && !(documents.length === 1 && (await deleteCollection(qdrant, name)))) {
      await qdrant.deletePoints(name, { must: [documentCondition(documentId)], must_not: [FOREIGN] })
    }
  }
  return store.remove(owner, documentId)
}

async function addPoints(
  store: KnowledgeStore,
  qdrant: QdrantClient,
  owner: string,
  model: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  const [first] = vectors.values()
  if (first === undefined) return
  for (const vector of vectors.values()) assertVectorSize(vector, first.length)
  const points = await pointsOf(store, owner, model, vectors)
  if (points.length === 0) return
  const name = collectionName(owner)
  await ensureCollection(qdrant, name, model, first)
  for (const batch of parts(points, POINTS_AT_ONCE)) await qdrant.upsert(name, batch)
}

/** Skips chunks that no longer exist or belong to another owner. */
async function pointsOf(
  store: KnowledgeStore,
  owner: string,
  model: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<Point[]> {
  const ordinalsByDocument = new Map<string, number[]>()
  for (const id of vectors.keys()) {
    const place = parseChunkId(id)
    if (place === undefined) continue
    ordinalsByDocument.set(place.documentId, [...(ordinalsByDocument.get(place.documentId) ?? []), place.ordinal])
  }
  const points: Point[] = []
  for (const [documentId, ordinals] of ordinalsByDocument) {
    const document = await store.document(owner, documentId)
    if (document === undefined) continue
    const ordered = ordinals.toSorted((a, b) => a - b)
    for (const chunk of await chunksAt(store, owner, documentId, ordered)) {
      points.push(chunkPoint(chunk, document, model, vectors.get(chunk.chunkId)!))
    }
  }
  return points
}

interface DenseQuery {
  readonly model: string
  readonly vector: Float32Array
  readonly limit: number
  readonly filter: SearchFilter
}

async function searchDense(
  store: KnowledgeStore,
  qdrant: QdrantClient,
  { owner, scope }: { readonly owner: string; readonly scope: OwnerScope },
  { model, vector, limit, filter }: DenseQuery,
): Promise<readonly Hit[]> {
  const name = collectionName(owner)
  const size = await openCollection(qdrant, name)
  if (limit <= 0) return []
  // The collection is empty: vectors from before Qdrant was configured are still in the store.
  if (size === undefined) return store.dense(scope, model, vector, limit, filter)
  if (size !== vector.length && !(await hasPoint(qdrant, name, { must: [modelCondition(model)] }))) return []
  assertVectorSize(vector, size)
  const narrowed = await qdrantFilter(filter, model, () => store.documents(scope))
  if (narrowed === undefined) return []
  const deletedIds = new Set<string>()
  for (;;) {
    const points = await qdrant.query(name, vector, excludeDocuments(narrowed, deletedIds), limit, PLACE_FIELDS)
    const { hits, goneNow } = await hitsOf(store, scope, points)
    // Search again: points of removed documents must not displace others.
    if (goneNow.length === 0 || points.length < limit) return hits
    for (const documentId of goneNow) deletedIds.add(documentId)
  }
}

function excludeDocuments(filter: QdrantFilter, gone: ReadonlySet<string>): QdrantFilter {
  if (gone.size === 0) return filter
  return { ...filter, must_not: [...(filter.must_not ?? []), { key: 'doc_id', match: { any: [...gone] } }] }
}

async function hitsOf(
  store: KnowledgeStore,
  scope: OwnerScope,
  points: readonly FoundPoint[],
): Promise<{ readonly hits: Hit[]; readonly goneNow: string[] }> {
  const places = points.map(({ payload, score }) => {
    const place = pointLocation(payload)
    if (place !== undefined && score !== undefined) return { ...place, score }
    throw new TuttiError('StorageError', 'A point in Qdrant has no chunk ID; it was not created by Tutti.')
  })
  const ids = [...new Set(places.map(({ documentId }) => documentId))]
  const documents = new Map(await Promise.all(ids.map(async (id) => [id, await store.document(scope, id)] as const)))
  const found = await Promise.all(
    places.map(async ({ documentId, ordinal, score }): Promise<Hit[]> => {
      const document = documents.get(documentId)
      const [chunk] = document === undefined ? [] : await store.chunks(scope, documentId, ordinal, ordinal)
      if (document === undefined || chunk === undefined) return []
      const { name, type, date } = document
      return [{ chunk, document: { documentId, name, type, ...(date === undefined ? {} : { date }) }, score }]
    }),
  )
  return { hits: found.flat(), goneNow: ids.filter((id) => documents.get(id) === undefined) }
}

/**
 * A search's filter in Qdrant's terms, with the same meaning as in the SQL store; undefined when nothing can pass.
 * Days are looked up among the owner's documents, for which `documents` is only called then: Qdrant can only
 * compare keywords for equality.
 */
async function qdrantFilter(
  filter: SearchFilter,
  model: string,
  documents: () => Promise<readonly DocumentRecord[]>,
): Promise<QdrantFilter | undefined> {
  const { types, documentIds, from, to, section } = filter
  const must: Condition[] = [typeCondition('chunk'), modelCondition(model)]
  const mustNot: Condition[] = []
  const anyOf = (key: string, any: readonly string[]): number => must.push({ key, match: { any: [...new Set(any)] } })
  if (types !== undefined) anyOf('metadata.doc_type', types)
  if (documentIds !== undefined) anyOf('doc_id', documentIds)
  if (from !== undefined || to !== undefined) {
    const days = (await documents()).flatMap(({ date }) =>
      date !== undefined && isWithin(date, from, to) ? [date] : [],
    )
    anyOf('metadata.date', days)
  }
  if (section !== undefined) {
    for (const term of searchTerms(section)) must.push({ key: 'metadata.section_terms', match: { value: term } })
    mustNot.push({ is_empty: { key: 'metadata.section_title' } })
  }
  if (must.some((condition) => 'match' in condition && 'any' in condition.match && condition.match.any.length === 0)) {
    return undefined
  }
  return mustNot.length === 0 ? { must } : { must, must_not: mustNot }
}

/** A date may be followed by a time of that day, which is later as a text. */
function isWithin(date: string, from: string | undefined, to: string | undefined): boolean {
  return (from === undefined || date >= from) && (to === undefined || date.slice(0, to.length) <= to)
}
