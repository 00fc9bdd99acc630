import type { ArtifactStore } from '../domain/artifacts.ts'
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
      throw ownerGoneError()
    },
  }
}

/** The same for files. */
export function guardFiles(files: ArtifactStore, isThere: OwnerExists): ArtifactStore {
  return {
    keep: async (owner, ...given) => {
      const artifact = await files.keep(owner, ...given)
      if (await isThere(owner)) return artifact
      await files.remove(owner, artifact.id)
      throw ownerGoneError()
    },
    read: (...given) => files.read(...given),
    list: (...given) => files.list(...given),
    remove: (...given) => files.remove(...given),
    begin: async (erasure) => {
      await files.begin(erasure)
      if (await isThere(erasure.owner)) return
      await files.end(erasure)
      throw ownerGoneError()
    },
    begun: (...given) => files.begun(...given),
    end: (...given) => files.end(...given),
  }
}

function ownerGoneError(): TuttiError<'NotFound'> {
  return new TuttiError('NotFound', 'The owner of this no longer exists; nothing was kept.')
}
