import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import type { KnowledgeStore } from '../documents/types.ts'

/** Whether the owner, a user or a collection, still exists. */
type OwnerExists = (owner: Owner) => Promise<boolean>

/**
 * Wraps the store so that no documents remain of an owner that was erased while they were written. The eraser marks the
 * owner first and deletes afterwards; a writer checks the mark after it has written. So one of them always removes
 * them.
 */
export function guardDocuments(store: KnowledgeStore, isThere: OwnerExists): KnowledgeStore {
  return {
    ...store,
    async put(owner, ...given) {
      const put = await store.put(owner, ...given)
      if (await isThere(owner)) return put
      await store.remove(owner, put.record.documentId)
      throw new TuttiError('NotFound', 'The owner of this no longer exists; nothing was kept.')
    },
  }
}
