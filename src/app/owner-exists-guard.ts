import type { ArtifactStore } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/owner.ts'
import type { KnowledgeStore } from '../documents/types.ts'

/** Whether a person was not erased, and a collection not removed, of which a document or file would be. */
type IsThere = (whose: Owner) => Promise<boolean>

/**
 * The store, in which nothing stays that was still on its way when those went whose it is. Whoever erases says so first and
 * clears away then; whoever brings something looks afterwards: one of the two finds it, in whatever order they come.
 */
export function ofThoseThere(store: KnowledgeStore, isThere: IsThere): KnowledgeStore {
  return {
    ...store,
    async put(owner, ...given) {
      const put = await store.put(owner, ...given)
      if (await isThere(owner)) return put
      await store.remove(owner, put.record.documentId)
      throw gone()
    },
  }
}

/** The same for files. */
export function filesOfThoseThere(files: ArtifactStore, isThere: IsThere): ArtifactStore {
  return {
    keep: async (owner, ...given) => {
      const kept = await files.keep(owner, ...given)
      if (await isThere(owner)) return kept
      await files.remove(owner, kept.id)
      throw gone()
    },
    read: (...given) => files.read(...given),
    list: (...given) => files.list(...given),
    remove: (...given) => files.remove(...given),
    begin: async (erasure) => {
      await files.begin(erasure)
      if (await isThere(erasure.owner)) return
      await files.end(erasure)
      throw gone()
    },
    begun: (...given) => files.begun(...given),
    end: (...given) => files.end(...given),
  }
}

function gone(): TuttiError<'NotFound'> {
  return new TuttiError('NotFound', 'Whose this would be is not there any more; nothing of it was kept.')
}
