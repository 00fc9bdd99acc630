import { TuttiError } from '../../domain/errors.ts'
import { assertVectorSize } from '../store/vectors.ts'
import type { QdrantClient, QdrantFilter } from './client.ts'
import { FOREIGN, INDEXES, modelCondition } from './points.ts'

/** Deleting, creating and checking take three; the others are for a process that does the same at that moment. */
const ATTEMPTS = 5

/**
 * The size of a collection's vectors; undefined when there is no collection. Indexes that are missing, because creating
 * it was cut short, are created.
 * @throws TuttiError `StorageError` also for a collection of that name that is not Tutti's
 */
export async function openCollection(qdrant: QdrantClient, name: string): Promise<number | undefined> {
  const state = await qdrant.collection(name)
  if (state === undefined) return undefined
  if (state.size === undefined) throw foreign(qdrant, name)
  for (const [field, kind] of INDEXES) if (!state.indexed.has(field)) await qdrant.createIndex(name, field, kind)
  return state.size
}

/**
 * Makes sure that there is a collection for vectors of this model and size. One of another model is replaced.
 * @throws TuttiError `InvalidRequest` when the model's other vectors have another size
 */
export async function ensureCollection(
  qdrant: QdrantClient,
  name: string,
  model: string,
  vector: Float32Array,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const size = await openCollection(qdrant, name)
    if (size === undefined) {
      await qdrant.createCollection(name, vector.length)
      continue
    }
    if (size !== vector.length && (await hasPoint(qdrant, name, { must: [modelCondition(model)] })))
      assertVectorSize(vector, size)
    if (size === vector.length && !(await hasPoint(qdrant, name, { must_not: [modelCondition(model), FOREIGN] })))
      return
    if (!(await deleteCollection(qdrant, name))) throw foreign(qdrant, name)
  }
  throw new TuttiError(
    'StorageError',
    `The collection ${name} in Qdrant at ${qdrant.host} is being changed by another process. Use one embedding model everywhere, then try again.`,
    { retryable: true },
  )
}

/** Deletes a collection; false, and nothing done, when it holds a point that is not Tutti's. */
export async function deleteCollection(qdrant: QdrantClient, name: string): Promise<boolean> {
  if (await hasPoint(qdrant, name, { must: [FOREIGN] })) return false
  await qdrant.deleteCollection(name)
  return true
}

/** Whether a collection holds a point like that. */
export async function hasPoint(qdrant: QdrantClient, name: string, filter: QdrantFilter): Promise<boolean> {
  for await (const page of qdrant.scroll(name, filter, { fields: ['type'], pageSize: 1 })) return page.length > 0
  return false
}

function foreign(qdrant: QdrantClient, name: string): TuttiError {
  return new TuttiError(
    'StorageError',
    `The collection ${name} in Qdrant at ${qdrant.host} was created by another program. Set TUTTI_QDRANT_URL to a server for Tutti alone, or delete the collection.`,
  )
}
